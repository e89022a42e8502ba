/* Run a fuzz target over every file of the folders given, without a fuzzer. Fails when there is none. */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static size_t replayed;

/* Exactly as large as the file, so that a sanitizer sees a read after it. */
static int replay(const char *path, size_t len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = malloc(len ? len : 1);
	int failed = !f || !data || fread(data, 1, len, f) != len;
	if (failed)
		perror(path);
	else
		LLVMFuzzerTestOneInput(data, len);
	replayed += !failed;
	free(data);
	if (f)
		fclose(f);
	return failed;
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)at;
	return type == FTW_F ? replay(path, (size_t)st->st_size) : 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) { /* a target may go to another folder */
		char *path = realpath(argv[i], NULL);
		argv[i] = path ? path : argv[i];
	}
	for (int i = 1; i < argc; i++) {
		if (nftw(argv[i], visit, 16, FTW_PHYS) != 0) {
			fprintf(stderr, "%s: cannot be replayed\n", argv[i]);
			return 1;
		}
	}
	printf("%zu inputs replayed\n", replayed);
	return replayed == 0;
}
