/* experiments/show/gnuplot_session.h -- one gnuplot for all pictures of a command, since it takes longer to start than to draw.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GNUPLOT_SESSION_H
#define DELASSUS_EXPERIMENTS_GNUPLOT_SESSION_H

#include <stdbool.h>

/** From now on scripts of this thread may share a gnuplot, until the session is closed. Not twice. */
void dls_gnuplot_session_open(void);
void dls_gnuplot_session_close(void);

/**
 * Run a script in the session's gnuplot, which is started if there is none, with all variables and settings as at its start.
 * @param[in] kind        scripts of another terminal or style get another gnuplot: terminals remember their options
 * @param[in] assignment  a command before the script
 * @param[in] script      its name as a string of gnuplot, with quotes
 * @return false: no session is open, or the script failed: to be run by a gnuplot of its own, whose end tells why
 */
bool dls_gnuplot_session_run(int kind, const char *assignment, const char *script, double seconds);

#endif
