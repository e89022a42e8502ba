-- which capability wrote how much of the log, in how many blocks
SELECT cap, count(*) AS blocks, sum(bytes) AS bytes FROM blocks GROUP BY cap ORDER BY bytes DESC, cap
