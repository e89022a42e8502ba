#include "stream/control.h"

/* Magic, version, length of the name space, the name space, the command. (eventlog-socket 0.1.3; its README shows another
 * length, its code reads this one.) */
size_t control_message(enum control what, uint8_t out[CONTROL_ROOM])
{
	static const uint8_t magic[] = {0xf0, 0x9e, 0x97, 0x8c}, version = 0;
	static const char space[] = "eventlog-socket";
	size_t n = 0;
	memcpy(out, magic, sizeof magic);
	n += sizeof magic;
	out[n++] = version;
	out[n++] = sizeof space - 1;
	memcpy(out + n, space, sizeof space - 1);
	n += sizeof space - 1;
	out[n++] = (uint8_t)what;
	return n;
}
