#include "draw/style.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
	struct style_info info;
	int16_t of[THEMES], c16, c8;
} styles[] = {
#define STYLE(name, dark, light, safe, c16, c8, letter, text) {{#name, text, letter}, {dark, light, safe}, c16, c8},
#include "draw/style.def"
#undef STYLE
};

const struct style_info *style_info(enum style s) { return &styles[(unsigned)s < ST_COUNT ? s : ST_PAGE].info; }

/* Black, greys and white of the palette: on a light page the few-colour greys follow them, or they would be white on
 * white. */
static int few_grey(int index, int colours)
{
	if (index == 16 || index < 240)
		return 0;
	if (index < 248)
		return colours >= 16 ? 8 : 0;
	return index == 255 && colours >= 16 ? 15 : 7;
}

static bool is_grey(int few) { return few == 0 || few == 7 || few == 8 || few == 15; }

/* Yellow and cyan letters are hardly seen on a light page, least of all in bold. */
static int few_letters(enum style s, int few)
{
	if (s > ST_OUTSIDE) /* states and curves: areas */
		return few;
	return few == 3 || few == 11 ? 4 : few == 6 || few == 14 ? 5 : few;
}

int style_colour(enum style s, enum theme theme, int colours)
{
	if ((unsigned)s >= ST_COUNT || (unsigned)theme >= THEMES || colours < 8)
		return -1;
	int many = styles[s].of[theme];
	if (colours >= 256)
		return many;
	int few = colours >= 16 ? styles[s].c16 : styles[s].c8;
	bool follows = theme == THEME_LIGHT && is_grey(few) && (many == 16 || many >= 232);
	if (follows)
		return few_grey(many, colours);
	return theme == THEME_LIGHT ? few_letters(s, few) : few;
}

bool style_is_shared(enum style s)
{
	for (unsigned i = 0; i < (unsigned)s && styles[s].info.letter != ' '; i++)
		if (styles[i].info.letter != ' ' && styles[i].c8 == styles[s].c8)
			return true;
	return false;
}

uint32_t style_rgb(int index)
{
	static const uint32_t first[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd,
		0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
	static const uint8_t level[6] = {0, 95, 135, 175, 215, 255};
	if (index < 0 || index > 255)
		return 0;
	if (index < 16)
		return first[index];
	if (index >= 232)
		return (uint32_t)(8 + 10 * (index - 232)) * 0x010101;
	int cube = index - 16;
	return (uint32_t)level[cube / 36] << 16 | (uint32_t)level[cube / 6 % 6] << 8 | level[cube % 6];
}

/* Light as eyes weigh it, 0…1 (WCAG); the sRGB curve as x² · (0.3 x + 0.7), which is within 0.003 of it. */
static double luminance(uint32_t rgb)
{
	static const double weight[3] = {0.0722, 0.7152, 0.2126};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double x = (double)(rgb >> 8 * i & 255) / 255;
		sum += weight[i] * x * x * (0.3 * x + 0.7);
	}
	return sum;
}

/* How well one is read on the other (WCAG), 1…21. */
static double contrast(double a, double b) { return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05); }

/* How unlike two colours are, roughly. */
static int distance(uint32_t a, uint32_t b)
{
	static const int weight[3] = {2, 4, 3};
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		int d = (int)(a >> 8 * i & 255) - (int)(b >> 8 * i & 255);
		sum += weight[i] * d * d;
	}
	return sum;
}

int style_letters(enum style s, enum theme theme, int colours)
{
	enum { CUBE = 16, GREYS = 232 };
	const double page = theme == THEME_LIGHT ? 1 : 0, least = 4.55; /* 4.5, and what luminance() is off by */
	int colour = style_colour(s, theme, colours), best = -1;
	if (s <= ST_OUTSIDE || colours < 256 || colour < CUBE || contrast(luminance(style_rgb(colour)), page) >= least)
		return colour;
	for (int i = colour < GREYS ? CUBE : GREYS; i < 256; i++)
		if (contrast(luminance(style_rgb(i)), page) >= least
			&& (best < 0
				|| distance(style_rgb(i), style_rgb(colour))
					< distance(style_rgb(best), style_rgb(colour))))
			best = i;
	return best;
}

enum theme style_theme(const char *name)
{
	static const char *const names[THEMES] = {
		[THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_SAFE] = "safe"};
	size_t i = 0;
	while (i < THEMES && strcmp(names[i], name) != 0)
		i++;
	return (enum theme)i;
}

enum style style_label(enum style s, enum theme theme)
{
	int colour = style_colour(s, theme, 256);
	if (colour < 0)
		return theme == THEME_LIGHT ? ST_LABEL_DARK : ST_LABEL_LIGHT;
	/* If both have about the same contrast, white: with 16 colours, the greys of many terminals are darker. */
	return luminance(style_rgb(colour)) > 0.182 ? ST_LABEL_DARK : ST_LABEL_LIGHT;
}
