/* experiments/extra/playground/playground.h -- the playground: the library itself in one page, without network.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLAYGROUND_H
#define DELASSUS_EXPERIMENTS_PLAYGROUND_H

#include <delassus/error.h>
#include <stddef.h>

/* The model where none is given; the page shows it too where a link cannot be shown. */
#define DLS_PLAYGROUND_MODEL "bouncing-ball"
enum { DLS_PLAYGROUND_SCHEMES = 4 }; /* that the page shows at once */

/** What the page shows first, as on a command line; NULL and 0: what the page chooses. */
typedef struct dls_playground_start {
  const char *model, *step, *tol, *end, *norm, *of;
  size_t setting_count, scheme_count;
  const char *const *settings; /* "e=0.8" */
  const char *const *schemes;  /* "moreau-jean:theta=1" */
} dls_playground_start;

/** Write the page, completely or not at all. @return DLS_ERR_IO, DLS_ERR_MEMORY; as dls_module_open */
dls_status dls_playground_write(const dls_playground_start *start, const char *path, dls_error *err);

#endif
