-- blocking reasons: number, total and longest wait
SELECT b.reason, b.n, b.total_ns, b.longest_ns, b.longest_thread AS thread, t.label, b.longest_at_ns
FROM blocked b LEFT JOIN (SELECT id, label FROM threads) t ON t.id = b.longest_thread
ORDER BY b.total_ns DESC, b.reason
