/* experiments/campaign/shard.c -- runs divided among shards, longest first, level by level.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/shard.h"
#include <math.h>
#include <stdlib.h>

/* A run or a shard in a queue. */
typedef struct queued {
  double first; /* the greatest weight of the level; 0 for shards */
  size_t level;
  double weight; /* of a shard: what it has to do */
  size_t number;
} queued;

static int longest_first(const void *left, const void *right)
{
  const queued *a = left, *b = right;
  if (a->first != b->first) {
    return a->first > b->first ? -1 : 1;
  }
  if (a->level != b->level) {
    return a->level < b->level ? -1 : 1;
  }
  if (a->weight != b->weight) {
    return a->weight > b->weight ? -1 : 1;
  }
  return a->number < b->number ? -1 : a->number > b->number;
}

static int least_first(const void *left, const void *right)
{
  const queued *a = left, *b = right;
  if (a->weight != b->weight) {
    return a->weight < b->weight ? -1 : 1;
  }
  return a->number < b->number ? -1 : a->number > b->number;
}

/* The runs in the order in which they are assigned. @return NULL if there is no memory */
static queued *line_up(const dls_shard_run *runs, size_t count)
{
  size_t levels = 0;
  for (size_t i = 0; i < count; i++) {
    levels = runs[i].level + 1 > levels ? runs[i].level + 1 : levels;
  }
  double *longest = calloc(levels + 1, sizeof *longest);
  queued *queue = malloc((count + 1) * sizeof *queue);
  if (longest == NULL || queue == NULL) {
    free(longest);
    free(queue);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    longest[runs[i].level] = fmax(longest[runs[i].level], runs[i].weight);
  }
  for (size_t i = 0; i < count; i++) {
    queue[i] = (queued){longest[runs[i].level], runs[i].level, runs[i].weight, i};
  }
  free(longest);
  qsort(queue, count, sizeof *queue, longest_first);
  return queue;
}

bool dls_shard_deal(dls_shard_run *runs, size_t count, size_t shards, size_t *order)
{
  queued *queue = line_up(runs, count), *hands = malloc(shards * sizeof *hands);
  for (size_t i = 0; hands != NULL && i < shards; i++) {
    hands[i] = (queued){.number = i};
  }
  size_t dealt = shards; /* shards that have got a run of the level since the last sort */
  for (size_t i = 0; queue != NULL && hands != NULL && i < count; i++, dealt++) {
    if (dealt == shards || queue[i].level != queue[i - 1].level) {
      qsort(hands, shards, sizeof *hands, least_first);
      dealt = 0;
    }
    order[i] = queue[i].number;
    runs[order[i]].owner = hands[dealt].number;
    hands[dealt].weight += queue[i].weight;
  }
  const bool done = queue != NULL && hands != NULL;
  free(queue);
  free(hands);
  return done;
}
