/* experiments/extra/playground/playground.h -- the playground: the library itself in one page, without network.
 *
 * The page contains the library as WebAssembly, which `wasm/build.sh` makes of these sources: two files that are looked for when a
 * page is written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLAYGROUND_H
#define DELASSUS_EXPERIMENTS_PLAYGROUND_H

#include <delassus/error.h>
#include <stddef.h>
#include <stdio.h>

/* The model where none is given. */
#define DLS_PLAYGROUND_MODEL "bouncing-ball"
enum { DLS_PLAYGROUND_SCHEMES = 4 }; /* that the page shows at once */

/** What the page shows first, as on a command line; NULL and 0: what the page chooses. */
typedef struct dls_playground_start {
  const char *model, *step, *tol, *end, *norm, *of;
  size_t setting_count, scheme_count;
  const char *const *settings; /* "e=0.8" */
  const char *const *schemes;  /* "moreau-jean:theta=1" */
} dls_playground_start;

/** The two files of the library for pages, in one folder, compressed by gzip: the code, and the script that starts it. */
#define DLS_PLAYGROUND_CODE "delassus-playground.wasm.gz"
#define DLS_PLAYGROUND_SCRIPT "delassus-playground.js.gz"

/**
 * The folder with both: $DELASSUS_WASM if it is set, else `wasm` beside the folder of the tool, else share/delassus of the installation.
 * @return DLS_ERR_ARG, with what makes them
 */
dls_status dls_playground_folder(char *folder, size_t size, dls_error *err);

/** Write the page, completely or not at all. @return DLS_ERR_IO, DLS_ERR_MEMORY; as dls_playground_folder */
dls_status dls_playground_write(const dls_playground_start *start, const char *path, dls_error *err);

/** Everything of a stream in base 91, which takes 23 % more room than bytes; base64 takes 33 %. */
void dls_playground_put_base91(FILE *out, FILE *in);

#endif
