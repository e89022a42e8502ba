/* warp - warp LOG FACTOR FROM TO FOLDER: runs FROM to TO - 1 of warp.h as FOLDER/runN.eventlog; N is the seed. */
#include "tests/tools/warp.h"

#include <stdio.h>

static bool save(const char *path, const uint8_t *bytes, size_t len)
{
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(bytes, 1, len, file) == len;
	return file && fclose(file) == 0 && good;
}

int main(int argc, char **argv)
{
	struct evl_log *log;
	struct evl_err err;
	if (argc != 6)
		return 2;
	if (evl_open(&log, argv[1], &err) < 0 || evl_start(log, NULL, NULL) < 0 || evl_wait(log) < 0)
		return 1;
	int status = 0;
	for (unsigned long seed = strtoul(argv[3], NULL, 10), to = strtoul(argv[4], NULL, 10); status == 0 && seed < to;
		seed++) {
		char path[4096];
		uint8_t *bytes = warp(log, strtod(argv[2], NULL), seed);
		snprintf(path, sizeof path, "%s/run%lu.eventlog", argv[5], seed);
		status = !bytes || !save(path, bytes, log->source.len);
		free(bytes);
	}
	free(warp_pieces.items);
	evl_close(log);
	return status;
}
