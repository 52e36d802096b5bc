-- The state of a stream after an entry, derived from the log and checked against it: may be deleted at any time.
CREATE TABLE snapshots (
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    about BLOB NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (stream, version)
) STRICT, WITHOUT ROWID;
