-- The marks of one stream: a round by its number, the shoes of a table. Marks of players are found by time.
CREATE INDEX marks_of_stream ON marks (stream, mark, at, version) WHERE substr(mark, 1, 7) <> 'player:';

-- What moved the wallet of a person; bots have a wallet that nobody looks into.
CREATE INDEX postings_of_wallets ON postings (account, stream, version, amount)
WHERE substr(account, 1, 7) = 'wallet/' AND substr(account, 1, 11) <> 'wallet/bot ';
