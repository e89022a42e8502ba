/* glossary.h - words of the screen and of the JSON, each explained in one sentence, expanded from glossary.def. */
#ifndef EVTUI_GLOSSARY_H
#define EVTUI_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

struct glossary_word {
	const char *word, *others; /* others: more spellings, separated by '|' */
	const char *places;        /* letters: see glossary.def */
	const char *sentence;
};

const struct glossary_word *glossary_words(size_t *n);

/* The entry of a word, a short form, or a key of the JSON ("max_pause_ns"), in any case; NULL if there is none. */
const struct glossary_word *glossary_find(const char *word);

/* Is it, or one of its other spellings, this word, or does it begin with it? */
bool glossary_is_about(const struct glossary_word *w, const char *topic);

#endif
