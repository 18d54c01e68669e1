/* experiments/show/terminal.h -- a figure as characters in the terminal.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_TERMINAL_H
#define DELASSUS_EXPERIMENTS_TERMINAL_H

#include "experiments/show/figure.h"

/** Size of a picture in the terminal, where none is asked for: COLUMNS and LINES of the environment, without the line of the prompt. */
int dls_terminal_columns(void);
int dls_terminal_lines(void);
/** Write a figure that is laid out to standard output: curves in dots of Braille characters, shades in blocks.
 * @return DLS_ERR_MEMORY */
dls_status dls_terminal_draw(const dls_figure *figure, dls_error *err);

#endif
