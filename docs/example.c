/* Print the ten longest pauses and the first ten events of an eventlog.
 *
 *   cc example.c $(pkg-config --cflags --libs evl) -o example && ./example prog.eventlog */
#include <evl.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	struct evl_log *log;
	struct evl_err err = {0};
	if (argc != 2 || evl_open(&log, argv[1], &err) < 0) {
		fprintf(stderr, "%s\n", argc == 2 ? err.text : "usage: example LOG");
		return 1;
	}
	if (evl_start(log, NULL, NULL) < 0 || evl_wait(log) < 0)
		return 1;

	struct evl_pause pauses[10];
	int n = evl_pauses(log, 0, UINT64_MAX, pauses, 10);
	for (int i = 0; i < n; i++)
		printf("%12llu ns  pause of %llu ns, generation %d\n", (unsigned long long)pauses[i].start_ns,
			(unsigned long long)pauses[i].pause_ns, pauses[i].generation);

	struct evl_event event;
	struct evl_events *events = evl_events_begin(log, 0, UINT64_MAX, -1);
	for (int i = 0; events && i < 10 && evl_events_next(events, &event); i++)
		puts(evl_event_text(events));
	int result = evl_events_end(events);
	evl_close(log);
	return result < 0 || !events;
}
