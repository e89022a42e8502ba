/* A file of marks: it is of this log and makes sense to its last byte, or it holds none. */
#include "fuzz.h"

#include "state/bookmarks_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 8192 };
	static const char identity[] = "log 1 2 3 4\n";
	char text[ROOM + 1];
	struct bookmarks marks, none = {0};
	len = len < ROOM ? len : ROOM;
	memcpy(text, data, len);
	text[len] = 0;
	if (!bookmarks_parse(text, identity, &marks))
		check(memcmp(&marks, &none, sizeof marks) == 0);
	return 0;
}
