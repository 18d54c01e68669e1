/* experiments/extra/module/module.h -- the library as WebAssembly, for pages that compute: the playground and live lessons.
 *
 * `wasm/build.sh` makes two files of these sources, which are looked for when a page is written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MODULE_H
#define DELASSUS_EXPERIMENTS_MODULE_H

#include <delassus/error.h>
#include <stdio.h>

/** The two files of the module, in one folder, compressed by gzip: the code, and the script that starts it; and a line with the release and
 * the number of flat.h that they are of. */
#define DLS_MODULE_CODE "delassus-playground.wasm.gz"
#define DLS_MODULE_SCRIPT "delassus-playground.js.gz"
#define DLS_MODULE_VERSION "delassus-playground.version"

typedef struct dls_module {
  FILE *code, *script;
} dls_module;

/**
 * Open both, in the folder $DELASSUS_WASM if it is set, else `wasm` beside the folder of the tool, else share/delassus of the installation.
 * @param[out] out  to be closed, on failure too
 * @return DLS_ERR_ARG, with what makes them, or if one is not packed by gzip or they are of another version; DLS_ERR_IO
 */
dls_status dls_module_open(dls_module *out, dls_error *err);
/** Has everything been read that was put into a page? @return DLS_ERR_IO */
dls_status dls_module_check_read(const dls_module *module, dls_error *err);
void dls_module_close(dls_module *module);

/** Everything of a stream in base 91, which takes 23 % more room than bytes; base64 takes 33 %. */
void dls_module_put_base91(FILE *out, FILE *in);

#endif
