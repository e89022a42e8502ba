-- blocking reasons: number, total and longest wait
SELECT reason, n, total_ns, longest_ns, longest_thread AS thread, longest_at_ns FROM blocked ORDER BY total_ns DESC, reason
