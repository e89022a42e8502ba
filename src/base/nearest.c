#include "base/nearest.h"

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned edit_distance(struct evl_str a, struct evl_str b, unsigned most)
{
	unsigned rows[3][NEAREST_LEN + 1]; /* this one and the two before */
	unsigned n = (unsigned)(a.len < NEAREST_LEN ? a.len : NEAREST_LEN),
		 m = (unsigned)(b.len < NEAREST_LEN ? b.len : NEAREST_LEN);
	if ((n > m ? n - m : m - n) > most)
		return most + 1;
	for (unsigned j = 0; j <= m; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= n; i++) {
		unsigned *two = rows[(i + 1) % 3], *one = rows[(i - 1) % 3], *now = rows[i % 3];
		unsigned lowest = now[0] = i;
		for (unsigned j = 1; j <= m; j++) {
			now[j] = least(one[j - 1] + (a.p[i - 1] != b.p[j - 1]), least(one[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				now[j] = least(now[j], two[j - 2] + 1);
			lowest = least(lowest, now[j]);
		}
		if (lowest > most)
			return most + 1;
	}
	return rows[n % 3][m];
}

void nearest_offer(struct nearest *n, struct evl_str name)
{
	unsigned most = (unsigned)(n->wanted.len < NEAREST_LEN ? n->wanted.len : NEAREST_LEN) / 2;
	if (n->n == NEAREST_MOST)
		most = n->distances[NEAREST_MOST - 1];
	unsigned d = edit_distance(n->wanted, name, most);
	size_t i = n->n;
	if (d > most || (i == NEAREST_MOST && d == most))
		return;
	for (size_t k = 0; k < n->n; k++)
		if (str_order(n->names[k], name) == 0)
			return;
	for (i = i < NEAREST_MOST ? i : NEAREST_MOST - 1; i > 0 && n->distances[i - 1] > d; i--) {
		n->names[i] = n->names[i - 1];
		n->distances[i] = n->distances[i - 1];
	}
	n->names[i] = name;
	n->distances[i] = d;
	n->n += n->n < NEAREST_MOST;
}
