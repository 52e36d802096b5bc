"""What PostgreSQL is asked otherwise than SQLite: rows locked, many rows at once, several streams."""

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

# What a batch touches, locked in one order by every process: leases, heads, accounts, each by name. One question, for
# every one is a way there and back while others wait; so a key that came between is not seen, but its head is.
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
