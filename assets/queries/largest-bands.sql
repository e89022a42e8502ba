-- bands of the heap profile by their largest sample
SELECT band, max(bytes) AS most_bytes, time_ns AS most_at_ns, avg(bytes) AS mean_bytes, count(*) AS samples
FROM census GROUP BY band ORDER BY most_bytes DESC, band LIMIT 200
