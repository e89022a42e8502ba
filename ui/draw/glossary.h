/* glossary.h - words of the screen and of the JSON output, each explained in one sentence (table: glossary.def) */
#ifndef EVTUI_GLOSSARY_H
#define EVTUI_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

/* An entry of the glossary. */
struct glossary_word {
	const char *word, *others; /* others: further spellings, separated by '|' */
	const char *places;        /* letters, see glossary.def */
	const char *brief;         /* of a colour or sign: in a few words; NULL: none */
	const char *sentence;
};

/* Return all entries, and their number in *n. */
const struct glossary_word *glossary_words(size_t *n);

/* Find the entry of a word, a short form, or a JSON key ("max_pause_ns"), ignoring case. Return NULL if there is
 * none. */
const struct glossary_word *glossary_find(const char *word);

/* glossary_is_spelled: return whether one of the word's spellings is the topic; glossary_is_about: or, if the topic has at
 * least three characters, starts with it. */
bool glossary_is_spelled(const struct glossary_word *w, const char *topic);
bool glossary_is_about(const struct glossary_word *w, const char *topic);

#endif
