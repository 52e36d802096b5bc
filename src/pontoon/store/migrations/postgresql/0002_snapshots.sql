-- The state of a stream after an entry, derived from the log and checked against it: may be deleted at any time.
CREATE TABLE snapshots (
    stream TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    hash TEXT COLLATE "C" NOT NULL,
    about BYTEA NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (stream, version)
);
