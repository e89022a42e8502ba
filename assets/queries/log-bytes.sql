-- bytes and blocks of log per capability
SELECT cap, count(*) AS blocks, sum(bytes) AS bytes FROM blocks GROUP BY cap ORDER BY bytes DESC, cap
