-- Names compare byte by byte, as in SQLite and in Python, whatever the locale of the server.

-- Entries in gap-free streams. There is no number over all streams: readers follow the versions of each.
CREATE TABLE entries (
    stream TEXT COLLATE "C" NOT NULL CHECK (stream <> ''),
    version BIGINT NOT NULL CHECK (version > 0),
    at BIGINT NOT NULL,
    by TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    hash TEXT COLLATE "C" NOT NULL CHECK (length(hash) = 64),
    PRIMARY KEY (stream, version)
);

-- A command of one name has one effect.
CREATE UNIQUE INDEX entries_by_key ON entries (stream, by, key) WHERE key <> '';

CREATE TABLE postings (
    stream TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    line BIGINT NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (stream, version, line),
    FOREIGN KEY (stream, version) REFERENCES entries (stream, version)
);

-- The time is that of the entry, repeated so that one index finds the newest entries of a mark.
CREATE TABLE marks (
    stream TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    line BIGINT NOT NULL,
    mark TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (stream, version, line),
    FOREIGN KEY (stream, version) REFERENCES entries (stream, version)
);

CREATE UNIQUE INDEX marks_by_time ON marks (mark, at, stream, version);

-- The last entry of each stream.
CREATE TABLE heads (
    stream TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    hash TEXT COLLATE "C" NOT NULL
) WITH (fillfactor = 70);

-- What the postings of each account come to.
CREATE TABLE accounts (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    balance BIGINT NOT NULL,
    floored BOOLEAN NOT NULL,
    CHECK (NOT floored OR balance >= 0)
) WITH (fillfactor = 70);

CREATE TABLE roots (
    number BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    hash TEXT COLLATE "C" NOT NULL
);

-- The heads that changed since the root before; a head is sealed once.
CREATE TABLE root_heads (
    number BIGINT NOT NULL REFERENCES roots (number),
    stream TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (number, stream)
);

CREATE UNIQUE INDEX root_heads_by_entry ON root_heads (stream, version);

-- Who writes a stream; an empty owner gave it up. `until` is by the clock of this database, no process's own.
CREATE TABLE leases (
    stream TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    epoch BIGINT NOT NULL,
    until TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 70);

-- Entries with all that belongs to them.
CREATE VIEW whole_entries AS
SELECT
    stream, version, at, by, key, body,
    (
        SELECT coalesce(json_agg(json_build_array(account, amount) ORDER BY line), '[]')::text FROM postings
        WHERE postings.stream = entries.stream AND postings.version = entries.version
    ) AS postings,
    (
        SELECT coalesce(json_agg(mark ORDER BY line), '[]')::text FROM marks
        WHERE marks.stream = entries.stream AND marks.version = entries.version
    ) AS marks,
    hash
FROM entries;

-- What is written stays.
CREATE FUNCTION rows_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER entries_stay BEFORE UPDATE OR DELETE ON entries FOR EACH ROW EXECUTE FUNCTION rows_stay();
CREATE TRIGGER postings_stay BEFORE UPDATE OR DELETE ON postings FOR EACH ROW EXECUTE FUNCTION rows_stay();
CREATE TRIGGER marks_stay BEFORE UPDATE OR DELETE ON marks FOR EACH ROW EXECUTE FUNCTION rows_stay();
CREATE TRIGGER roots_stay BEFORE UPDATE OR DELETE ON roots FOR EACH ROW EXECUTE FUNCTION rows_stay();
CREATE TRIGGER root_heads_stay BEFORE UPDATE OR DELETE ON root_heads FOR EACH ROW EXECUTE FUNCTION rows_stay();
CREATE TRIGGER heads_stay BEFORE DELETE ON heads FOR EACH ROW EXECUTE FUNCTION rows_stay();
CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION rows_stay();

CREATE TRIGGER entries_all_stay BEFORE TRUNCATE ON entries EXECUTE FUNCTION rows_stay();
CREATE TRIGGER postings_all_stay BEFORE TRUNCATE ON postings EXECUTE FUNCTION rows_stay();
CREATE TRIGGER marks_all_stay BEFORE TRUNCATE ON marks EXECUTE FUNCTION rows_stay();
CREATE TRIGGER roots_all_stay BEFORE TRUNCATE ON roots EXECUTE FUNCTION rows_stay();
CREATE TRIGGER root_heads_all_stay BEFORE TRUNCATE ON root_heads EXECUTE FUNCTION rows_stay();
CREATE TRIGGER heads_all_stay BEFORE TRUNCATE ON heads EXECUTE FUNCTION rows_stay();
CREATE TRIGGER accounts_all_stay BEFORE TRUNCATE ON accounts EXECUTE FUNCTION rows_stay();
