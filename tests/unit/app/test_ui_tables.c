/* Keys that mean the same in every list: filters, sorting, and what leads back. */
#include "everything.h"
#include "paned.h"

#include <stdio.h>

static struct built bytes;
static struct evl_log *log_;

static void begin(enum pane_kind pane)
{
	bytes = everything(40);
	log_ = walked(&bytes);
	paned_open(log_, pane, 40, 120);
}

static void end(void)
{
	paned_close();
	done(log_, &bytes);
}

/* Type a key, or a text, into the prompt; without what is said of it. */
static void type_key(const char *name)
{
	struct key key = {.kind = KEY_NAME};
	snprintf(key.name, sizeof key.name, "%s", name);
	pane_prompt_key(&host, &key);
	host.message[0] = '\0';
}

static void type(const char *text)
{
	for (; *text; text++)
		type_key((char[]){*text, 0});
	paned_draw();
}

static void end_prompt(const char *key)
{
	type_key(key);
	paned_draw();
}

/* --- Enter keeps a filter, Esc clears it --- */

static const struct {
	enum pane_kind pane;
	enum action opens; /* the list; ACT_NONE: it is there */
} lists[] = {{PANE_TIMELINE, ACT_NONE}, {PANE_HEAP, ACT_NONE}, {PANE_EVENTS, ACT_NONE}, {PANE_PROF, ACT_FILTER},
	{PANE_STATS, ACT_PATH}, {PANE_STATS, ACT_DIFFERENCE}, {PANE_QUERY, ACT_NONE}, {PANE_QUERY, ACT_EXPAND}};

static void escape_clears_a_filter(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(lists); i++) {
		begin(lists[i].pane);
		if (lists[i].opens == ACT_DIFFERENCE)
			selection_set(&host.model.selection, host.model.first, host.model.last / 2);
		if (lists[i].opens)
			paned_key(lists[i].opens);
		paned_key(ACT_FILTER);
		const char *filter = lists[i].pane == PANE_EVENTS ? "text~zq" : "zq";
		type(filter);
		end_prompt("<Enter>");
		if (!paned_has("zq"))
			fail_msg("%s: the filter is not kept", host.kinds[lists[i].pane]->name);
		paned_key(ACT_FILTER);
		assert_string_equal(host.prompt.text, filter);
		type("x");
		end_prompt("<Esc>");
		if (paned_has("zq"))
			fail_msg("%s: the filter is not cleared", host.kinds[lists[i].pane]->name);
		paned_key(ACT_FILTER);
		assert_string_equal(host.prompt.text, "");
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escape_clears_a_filter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
