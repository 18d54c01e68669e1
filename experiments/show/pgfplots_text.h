/* experiments/show/pgfplots_text.h -- text and colours of gnuplot's scripts as TeX.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PGFPLOTS_TEXT_H
#define DELASSUS_EXPERIMENTS_PGFPLOTS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/** Write text. @param[in] enhanced  q_{0}, L^1 and s^{1/2} are symbols with indices; units in brackets stand upright */
void dls_tex_text(FILE *out, const char *text, bool enhanced);
/** Write "name={rgb,255:...}" for "#RRGGBB", "#AARRGGBB" (then with its opacity) or "black". */
void dls_tex_colour(FILE *out, const char *name, const char *colour);

#endif
