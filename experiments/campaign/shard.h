/* experiments/campaign/shard.h -- the runs of a study dealt to shards: the same deal in every process and on every machine.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_SHARD_H
#define DELASSUS_EXPERIMENTS_ORDER_SHARD_H

#include <stdbool.h>
#include <stddef.h>

/** A run that is to be dealt. */
typedef struct dls_shard_run {
  size_t level;  /* runs of a level are spread over all shards */
  double weight; /* predicted work, > 0; whole numbers add up alike in every order */
  size_t owner;  /* out: its shard, from 0 */
} dls_shard_run;

/**
 * Deal runs: of every level each shard gets as many as any other, or one more; from the level with the longest runs to that
 * with the shortest, longest first, those with the least to do are served first.
 * @param[in]  shards  >= 1
 * @param[out] order   of runs: their numbers, as they were dealt
 * @return false if there is no memory
 */
bool dls_shard_deal(dls_shard_run *runs, size_t count, size_t shards, size_t *order);

#endif
