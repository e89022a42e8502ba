/* The palette: how far apart colours are under four kinds of colour vision, and how well they are read. The figures
 * come from CIEDE2000 (Sharma), Machado's matrices for full colour blindness, and the contrast of WCAG. */
#include "draw/style.h"
#include "logs.h"

#include <math.h>

enum { VISIONS = 4, PALETTE = 256 };

static const double vision[VISIONS][3][3] = {
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
};

static double linear(unsigned byte)
{
	double x = byte / 255.0;
	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double luminance(int colour)
{
	uint32_t rgb = style_rgb(colour);
	return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
}

static double contrast(double a, double b) { return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05); }

static double f(double t) { return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116; }

/* CIELAB of a palette index as a kind of eyes sees it. */
static void to_lab(int colour, int kind, double out[3])
{
	uint32_t rgb = style_rgb(colour);
	double in[3] = {linear(rgb >> 16), linear(rgb >> 8 & 255), linear(rgb & 255)}, seen[3];
	for (int k = 0; k < 3; k++) {
		const double *m = vision[kind][k];
		seen[k] = fmin(1, fmax(0, m[0] * in[0] + m[1] * in[1] + m[2] * in[2]));
	}
	double x = (0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047;
	double y = 0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2];
	double z = (0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883;
	out[0] = 116 * f(y) - 16;
	out[1] = 500 * (f(x) - f(y));
	out[2] = 200 * (f(y) - f(z));
}

static double degrees(double b, double a)
{
	double h = atan2(b, a) * 180 / M_PI;
	return h < 0 ? h + 360 : h;
}

static double cosine(double angle) { return cos(angle * M_PI / 180); }

static double ciede2000(const double p[3], const double q[3])
{
	const double p25 = pow(25, 7);
	double mean = (hypot(p[1], p[2]) + hypot(q[1], q[2])) / 2;
	double g = 0.5 * (1 - sqrt(pow(mean, 7) / (pow(mean, 7) + p25)));
	double a1 = p[1] * (1 + g), a2 = q[1] * (1 + g), c1 = hypot(a1, p[2]), c2 = hypot(a2, q[2]);
	double h1 = c1 > 0 ? degrees(p[2], a1) : 0, h2 = c2 > 0 ? degrees(q[2], a2) : 0, dh = 0, h = h1 + h2;
	if (c1 * c2 > 0) {
		dh = h2 - h1;
		dh += dh > 180 ? -360 : dh < -180 ? 360 : 0;
		h = (fabs(h1 - h2) > 180 ? (h < 360 ? h + 360 : h - 360) : h) / 2;
	}
	double l = (p[0] + q[0]) / 2, c = (c1 + c2) / 2, off = (l - 50) * (l - 50);
	double t =
		1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63);
	double turn = 30 * exp(-((h - 275) / 25) * ((h - 275) / 25)), rc = 2 * sqrt(pow(c, 7) / (pow(c, 7) + p25));
	double dl = (q[0] - p[0]) / (1 + 0.015 * off / sqrt(20 + off)), dc = (c2 - c1) / (1 + 0.045 * c);
	double dhue = 2 * sqrt(c1 * c2) * sin(dh / 2 * M_PI / 180) / (1 + 0.015 * c * t);
	return sqrt(dl * dl + dc * dc + dhue * dhue - sin(2 * turn * M_PI / 180) * rc * dc * dhue);
}

static double seen_apart(int a, int b, int kind)
{
	double p[3], q[3];
	to_lab(a, kind, p);
	to_lab(b, kind, q);
	return ciede2000(p, q);
}

static double apart(int a, int b)
{
	double least = 1e9;
	for (int kind = 0; kind < VISIONS; kind++)
		least = fmin(least, seen_apart(a, b, kind));
	return least;
}

static int colour_of(int s, int theme) { return style_colour((enum style)s, (enum theme)theme, PALETTE); }

/* Two pairs of Sharma's table: the formula is the published one. */
static void the_measure_is_the_published_one(void **state)
{
	(void)state;
	const double a[3] = {50, 2.6772, -79.7751}, b[3] = {50, 0, -82.7485}, c[3] = {22.7233, 20.0904, -46.6940},
		     d[3] = {23.0331, 14.9730, -42.5619};
	assert_true(fabs(ciede2000(a, b) - 2.0425) < 0.0001);
	assert_true(fabs(ciede2000(c, d) - 2.0373) < 0.0001);
}

