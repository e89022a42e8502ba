-- histogram of pause lengths (powers of two)
WITH RECURSIVE p(of_ns) AS (SELECT 1000 UNION ALL SELECT of_ns * 2 FROM p WHERE of_ns < 100000000000)
SELECT p.of_ns AS from_least_ns, p.of_ns * 2 AS below_ns, count(*) AS n, sum(g.pause_ns) AS total_ns
FROM gc g JOIN p ON g.pause_ns >= (CASE p.of_ns WHEN 1000 THEN 0 ELSE p.of_ns END) AND g.pause_ns < p.of_ns * 2
GROUP BY p.of_ns ORDER BY p.of_ns
