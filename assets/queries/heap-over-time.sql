-- live bytes and heap size in each twentieth of the run
SELECT min(t_ns) AS t_ns, max(live_bytes) AS live_bytes, max(size_bytes) AS size_bytes
FROM heap WHERE live_bytes IS NOT NULL OR size_bytes IS NOT NULL
GROUP BY t_ns * 20 / (SELECT max(t_ns) + 1 FROM heap) ORDER BY 1
