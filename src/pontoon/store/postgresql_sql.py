"""Statements that differ from SQLite's: with row locks, many rows at once, several streams."""

from __future__ import annotations

from pontoon.store.sql import ENTRY, NEW_ACCOUNT, NEW_ENTRY, NEW_HEAD, NEW_MARK, NEW_POSTING, OLD_ACCOUNT, OLD_HEAD

TAKE = """
INSERT INTO leases (stream, owner, address, epoch, until)
VALUES (%s, %s, %s, 1, clock_timestamp() + make_interval(secs => %s))
ON CONFLICT (stream) DO UPDATE SET
    owner = excluded.owner, address = excluded.address, until = excluded.until,
    epoch = leases.epoch + CASE WHEN leases.owner = excluded.owner THEN 0 ELSE 1 END
WHERE leases.owner IN ('', excluded.owner) OR leases.until <= clock_timestamp()
RETURNING epoch
"""
RENEW = """
UPDATE leases SET until = clock_timestamp() + make_interval(secs => %s) WHERE owner = %s RETURNING stream
"""

# What a batch touches, locked in the same order by every process: leases, heads, accounts, each by name. One query,
# because each is a round trip while others wait; a key written in between is not seen, but its head is.
STANDING = """
SELECT
    (SELECT json_agg(json_build_array(stream, epoch)) FROM (
        SELECT stream, epoch FROM leases WHERE stream = ANY(%(streams)s) AND owner <> '' ORDER BY stream FOR SHARE
    ) AS leased)::text,
    (SELECT json_agg(json_build_array(stream, version, at, hash)) FROM (
        SELECT stream, version, at, hash FROM heads WHERE stream = ANY(%(streams)s) ORDER BY stream FOR UPDATE
    ) AS tips)::text,
    (SELECT json_agg(json_build_array(name, balance)) FROM (
        SELECT name, balance FROM accounts WHERE name = ANY(%(accounts)s) ORDER BY name FOR UPDATE
    ) AS balances)::text,
    EXISTS (
        SELECT 1 FROM entries WHERE key <> '' AND (stream, by, key) IN (
            SELECT * FROM unnest(%(of)s::text[], %(by)s::text[], %(key)s::text[])
        )
    )
"""
KEYS = f"""
SELECT {ENTRY} FROM whole_entries
WHERE key <> '' AND (stream, by, key) IN (SELECT * FROM unnest(%(of)s::text[], %(by)s::text[], %(key)s::text[]))
"""  # noqa: S608 our own names
ROWS = {
    NEW_HEAD: "INSERT INTO heads (version, at, hash, stream) "
    "SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[])",
    OLD_HEAD: "UPDATE heads SET version = new.version, at = new.at, hash = new.hash "
    "FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::bigint[]) "
    "AS new (version, at, hash, stream, seen) WHERE heads.stream = new.stream AND heads.version = new.seen",
    OLD_ACCOUNT: "UPDATE accounts SET balance = balance + new.total "
    "FROM unnest(%s::bigint[], %s::text[], %s::bigint[]) AS new (total, account, lowest) "
    "WHERE name = new.account AND (NOT floored OR balance + new.lowest >= 0)",
    NEW_ACCOUNT: "INSERT INTO accounts (name, balance, floored) "
    "SELECT * FROM unnest(%s::text[], %s::bigint[], %s::boolean[])",
    NEW_ENTRY: "INSERT INTO entries (stream, version, at, by, key, body, hash) "
    "SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::bytea[], %s::text[])",
    NEW_POSTING: "INSERT INTO postings (stream, version, line, account, amount) "
    "SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[])",
    NEW_MARK: "INSERT INTO marks (stream, version, line, mark, at) "
    "SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[])",
}
"""Each statement for all of its rows at once; the columns are those of `statements`."""
NEWS = f"""
SELECT {ENTRY} FROM unnest(%s::text[], %s::bigint[]) AS seen (name, last)
JOIN whole_entries ON stream = name AND version > last ORDER BY stream COLLATE "C", version LIMIT %s
"""  # noqa: S608 our own names

# A batch from the tip cache: every row must be as cached, or a division by zero rolls everything back. Accounts are
# locked in the same order as above. One statement and one parameter for every batch, so it is planned once.
UNASKED = """
WITH given AS MATERIALIZED (SELECT %s::jsonb AS given),
held AS MATERIALIZED (
    SELECT one->>0 AS stream, (one->>1)::bigint AS epoch FROM given, jsonb_array_elements(given->'held') AS one
),
leased AS MATERIALIZED (
    SELECT stream, epoch FROM leases
    WHERE owner <> '' AND stream IN (SELECT stream FROM held) ORDER BY stream FOR SHARE
),
moves AS MATERIALIZED (
    SELECT (one->>0)::bigint AS total, one->>1 AS account, (one->>2)::bigint AS lowest
    FROM given, jsonb_array_elements(given->'accounts') AS one
),
locked AS MATERIALIZED (
    SELECT name FROM accounts WHERE name IN (SELECT account FROM moves) ORDER BY name FOR UPDATE
),
new_heads AS (
    UPDATE heads SET version = (one->>0)::bigint, at = (one->>1)::bigint, hash = one->>2
    FROM given, jsonb_array_elements(given->'heads') AS one
    WHERE heads.stream = one->>3 AND heads.version = (one->>4)::bigint RETURNING 1
),
new_balances AS (
    UPDATE accounts SET balance = balance + total FROM moves
    WHERE name = account AND (NOT floored OR balance + lowest >= 0) AND (SELECT count(*) FROM locked) > 0 RETURNING 1
),
new_entries AS (
    INSERT INTO entries (stream, version, at, by, key, body, hash)
    SELECT one->>0, (one->>1)::bigint, (one->>2)::bigint, one->>3, one->>4, decode(one->>5, 'base64'), one->>6
    FROM given, jsonb_array_elements(given->'entries') AS one RETURNING 1
),
new_postings AS (
    INSERT INTO postings (stream, version, line, account, amount)
    SELECT one->>0, (one->>1)::bigint, (one->>2)::bigint, one->>3, (one->>4)::bigint
    FROM given, jsonb_array_elements(given->'postings') AS one RETURNING 1
),
new_marks AS (
    INSERT INTO marks (stream, version, line, mark, at)
    SELECT one->>0, (one->>1)::bigint, (one->>2)::bigint, one->>3, (one->>4)::bigint
    FROM given, jsonb_array_elements(given->'marks') AS one RETURNING 1
)
SELECT 1 / (
    NOT EXISTS (SELECT * FROM held WHERE epoch > 0 EXCEPT SELECT * FROM leased)
    AND NOT EXISTS (SELECT * FROM leased EXCEPT SELECT * FROM held)
    AND (SELECT count(*) FROM new_heads) = (SELECT jsonb_array_length(given->'heads') FROM given)
    AND (SELECT count(*) FROM new_balances) = (SELECT count(*) FROM moves)
)::int
"""
PARTS = {OLD_HEAD: "heads", OLD_ACCOUNT: "accounts", NEW_ENTRY: "entries", NEW_POSTING: "postings", NEW_MARK: "marks"}
"""The JSON keys of the parts of a batch; new streams and accounts are not among them and need the queried path."""
