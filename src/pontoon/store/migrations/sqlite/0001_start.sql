-- Entries in gap-free streams. There is no number over all streams: readers follow the versions of each.
CREATE TABLE entries (
    stream TEXT NOT NULL CHECK (stream <> ''),
    version INTEGER NOT NULL CHECK (version > 0),
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    key TEXT NOT NULL,
    body BLOB NOT NULL,
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    PRIMARY KEY (stream, version)
) STRICT;

-- A command of one name has one effect.
CREATE UNIQUE INDEX entries_by_key ON entries (stream, by, key) WHERE key <> '';

CREATE TABLE postings (
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    line INTEGER NOT NULL,
    account TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (stream, version, line),
    FOREIGN KEY (stream, version) REFERENCES entries (stream, version)
) STRICT, WITHOUT ROWID;

-- The time is that of the entry, repeated so that one index finds the newest entries of a mark.
CREATE TABLE marks (
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    line INTEGER NOT NULL,
    mark TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (stream, version, line),
    FOREIGN KEY (stream, version) REFERENCES entries (stream, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX marks_by_time ON marks (mark, at, stream, version);

-- The last entry of each stream.
CREATE TABLE heads (
    stream TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the postings of each account come to.
CREATE TABLE accounts (
    name TEXT NOT NULL PRIMARY KEY,
    balance INTEGER NOT NULL,
    floored INTEGER NOT NULL CHECK (floored IN (0, 1)),
    CHECK (NOT floored OR balance >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE roots (
    number INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT;

-- The heads that changed since the root before; a head is sealed once.
CREATE TABLE root_heads (
    number INTEGER NOT NULL REFERENCES roots (number),
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (number, stream)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX root_heads_by_entry ON root_heads (stream, version);

-- Who writes a stream; an empty owner gave it up. `until` is in seconds since 1970.
CREATE TABLE leases (
    stream TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    address TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    until REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Entries with all that belongs to them.
CREATE VIEW whole_entries AS
SELECT
    stream, version, at, by, key, body,
    (
        SELECT json_group_array(json_array(account, amount)) FROM (
            SELECT account, amount FROM postings
            WHERE postings.stream = entries.stream AND postings.version = entries.version ORDER BY line
        )
    ) AS postings,
    (
        SELECT json_group_array(mark) FROM (
            SELECT mark FROM marks
            WHERE marks.stream = entries.stream AND marks.version = entries.version ORDER BY line
        )
    ) AS marks,
    hash
FROM entries;

-- What is written stays.
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'entries are never changed'); END;
CREATE TRIGGER entries_last BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER postings_stay BEFORE UPDATE ON postings BEGIN SELECT raise(ABORT, 'postings are never changed'); END;
CREATE TRIGGER postings_last BEFORE DELETE ON postings BEGIN SELECT raise(ABORT, 'postings are never deleted'); END;
CREATE TRIGGER marks_stay BEFORE UPDATE ON marks BEGIN SELECT raise(ABORT, 'marks are never changed'); END;
CREATE TRIGGER marks_last BEFORE DELETE ON marks BEGIN SELECT raise(ABORT, 'marks are never deleted'); END;
CREATE TRIGGER roots_stay BEFORE UPDATE ON roots BEGIN SELECT raise(ABORT, 'roots are never changed'); END;
CREATE TRIGGER roots_last BEFORE DELETE ON roots BEGIN SELECT raise(ABORT, 'roots are never deleted'); END;
CREATE TRIGGER root_heads_stay BEFORE UPDATE ON root_heads BEGIN SELECT raise(ABORT, 'roots are never changed'); END;
CREATE TRIGGER root_heads_last BEFORE DELETE ON root_heads BEGIN SELECT raise(ABORT, 'roots are never deleted'); END;
CREATE TRIGGER heads_last BEFORE DELETE ON heads BEGIN SELECT raise(ABORT, 'heads are never deleted'); END;
CREATE TRIGGER accounts_last BEFORE DELETE ON accounts BEGIN SELECT raise(ABORT, 'accounts are never deleted'); END;

-- INSERT OR REPLACE deletes without asking the triggers above, so an insert must be of the next row.
CREATE TRIGGER entries_follow BEFORE INSERT ON entries
WHEN NEW.version <> 1 + (SELECT coalesce(max(version), 0) FROM entries WHERE stream = NEW.stream)
BEGIN SELECT raise(ABORT, 'an entry follows the last of its stream'); END;
CREATE TRIGGER entries_of_new_keys BEFORE INSERT ON entries
WHEN NEW.key <> '' AND EXISTS (SELECT 1 FROM entries WHERE stream = NEW.stream AND by = NEW.by AND key = NEW.key AND key <> '')
BEGIN SELECT raise(ABORT, 'a key is used once'); END;
CREATE TRIGGER postings_follow BEFORE INSERT ON postings
WHEN EXISTS (SELECT 1 FROM postings WHERE stream = NEW.stream AND version = NEW.version AND line = NEW.line)
BEGIN SELECT raise(ABORT, 'postings are never replaced'); END;
