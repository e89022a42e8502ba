#include "heap/census_group.h"

#include "base/err.h"
#include "base/text_match.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* --- how bands are grouped ----------------------------------------------------------------------------------------- */

void census_grouping_free(struct census_grouping *g)
{
	if (g->by == GROUP_BY_REGEX)
		regfree(&g->regex);
	*g = (struct census_grouping){0};
}

/* Copy up to the delimiter, which a backslash makes an ordinary character. Return what follows it; NULL: there is none. */
static const char *take_part(const char *p, char delimiter, char *out)
{
	for (; *p && *p != delimiter; p++) {
		if (*p == '\\' && p[1] == delimiter)
			p++;
		else if (*p == '\\' && p[1])
			*out++ = *p++;
		*out++ = *p;
	}
	*out = '\0';
	return *p ? p + 1 : NULL;
}

static int parse_regex(struct census_grouping *g, const char *text, struct evl_err *err)
{
	char regex[GROUP_TEXT], why[128];
	const char *rest = take_part(text + 1, *text, regex);
	const char *end = rest ? take_part(rest, *text, g->replacement) : NULL;
	if (!rest || *regex == '\0' || (end && *end))
		return evl_fail(
			err, EVL_USAGE, EVL_NO_OFFSET, "invalid grouping \"%s\" (use /REGEX/REPLACEMENT/)", text);
	char checked[GROUP_TEXT + 2];
	struct pattern pattern; /* refuses what takes exponential time */
	snprintf(checked, sizeof checked, "\\v%s", regex);
	if (pattern_init(&pattern, str_of(checked), err) < 0)
		return EVL_USAGE;
	pattern_free(&pattern);
	int code = regcomp(&g->regex, regex, REG_EXTENDED);
	if (code == 0) {
		g->by = GROUP_BY_REGEX;
		return 0;
	}
	regerror(code, &g->regex, why, sizeof why);
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "invalid regular expression \"%s\": %s", regex, why);
}

int census_grouping_parse(struct census_grouping *g, const char *text, struct evl_err *err)
{
	char junk;
	*g = (struct census_grouping){.parts = 1};
	if (strlen(text) >= GROUP_TEXT)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "grouping is longer than %d bytes", GROUP_TEXT - 1);
	if (*text == '/' || *text == '|' || *text == '#')
		return parse_regex(g, text, err);
	if (*text == '\0' || strcmp(text, "none") == 0)
		g->by = GROUP_BY_NONE;
	else if (strcmp(text, "package") == 0)
		g->by = GROUP_BY_PACKAGE;
	else if (strcmp(text, "module") == 0)
		g->by = GROUP_BY_MODULE;
	else if (strcmp(text, "prefix") == 0 || (sscanf(text, "prefix %3u%c", &g->parts, &junk) == 1 && g->parts > 0))
		g->by = GROUP_BY_PREFIX;
	else
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
			"invalid grouping \"%s\" (use package, module, prefix [N], /REGEX/REPLACEMENT/ or none)", text);
	return 0;
}

/* --- names of groups ----------------------------------------------------------------------------------------------- */

static struct evl_str up_to(struct evl_str s, const uint8_t *end) { return (struct evl_str){s.p, (size_t)(end - s.p)}; }

/* "base" of "base:GHC.Maybe.Just"; empty if the label names none. */
static struct evl_str package_of(struct evl_str label)
{
	const uint8_t *colon = label.len ? memchr(label.p, ':', label.len) : NULL;
	return colon && colon + 1 < label.p + label.len ? up_to(label, colon) : (struct evl_str){0};
}

/* "GHC.Maybe" of "base:GHC.Maybe.Just": capitalised parts that a dot and more follow. */
static struct evl_str module_of(struct evl_str label)
{
	struct evl_str package = package_of(label), rest = label;
	if (package.len == 0)
		return (struct evl_str){0};
	rest.p += package.len + 1;
	rest.len -= package.len + 1;
	size_t len = 0;
	for (size_t i = 0; i < rest.len && rest.p[i] >= 'A' && rest.p[i] <= 'Z';) {
		const uint8_t *dot = memchr(rest.p + i, '.', rest.len - i);
		if (!dot || dot + 1 == rest.p + rest.len)
			break;
		len = (size_t)(dot - rest.p);
		i = len + 1;
	}
	return (struct evl_str){rest.p, len};
}

static struct evl_str prefix_of(struct evl_str label, unsigned parts)
{
	for (size_t i = 1; i + 1 < label.len; i++) /* a separator at an end separates nothing */
		if ((label.p[i] == '.' || label.p[i] == ':' || label.p[i] == '/') && --parts == 0)
			return up_to(label, label.p + i);
	return label;
}

/* As sed's s/…/…/: the first match is replaced, the rest of the label stays. */
static void put_replaced(const struct census_grouping *g, struct evl_str label, struct buf *out)
{
	enum { MATCHES = 10 };
	regmatch_t at[MATCHES];
	const char *text = (const char *)label.p;
	if (label.len == 0 || regexec(&g->regex, text, MATCHES, at, 0) != 0) {
		buf_str(out, label);
		return;
	}
	buf_put(out, text, (size_t)at[0].rm_so);
	for (const char *p = g->replacement; *p; p++) {
		int group = *p == '&' ? 0 : *p == '\\' && is_digit(p[1]) ? p[1] - '0' : -1;
		p += *p == '\\' && p[1];
		if (group < 0)
			buf_char(out, *p);
		else if (at[group].rm_so >= 0)
			buf_put(out, text + at[group].rm_so, (size_t)(at[group].rm_eo - at[group].rm_so));
	}
	buf_put(out, text + at[0].rm_eo, label.len - (size_t)at[0].rm_eo);
}

