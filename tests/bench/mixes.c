/* mixes.c - write the eventlog of a program that does one thing, on any number of capabilities.
 *
 *   mixes fork OUT CAPABILITIES MB
 *   mixes turns OUT CAPABILITIES MB
 *
 * fork: in rounds, capability 0 creates a thread for each of them; each runs its thread in two pieces; every eighth round all
 * of them collect. turns: on each capability runs one thread; each wakes that of the next one and waits. Buffers of 2 MB for
 * each capability, flushed when they are full, as GHC does. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 2 << 20, SPARE = 4096, HEAD = 24 };
enum { HEAP_OVERFLOW = 1, FINISHED = 5, BLOCKED = 12, MAIN = 1 };

static const struct {
	uint16_t tag, size;
	const char *text;
} types[] = {{0, 4, "Create thread"}, {1, 4, "Run thread"}, {2, 10, "Stop thread"}, {8, 6, "Wakeup thread"},
	{9, 0, "Starting GC"}, {10, 0, "Finished GC"}, {12, 0, "Request parallel GC"}, {18, 14, "Block marker"},
	{20, 0, "GC idle"}, {21, 0, "GC working"}, {22, 0, "GC done"}, {34, 56, "Spark counters"},
	{45, 2, "Create capability"}, {49, 12, "Total heap memory ever allocated"}, {50, 12, "Current heap size"},
	{51, 12, "Current heap live data"}, {53, 58, "GC statistics"}};

struct capability {
	uint8_t *bytes;
	size_t n;
	uint64_t begin, t, allocated;
	uint32_t thread;
};

static FILE *out;
static uint64_t written;

static void put(uint8_t **p, uint64_t value, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--)
		*(*p)++ = (uint8_t)(value >> (8 * i));
}

static void flush(struct capability *c, uint16_t number)
{
	uint8_t *p = c->bytes;
	if (c->n == HEAD)
		return;
	put(&p, 18, 2);
	put(&p, c->begin, 8);
	put(&p, c->n, 4);
	put(&p, c->t, 8);
	put(&p, number, 2);
	fwrite(c->bytes, 1, c->n, out);
	written += c->n;
	c->n = HEAD;
	c->begin = c->t;
}

/* An event of a capability at its time, with numbers as fields: pairs of value and size, up to size 0. */
static void event(struct capability *caps, uint32_t cap, uint16_t tag, const uint64_t *fields, int n, uint64_t ns)
{
	struct capability *c = &caps[cap];
	uint8_t *p = c->bytes + c->n;
	c->t += ns;
	put(&p, tag, 2);
	put(&p, c->t, 8);
	for (int i = 0; i < n; i++)
		put(&p, fields[2 * i], (int)fields[2 * i + 1]);
	c->n = (size_t)(p - c->bytes);
	if (c->n > BUFFER - SPARE)
		flush(c, (uint16_t)cap);
}
#define EVENT(cap, ns, tag, ...)                                                                                       \
	event(caps, cap, tag, (const uint64_t[]){__VA_ARGS__}, (int)(sizeof((const uint64_t[]){__VA_ARGS__}) / 16), ns)
#define BARE(cap, ns, tag) event(caps, cap, tag, NULL, 0, ns)

static uint32_t any(uint32_t n)
{
	static uint32_t seed = 1;
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static void fork_all(struct capability *caps, uint32_t n, uint32_t *threads)
{
	EVENT(0, 500, 1, MAIN, 4);
	for (uint32_t i = 0; i < n; i++) {
		caps[i].thread = ++*threads;
		EVENT(0, 60 + any(40), 0, caps[i].thread, 4);
		EVENT(0, 40, 8, caps[i].thread, 4, i, 2);
	}
	EVENT(0, 200, 2, MAIN, 4, BLOCKED, 2, 0, 4);
}

static void work(struct capability *caps, uint32_t i, uint64_t from)
{
	caps[i].t = caps[i].t > from ? caps[i].t : from;
	EVENT(i, 300 + any(2000), 1, caps[i].thread, 4);
	EVENT(i, 20000 + any(30000), 2, caps[i].thread, 4, HEAP_OVERFLOW, 2, 0, 4);
	EVENT(i, 200 + any(100), 1, caps[i].thread, 4);
	EVENT(i, 10000 + any(60000), 2, caps[i].thread, 4, FINISHED, 2, 0, 4);
}

/* Each thread wakes that of the next capability. */
static void take_turns(struct capability *caps, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = (i + 1) % n;
		EVENT(i, 100 + any(100), 1, MAIN + 1 + i, 4);
		EVENT(i, 500 + any(1000), 8, MAIN + 1 + next, 4, next, 2);
		EVENT(i, 100 + any(200), 2, MAIN + 1 + i, 4, BLOCKED, 2, 0, 4);
		caps[next].t = caps[i].t;
	}
}