static const int caps[] = {ST_RUN, ST_MINOR, ST_MAJOR, ST_GC_WAIT, ST_SYNC, ST_STOPPED, ST_IDLE, -1};
static const int threads[] = {ST_RUN, ST_FOREIGN, ST_RUNNABLE, ST_RUNNABLE_GC, ST_BLOCKED, ST_IDLE, -1};
static const int path[] = {ST_RUN, ST_FOREIGN, ST_MINOR, ST_MAJOR, ST_SYNC, ST_RUNNABLE, ST_BLOCKED, ST_IDLE, -1};
static const int nonmoving[] = {ST_NM_MARK, ST_NM_SYNC, ST_NM_SWEEP, ST_MINOR, ST_MAJOR, ST_IDLE, -1};

/* The quiet areas of a screen, which are in lanes next to each other. */
static const int quiet[] = {ST_IDLE, ST_BLOCKED, ST_SIZE, -1};
static const int heap[] = {ST_LIVE, ST_STALE, ST_SIZE, ST_UNKNOWN, -1};

static const int *const lanes[] = {caps, threads, path, nonmoving, quiet, heap};

/* Report two states of a lane that look alike. d: how far they are apart. */
static void are_apart(int a, int b, double d, double least, int theme, int colours)
{
	if (d < least)
		fail_msg("theme %d, %d colours: %s and %s are %.1f apart", theme, colours,
			style_info((enum style)a)->name, style_info((enum style)b)->name, d);
}

static void states_of_a_lane_are_told_apart(void **state)
{
	(void)state;
	for (int theme = 0; theme < THEMES; theme++)
		for (size_t lane = 0; lane < countof(lanes); lane++)
			for (const int *a = lanes[lane]; *a >= 0; a++)
				for (const int *b = lanes[lane]; b < a; b++)
					are_apart(*a, *b, apart(colour_of(*a, theme), colour_of(*b, theme)), 10, theme,
						PALETTE);
}

/* As xterm shows the colours: a terminal may show others. */
static void states_of_a_lane_are_told_apart_by_16_colours(void **state)
{
	(void)state;
	for (int theme = 0; theme < THEMES; theme++)
		for (size_t lane = 0; lane < countof(lanes); lane++)
			for (const int *a = lanes[lane]; *a >= 0; a++)
				for (const int *b = lanes[lane]; b < a; b++)
					are_apart(*a, *b,
						seen_apart(style_colour((enum style) * a, (enum theme)theme, TTY_16),
							style_colour((enum style) * b, (enum theme)theme, TTY_16), 0),
						10, theme, TTY_16);
}

/* Without colours by the letter; with 8, the second of two states of one colour has its letter. Curves have no letters. */
static void states_of_a_lane_are_told_apart_by_letters(void **state)
{
	(void)state;
	for (size_t lane = 0; lane < countof(lanes); lane++)
		for (const int *a = lanes[lane]; *a >= 0 && lanes[lane] != heap && lanes[lane] != quiet; a++)
			for (const int *b = lanes[lane]; b < a; b++) {
				enum style s = (enum style) * a, t = (enum style) * b;
				assert_int_not_equal(style_info(s)->letter, style_info(t)->letter);
				if (style_colour(s, THEME_DARK, TTY_8) == style_colour(t, THEME_DARK, TTY_8))
					assert_true(style_is_shared(s) || style_is_shared(t));
			}
}

/* Two yellows or two violets that are 10 apart differ side by side, but look alike at a distance from the legend. */
static void states_of_a_capability_are_named_by_their_colour(void **state)
{
	(void)state;
	for (int theme = 0; theme < THEMES; theme++)
		for (const int *a = caps; *a >= 0; a++)
			for (const int *b = caps; b < a; b++)
				are_apart(*a, *b, seen_apart(colour_of(*a, theme), colour_of(*b, theme), 0), 20, theme,
					PALETTE);
}

/* Two dark greys that are 20 apart differ side by side, but are confused as large areas. */
static void idle_and_blocked_are_not_confused(void **state)
{
	(void)state;
	for (int theme = 0; theme < THEMES; theme++)
		are_apart(ST_IDLE, ST_BLOCKED, apart(colour_of(ST_IDLE, theme), colour_of(ST_BLOCKED, theme)), 24,
			theme, PALETTE);
}

/* Return how much a state differs from most cells, which are running or idle. */
static double salience(int s, int theme, int kind)
{
	int c = colour_of(s, theme);
	return fmin(seen_apart(c, colour_of(ST_RUN, theme), kind), seen_apart(c, colour_of(ST_IDLE, theme), kind));
}