static void put_name(const struct census_grouping *g, struct evl_str label, struct evl_str module, struct buf *out)
{
	struct evl_str name = label;
	if (g->by == GROUP_BY_REGEX) {
		put_replaced(g, label, out);
		return;
	}
	if (g->by == GROUP_BY_PACKAGE && package_of(label).len)
		name = package_of(label);
	else if (g->by == GROUP_BY_PACKAGE || g->by == GROUP_BY_MODULE)
		name = module.len ? module : module_of(label);
	else if (g->by == GROUP_BY_PREFIX)
		name = prefix_of(label, g->parts);
	buf_str(out, name.len ? name : label);
}

bool census_group_name(const struct census_grouping *g, struct evl_str label, struct evl_str module, struct buf *out)
{
	size_t from = out->len;
	put_name(g, label, module, out);
	if (out->len - from > GROUP_NAME && g->by != GROUP_BY_NONE) /* labels stay distinct */
		out->len = from + GROUP_NAME;
	bool opened = g->open && out->len - from == strlen(g->open) && out->len > from
		&& memcmp(out->p + from, g->open, out->len - from) == 0;
	if (opened) {
		out->len = from;
		buf_str(out, label);
	}
	return opened;
}

/* --- grouping ------------------------------------------------------------------------------------------------------ */

enum { LOOK_UP = 1024 };

/* Names of all groups, one after the other; ends: where that of each band ends; opened: is it one of the opened group? */
static int name_groups(const struct bands *members, const struct census_grouping *g, census_naming *naming, void *ctx,
	const struct census_run *run, struct buf *names, size_t *ends, uint32_t *opened)
{
	struct buf label = {0};
	int result = 0;
	for (uint32_t i = 0; result == 0 && i < bands_count(members); i++) {
		buf_clear(&label);
		struct evl_str module = naming(ctx, bands_at(members, i), &label);
		if (label.failed) { /* it may lack its NUL */
			result = EVL_NOMEM;
			break;
		}
		opened[i] = census_group_name(
			g, (struct evl_str){(const uint8_t *)label.p, label.len ? label.len - 1 : 0}, module, names);
		ends[i] = names->len;
		if (names->failed)
			result = EVL_NOMEM;
		else if (i % LOOK_UP == 0 && is_cancelled(run->cancel))
			result = EVL_CANCELLED;
	}
	buf_free(&label);
	return result;
}

static int make_groups(struct bands *groups, const struct bands *members, const struct census_grouping *g,
	census_naming *naming, void *ctx, const struct census_run *run)
{
	size_t n = bands_count(members), *ends = calloc(n + 1, sizeof *ends);
	groups->group_of = calloc(n + 1, sizeof *groups->group_of);
	int result = ends && groups->group_of
		? name_groups(members, g, naming, ctx, run, &groups->names, ends, groups->group_of)
		: EVL_NOMEM;
	for (uint32_t i = 0; result == 0 && i < n; i++) {
		size_t from = i ? ends[i - 1] : 0;
		const struct census_band band = {.key = {(const uint8_t *)groups->names.p + from, ends[i] - from},
			.off = bands_at(members, i)->off};
		bool opened = groups->group_of[i];
		groups->group_of[i] = bands_number(groups, &band);
		result = groups->out_of_memory ? EVL_NOMEM : 0;
		if (result == 0 && groups->group_of[i] != BANDS_REST)
			bands_at(groups, groups->group_of[i])->opened = opened;
	}
	groups->frozen = true;
	free(ends);
	return result;
}

/* The sums and peaks of groups. */
static int measure(struct census_survey *s, const struct census_run *run)
{
	struct census_values v = {0};
	int result = 0;
	for (size_t i = 0; result == 0 && i < s->n; i++) {
		result = census_values_read(
			&v, &s->bands, run->census, run->blocks, s->samples[i], run->profile, run->cancel);
		for (size_t k = 0; k < v.n; k++) {
			struct band *band = bands_at(&s->bands, v.numbers[k]);
			band->sum = add_or_max(band->sum, v.bytes[v.numbers[k]]);
			band->peak = max_u64(band->peak, v.bytes[v.numbers[k]]);
		}
		census_done(run, i + 1);
	}
	census_values_free(&v);
	return result ? result : bands_rank(&s->bands);
}

int census_group(struct census_survey *s, const struct census_grouping *g, census_naming *naming, void *ctx,
	const struct census_run *run)
{
	struct bands *members = malloc(sizeof *members);
	assert(!s->bands.members);
	if (!members)
		return EVL_NOMEM;
	*members = s->bands;
	bands_init(&s->bands);
	s->bands.members = members;
	s->bands.dropped = members->dropped;
	int result = make_groups(&s->bands, members, g, naming, ctx, run);
	result = result ? result : measure(s, run);
	if (result < 0)
		census_ungroup(s);
	return result;
}

void census_ungroup(struct census_survey *s)
{
	struct bands *members = s->bands.members;
	if (!members)
		return;
	s->bands.members = NULL;
	bands_free(&s->bands);
	s->bands = *members;
	free(members);
}
