/* experiments/campaign/provenance.h -- what a result was made with, the same list for every table, trajectory, report and page.
 *
 * The same build with the same plugins gives the same lines: there is no date, no processor, no host among them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PROVENANCE_H
#define DELASSUS_EXPERIMENTS_PROVENANCE_H

#include <delassus/catalogue.h>
#include <stdio.h>

/**
 * Hand each item to `take`, as key and value: commit, compiler, libraries, and plugin for each one of the catalogue. The
 * version of delassus, which is the first thing that every file says, is not among them.
 */
void dls_provenance(const dls_catalogue *catalogue,
                    void (*take)(void *data, const char *key, const char *value), void *data);
/** The items as lines "LEADkey: value". */
void dls_provenance_write(const dls_catalogue *catalogue, const char *lead, FILE *out);
/** At the end of a table: "# delassus: VERSION", then the items. */
void dls_provenance_stamp(const dls_catalogue *catalogue, FILE *out);
/** The items as metadata of a trajectory. */
dls_status dls_provenance_note(const dls_catalogue *catalogue, dls_trajectory *traj, dls_error *err);

#endif
