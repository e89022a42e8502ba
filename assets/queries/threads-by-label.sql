-- threads by label: number, run time, blocked time
SELECT coalesce(label, '(no label)') AS label, count(*) AS n, sum(run_ns) AS run_ns, sum(blocked_ns) AS blocked_ns,
       min(born_ns) AS born_ns
FROM threads GROUP BY 1 ORDER BY run_ns DESC, 1
