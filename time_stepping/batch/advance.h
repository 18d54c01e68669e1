/* advance.h -- advance_batch of the schemes: runs of small linear systems side by side, in the widest vectors that the machine has.
 * A batch makes the operations of the general path in the same order, so that results are equal to the last bit. It leaves to the general
 * path: steps with two active contacts, values that are not finite, and contact problems that need more than their closed form.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BATCH_ADVANCE_H
#define DELASSUS_TIME_STEPPING_BATCH_ADVANCE_H

#include "time_stepping/step/small_system.h"

/** A run in a batch: what it keeps beside the sim from step to step, and the numbers of the scheme. */
enum { DLS_BATCH_NUMBERS = 8, DLS_BATCH_KEPT = 8 };
typedef struct dls_batch_data {
  const dls_small_system *small_system;
  double *kept[DLS_BATCH_KEPT]; /* arrays of n or m, as the kernel has them; the first is the load */
  double number[DLS_BATCH_NUMBERS];
} dls_batch_data;

/** Make up to `most` steps of runs that are alike, the same number in each. Runs that cannot make the next step are stuck. @return how many */
typedef size_t dls_batch_steps(dls_batch_member *member, const dls_batch_data *run, size_t count, size_t most);
/** The same function for 1, 2, 4 and 8 members: in doubles, and in vectors of 16, 32 and 64 bytes. */
typedef struct dls_batch_widths {
  dls_batch_steps *one, *two, *four, *eight;
} dls_batch_widths;
/* Those of a kernel; four and eight are of x86-64. WebAssembly has vectors only by an extension, and must be small. */
#ifdef __x86_64__
#define DLS_BATCH_WIDTHS(kernel)                                                                               \
  {                                                                                                            \
    kernel##_one, kernel##_two, kernel##_four, kernel##_eight                                                  \
  }
#elif defined __wasm__
#define DLS_BATCH_WIDTHS(kernel)                                                                               \
  {                                                                                                            \
    kernel##_one, NULL, NULL, NULL                                                                             \
  }
#else
#define DLS_BATCH_WIDTHS(kernel)                                                                               \
  {                                                                                                            \
    kernel##_one, kernel##_two, NULL, NULL                                                                     \
  }
#endif
/** Read the data of a run for steps of length h. @return false if advance must make the next step */
typedef bool dls_batch_reader(dls_sim *sim, double h, dls_batch_data *run);
/** advance_batch of a scheme. */
void dls_batch_advance(dls_batch_member *member, size_t count, dls_batch_reader *read,
                       const dls_batch_widths *widths);

#endif
