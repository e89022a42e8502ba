/* keystorm.h - keys of the table at random. */
#ifndef PTY_KEYSTORM_H
#define PTY_KEYSTORM_H

#include <stdint.h>

uint32_t keystorm_random(uint32_t *state);

/* One of them, in the notation of typing_text; valid until the next call. Left out are keys that leave the program,
 * start another one, or ask for the name of a file. */
const char *keystorm_key(uint32_t *state);

#endif
