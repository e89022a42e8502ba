/* damage - measure the cost of damage: read logs with holes and compare them with the originals.
 *
 *   damage [-n ROUNDS] [-k HOLES] [-v] LOG…
 *
 * Each round takes the next log, overwrites HOLES places of 16 bytes with random bytes, zeros, ones or flipped bits, and
 * reads all events. An event is
 *
 *   lost      where one of the whole log is not read any more, except those whose bytes were overwritten
 *   invented where one is read that starts where none did
 *
 * The seed is fixed. Prints the figures of docs/robustness.md; status 1 where more is invented than one event in 1,000
 * rounds, or more lost than eight events for each hole. -v: a line for each round with invented events or many lost ones. */
#include "index/blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HOLE = 16, FEW = 8 };

struct log {
	const char *name;
	uint8_t *data;
	uint64_t len;
	uint8_t *starts; /* a byte for each of the log: an event begins there */
	uint64_t events;
	uint64_t off; /* of the first event */
};

struct sums {
	uint64_t rounds, holes, events, bytes, lost, hit, invented, rounds_inventing, most_lost;
};

static uint64_t random_state = 20;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1dull;
}

/* Mark where events begin; how many there are. */
static uint64_t mark_events(const uint8_t *data, uint64_t len, uint8_t *starts)
{
	struct header h;
	struct blocks b;
	struct block block;
	uint64_t n = 0;
	if (header_parse(&h, data, len, NULL) < 0 || blocks_hop(&b, &h, data, len) < 0)
		exit(2);
	for (bool more = blocks_first(&b, &block); more; more = blocks_next(&b, &block)) {
		struct frame f = {.next = block.off};
		for (; block_next(&b, &block, f.off, f.next, &f); n++)
			starts[f.off] = 1;
	}
	blocks_free(&b);
	header_free(&h);
	return n;
}

static void unload(struct log *log)
{
	free(log->data);
	free(log->starts);
}

static bool load(struct log *log, const char *name)
{
	struct header h = {0};
	FILE *f = fopen(name, "rb");
	if (!f || fseek(f, 0, SEEK_END) != 0)
		return false;
	long len = ftell(f);
	rewind(f);
	*log = (struct log){.name = name, .len = (uint64_t)len, .data = malloc((size_t)len + 1)};
	bool good = log->data && fread(log->data, 1, log->len, f) == log->len
		&& header_parse(&h, log->data, log->len, NULL) == 0;
	fclose(f);
	good = good && !h.cut && log->len - h.data_off >= 4 * HOLE;
	log->off = h.data_off;
	header_free(&h);
	log->starts = good ? calloc(log->len + 1, 1) : NULL;
	if (log->starts)
		log->events = mark_events(log->data, log->len, log->starts);
	if (log->events == 0)
		unload(log);
	return log->events > 0;
}

static void overwrite(uint8_t *at)
{
	uint64_t kind = random_number() % 8;
	for (int i = 0; i < HOLE; i++)
		at[i] = kind == 0   ? 0
			: kind == 1 ? 0xff
			: kind == 2 ? at[i] ^ (uint8_t)(1u << random_number() % 8)
				    : (uint8_t)(random_number() >> 32);
}

/* Does the event at `at` of the whole log have overwritten bytes? */
static bool is_hit(const struct log *log, uint64_t at, const uint64_t *holes, int n)
{
	uint64_t end = at + 1;
	while (end < log->len && !log->starts[end])
		end++;
	for (int i = 0; i < n; i++)
		if (holes[i] < end && holes[i] + HOLE > at)
			return true;
	return false;
}

static void one_round(const struct log *log, int holes, bool verbose, struct sums *sums)
{
	uint64_t at[64], lost = 0, invented = 0, first = 0;
	uint8_t *data = malloc(log->len), *starts = calloc(log->len + 1, 1);
	if (!data || !starts)
		exit(2);
	memcpy(data, log->data, log->len);
	for (int i = 0; i < holes; i++) {
		at[i] = log->off + random_number() % (log->len - log->off - HOLE);
		overwrite(data + at[i]);
	}
	mark_events(data, log->len, starts);
	for (uint64_t i = log->off; i < log->len; i++) {
		if (log->starts[i] && !starts[i]) {
			bool hit = is_hit(log, i, at, holes);
			sums->hit += hit;
			lost += !hit;
		} else if (starts[i] && !log->starts[i]) {
			first = invented++ ? first : i;
		}
	}
	sums->rounds++;
	sums->holes += (uint64_t)holes;
	sums->events += log->events;
	sums->bytes += log->len;
	sums->lost += lost;
	sums->most_lost = lost > sums->most_lost ? lost : sums->most_lost;
	sums->invented += invented;
	sums->rounds_inventing += invented > 0;
	if (verbose && (invented || lost > (uint64_t)holes * 100))
		printf("%s: hole at %" PRIu64 ", %" PRIu64 " lost of %" PRIu64 ", %" PRIu64
		       " invented, first at %" PRIu64 "\n",
			log->name, at[0], lost, log->events, invented, first);
	free(data);
	free(starts);
}

int main(int argc, char **argv)
{
	uint64_t rounds = 10000;
	int holes = 1, option, n = 0;
	bool verbose = false;
	struct sums sums = {0};
	while ((option = getopt(argc, argv, "n:k:v")) != -1) {
		if (option == 'n')
			rounds = strtoull(optarg, NULL, 10);
		else if (option == 'k')
			holes = atoi(optarg);
		else if (option == 'v')
			verbose = true;
		else
			return 2;
	}
	struct log *logs = calloc((size_t)argc, sizeof *logs);
	if (!logs || holes < 1 || holes > 64)
		return 2;
	for (int i = optind; i < argc; i++)
		n += load(&logs[n], argv[i]);
	if (n == 0)
		return 2;
	for (uint64_t i = 0; i < rounds; i++)
		one_round(&logs[i % (uint64_t)n], holes, verbose, &sums);
	printf("%" PRIu64 " damaged logs (%d logs, %" PRIu64 " holes of %d bytes), %" PRIu64 " events\n", sums.rounds,
		n, sums.holes, HOLE, sums.events);
	printf("overwritten and not read: %" PRIu64 "; lost besides: %" PRIu64 " (%.4f %%, %.2f for each hole, %" PRIu64
	       " at most)\n",
		sums.hit, sums.lost, 100.0 * (double)sums.lost / (double)sums.events,
		(double)sums.lost / (double)sums.holes, sums.most_lost);
	printf("invented: %" PRIu64 " in %" PRIu64 " logs\n", sums.invented, sums.rounds_inventing);
	for (int i = 0; i < n; i++)
		unload(&logs[i]);
	free(logs);
	return sums.rounds_inventing * 1000 > sums.rounds || sums.lost > FEW * sums.holes;
}
