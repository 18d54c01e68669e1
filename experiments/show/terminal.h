/* experiments/show/terminal.h -- a figure as characters in the terminal.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_TERMINAL_H
#define DELASSUS_EXPERIMENTS_TERMINAL_H

#include "experiments/show/figure.h"

/** Write a figure that is laid out to standard output: curves in dots of Braille characters, shades in blocks.
 * @return DLS_ERR_MEMORY */
dls_status dls_terminal_draw(const dls_figure *figure, dls_error *err);

#endif
