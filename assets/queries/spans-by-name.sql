-- spans by name: number, times, shares in GC and blocked
SELECT name, count(*) AS n, sum(duration_ns) AS total_ns, max(duration_ns) AS longest_ns,
       round(sum(gc_ns) * 1.0 / sum(duration_ns), 3) AS gc_share, round(sum(blocked_ns) * 1.0 / sum(duration_ns), 3) AS blocked_share
FROM spans WHERE duration_ns IS NOT NULL GROUP BY name ORDER BY total_ns DESC, name