static uint64_t latest(const struct capability *caps, uint32_t n)
{
	uint64_t t = 0;
	for (uint32_t i = 0; i < n; i++)
		t = caps[i].t > t ? caps[i].t : t;
	return t;
}

static void collect(struct capability *caps, uint32_t n)
{
	uint64_t start = latest(caps, n) + 3000;
	BARE(0, 100, 12);
	for (uint32_t i = 0; i < n; i++) {
		caps[i].t = start;
		BARE(i, any(200), 9);
		BARE(i, 1000 + any(500), 21);
		BARE(i, 50000 + any(20000), 20);
		BARE(i, 5000, 22);
	}
	uint64_t end = latest(caps, n) + 1000, live = 1 << 20;
	for (uint32_t i = 0; i < n; i++) {
		caps[i].t = end;
		if (i == 0) /* the statistics come before the end that they belong to, as in logs of GHC */
			EVENT(0, 0, 53, 0, 4, any(10) == 0, 2, live * n, 8, 0, 8, 0, 8, n, 4, live * 2, 8, live * n, 8,
				live, 8);
		BARE(i, 0, 10);
		caps[i].allocated += 1 << 20;
		EVENT(i, 10, 49, 0, 4, caps[i].allocated, 8);
		EVENT(i, 10, 34, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8);
	}
	EVENT(0, 100, 50, 0, 4, 8 * live * n, 8);
	EVENT(0, 100, 51, 0, 4, live * n, 8);
}

static void put_header(uint32_t n)
{
	uint8_t head[4096], *p = head;
	put(&p, 0x68647262, 4);
	put(&p, 0x68657462, 4);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		put(&p, 0x65746200, 4);
		put(&p, types[i].tag, 2);
		put(&p, types[i].size, 2);
		put(&p, strlen(types[i].text), 4);
		p = (uint8_t *)stpcpy((char *)p, types[i].text);
		put(&p, 0, 4);
		put(&p, 0x65746500, 4);
	}
	put(&p, 0x68657465, 4);
	put(&p, 0x68647265, 4);
	put(&p, 0x64617462, 4);
	fwrite(head, 1, (size_t)(p - head), out);
	for (uint32_t i = 0; i < n; i++) {
		uint8_t created[12];
		p = created;
		put(&p, 45, 2);
		put(&p, 1 + i, 8);
		put(&p, i, 2);
		fwrite(created, 1, sizeof created, out);
	}
}

static void fork_and_join(struct capability *caps, uint32_t n, uint64_t round, uint32_t *threads)
{
	fork_all(caps, n, threads);
	for (uint32_t i = 0; i < n; i++)
		work(caps, i, caps[0].t);
	caps[0].t = latest(caps, n);
	if (round % 8 == 0)
		collect(caps, n);
}

int main(int argc, char **argv)
{
	uint32_t n = argc > 4 ? (uint32_t)atoi(argv[3]) : 0, threads = MAIN;
	uint64_t bytes = argc > 4 ? (uint64_t)(atof(argv[4]) * 1e6) : 0;
	bool turns = argc > 4 && strcmp(argv[1], "turns") == 0;
	struct capability *caps = calloc(n + 1, sizeof *caps);
	if (n == 0 || !caps || !(out = fopen(argv[2], "wb"))) {
		fprintf(stderr, "usage: mixes fork|turns OUT CAPABILITIES MB\n");
		return 2;
	}
	put_header(n);
	for (uint32_t i = 0; i < n; i++) {
		caps[i] = (struct capability){.bytes = malloc(BUFFER), .n = HEAD, .begin = 2 * n, .t = 2 * n};
		if (!caps[i].bytes)
			return 1;
	}
	for (uint64_t round = 1, waiting = 0; written + waiting < bytes; round++) {
		if (turns)
			take_turns(caps, n);
		else
			fork_and_join(caps, n, round, &threads);
		waiting = 0;
		for (uint32_t i = 0; i < n; i++)
			waiting += caps[i].n;
	}
	for (uint32_t i = 0; i < n; i++)
		flush(&caps[i], (uint16_t)i);
	fwrite("\xff\xff", 1, 2, out);
	return fclose(out) ? (perror("mixes"), 1) : 0;
}
