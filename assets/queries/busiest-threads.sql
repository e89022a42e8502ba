-- threads by run time
SELECT id AS thread, label, born_ns, run_ns, runs, wakeups, migrations FROM threads ORDER BY run_ns DESC, id LIMIT 200
