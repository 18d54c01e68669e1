/* experiments/campaign/shard.h -- the runs of a study divided among shards, in the same way in every process and on every machine.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SHARD_H
#define DELASSUS_EXPERIMENTS_SHARD_H

#include <stdbool.h>
#include <stddef.h>

/** A run to be assigned. */
typedef struct dls_shard_run {
  size_t level;  /* runs of a level are spread over all shards */
  double weight; /* predicted work, > 0; whole numbers have the same sum in every order */
  size_t owner;  /* out: its shard, from 0 */
} dls_shard_run;

/**
 * Assign runs to shards. The runs of a level are divided evenly: no shard gets two more than another. Levels are assigned in the order
 * of their longest runs, the longest run of a level first, to the shard with the least work.
 * @param[in]  shards  >= 1
 * @param[out] order   numbers of the runs in the order in which they were assigned
 * @return false if there is no memory
 */
bool dls_shard_deal(dls_shard_run *runs, size_t count, size_t shards, size_t *order);

#endif
