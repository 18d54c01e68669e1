/* experiments/campaign/machine.h -- what a study ran on.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MACHINE_H
#define DELASSUS_EXPERIMENTS_MACHINE_H

#include <stddef.h>

enum { DLS_CPU_ROOM = 200 };

extern const char dls_machine_compiler[]; /* "gcc 12.2.0" */
extern const char dls_machine_commit[];   /* of the sources when they were configured, or "unknown" */
/** The model of the processor, "unknown" where the system does not tell. */
void dls_machine_cpu(char *text, size_t size);
/** Number of processors on line. */
long dls_machine_processors(void);
/** Processes that want to run, mean of the last minute; NaN where the system does not tell. */
double dls_machine_load(void);

#endif
