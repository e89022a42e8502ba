-- events by type: number, first, last
SELECT tag, name, count(*) AS n, min(t_ns) AS first_at_ns, max(t_ns) AS last_at_ns FROM events
GROUP BY tag, name ORDER BY n DESC, tag
