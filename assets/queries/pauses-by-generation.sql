-- pauses by generation: number, times, bytes copied
SELECT gen, count(*) AS n, sum(pause_ns) AS total_ns, avg(pause_ns) AS mean_ns, max(pause_ns) AS longest_ns,
       sum(copied_bytes) AS copied_bytes
FROM gc GROUP BY gen ORDER BY gen
