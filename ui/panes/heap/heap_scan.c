#include "panes/heap/heap_scan.h"

#include "query/census_label.h"

#include <stdlib.h>

void heap_answer_free(struct heap_answer *page)
{
	free(page->knots);
	free(page->rows);
	*page = (struct heap_answer){0};
}

void heap_scan_init(struct heap_scan *s, const struct evl_log *log, const atomic_bool *cancel)
{
	*s = (struct heap_scan){.log = log, .cancel = cancel};
}

void heap_scan_forget(struct heap_scan *s)
{
	census_survey_free(&s->survey);
	census_window_free(&s->window);
	for (int i = 0; i < HEAP_READS; i++) {
		census_values_free(&s->reads[i].values);
		s->reads[i] = (struct heap_read){0};
	}
	free(s->hidden);
	free(s->order);
	s->hidden = NULL;
	s->order = NULL;
	s->n_order = s->n_hidden = 0;
	s->filter_text[0] = 0;
	s->surveyed = s->windowed = s->pictured = s->listed = s->has_grown = false;
}

void heap_scan_free(struct heap_scan *s)
{
	heap_scan_forget(s);
	heap_filter_free(&s->filter);
	heap_answer_free(&s->picture);
	buf_free(&s->text);
	free(s->which);
}

struct evl_str heap_scan_label(struct heap_scan *s, uint32_t number)
{
	buf_clear(&s->text);
	census_label(s->log, bands_at(&s->survey.bands, number), &s->text);
	buf_char(&s->text, 0); /* some regexec insist on it */
	return (struct evl_str){(const uint8_t *)s->text.p, s->text.len ? s->text.len - 1 : 0};
}

void heap_put_label(char *out, struct evl_str label)
{
	size_t n = label.len < HEAP_LABEL ? label.len : HEAP_LABEL - 1;
	while (n > 0 && n < label.len && (label.p[n] & 0xc0) == 0x80) /* not within a character */
		n--;
	if (n)
		memcpy(out, label.p, n);
	out[n] = 0;
	for (size_t i = 0; i < n; i++)
		out[i] = out[i] ? out[i] : ' ';
}