static void a_major_collection_stands_out_for_all_eyes(void **state)
{
	(void)state;
	for (int kind = 0; kind < VISIONS; kind++) {
		int before = 0;
		for (const int *s = caps; *s >= 0; s++)
			before += salience(*s, THEME_SAFE, kind) > salience(ST_MAJOR, THEME_SAFE, kind);
		assert_true(before <= 1);
		assert_true(salience(ST_MAJOR, THEME_SAFE, kind) > 40);
	}
}

/* Grounds that other cells are seen on; letters and page elements are text. */
static bool is_ground(int s) { return s == ST_IDLE || s == ST_UNKNOWN || s == ST_SIZE; }
static bool is_label(int s) { return s == ST_LABEL_DARK || s == ST_LABEL_LIGHT; }
static bool is_area(int s) { return s >= ST_RUN && !is_label(s); }
static bool is_state(int s) { return style_info((enum style)s)->letter != ' ' && s < ST_BAND_0; }

static void colours_without_a_state_equal_none(void **state)
{
	(void)state;
	for (int theme = 0; theme < THEMES; theme++)
		for (int s = ST_RUN; s < ST_COUNT; s++)
			for (int t = ST_RUN; t < ST_COUNT; t++) {
				if (s == t || !is_area(s) || !is_area(t) || is_state(s))
					continue;
				double d = seen_apart(colour_of(s, theme), colour_of(t, theme), 0);
				if (is_ground(s) || is_ground(t) ? d == 0 : d < (is_state(t) ? 7 : 3))
					fail_msg("theme %d: %s and %s are %.1f apart", theme,
						style_info((enum style)s)->name, style_info((enum style)t)->name, d);
			}
}

static void neighbours_of_a_stack_differ(void **state)
{
	(void)state;
	for (int theme = 0; theme < THEMES; theme++)
		for (int i = 0; i < STYLE_BANDS; i++) {
			int next = (i + 1) % STYLE_BANDS;
			assert_true(apart(colour_of(ST_BAND_0 + i, theme), colour_of(ST_BAND_0 + next, theme)) >= 24.5);
		}
}

static void is_read(int text, int on, double least, int theme, const char *name)
{
	double c = contrast(luminance(text), on < 0 ? (theme == THEME_LIGHT ? 1 : 0) : luminance(on));
	if (c < least)
		fail_msg("theme %d: %s has a contrast of %.2f on %d", theme, name, c, on);
}

static void text_and_cells_are_read(void **state)
{
	(void)state;
	static const int texts[] = {ST_TEXT, ST_DIM, ST_EM, ST_ACCENT, ST_KEY, ST_WARN};
	static const int pages[] = {ST_PAGE, ST_BAR, ST_ROW};
	for (int theme = 0; theme < THEMES; theme++) {
		for (size_t i = 0; i < countof(texts); i++)
			for (size_t k = 0; k < countof(pages); k++)
				is_read(colour_of(texts[i], theme), colour_of(pages[k], theme), 4.5, theme,
					style_info((enum style)texts[i])->name);
		is_read(colour_of(ST_TAB_TEXT, theme), colour_of(ST_TAB, theme), 4.5, theme, "TAB_TEXT");
		is_read(colour_of(ST_DIM, theme), colour_of(ST_RANGE, theme), 4.5, theme, "DIM on RANGE");
		for (int s = ST_RUN; s < ST_COUNT; s++) {
			const char *name = style_info((enum style)s)->name;
			if (is_label(s))
				continue;
			if (!is_ground(s))
				is_read(colour_of(s, theme), -1, 3, theme, name);
			is_read(style_letters((enum style)s, (enum theme)theme, PALETTE), -1, 4.5, theme, name);
			is_read(colour_of(style_label((enum style)s, (enum theme)theme), theme), colour_of(s, theme),
				4.5, theme, name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_measure_is_the_published_one),
		cmocka_unit_test(states_of_a_lane_are_told_apart),
		cmocka_unit_test(states_of_a_capability_are_named_by_their_colour),
		cmocka_unit_test(states_of_a_lane_are_told_apart_by_16_colours),
		cmocka_unit_test(states_of_a_lane_are_told_apart_by_letters),
		cmocka_unit_test(idle_and_blocked_are_not_confused),
		cmocka_unit_test(a_major_collection_stands_out_for_all_eyes),
		cmocka_unit_test(colours_without_a_state_equal_none),
		cmocka_unit_test(neighbours_of_a_stack_differ),
		cmocka_unit_test(text_and_cells_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
