/* analytic/distance/mass_tree.h -- an ordered sequence of masses with keys, which can be cut at any mass, joined, and given new
 * keys that change linearly with the mass before them; each of these in O(log n).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_MASS_TREE_H
#define DELASSUS_ANALYTIC_MASS_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* A tree of the sequence is the index of its root; 0 is the empty one. */
typedef uint32_t dls_masses;

/* Mass that is uniform over keys from `low` to `high`, with the sequences before and behind it (`child`). */
typedef struct dls_mass {
  double low, high, mass;
  double total, moment; /* of the whole tree: mass, integral of the key over the mass */
  double shift,
      slope; /* what both children still have to add to their keys: shift + slope (mass before, in the tree) */
  dls_masses child[2];
  int height;
} dls_mass;

/* All masses of several sequences; `free` heads a list of unused ones, through child[0]. */
typedef struct dls_mass_pool {
  dls_mass *of;
  uint32_t count, room, free;
} dls_mass_pool;

void dls_mass_pool_free(dls_mass_pool *pool);
/* Makes room for `count` more masses. @return false: no memory, nothing changed */
bool dls_mass_pool_reserve(dls_mass_pool *pool, uint32_t count);

/* One mass; takes one place of the room reserved. */
dls_masses dls_masses_of(dls_mass_pool *pool, double low, double high, double mass);
/* The sequence `first` and behind it `second`, whose keys are not smaller. */
dls_masses dls_masses_join(dls_mass_pool *pool, dls_masses first, dls_masses second);
/* Cuts a sequence where `mass` > 0 of it is on side 0 (its beginning) or side 1 (its end): *near gets that part, *far the rest.
 * Takes one place of the room reserved at most. @return the single mass that was cut in two; 0: the cut is between two */
double dls_masses_cut(dls_mass_pool *pool, dls_masses all, int side, double mass, dls_masses *near,
                      dls_masses *far);
/* Adds shift + slope (mass before it) to the key of each mass. */
void dls_masses_shift(dls_mass_pool *pool, dls_masses all, double shift, double slope);
/* Gives all masses back. */
void dls_masses_release(dls_mass_pool *pool, dls_masses all);

/* The largest m <= `most` such that `sign` key + start + rate m' < bound for all m' < m, where m' is the mass from the end
 * `side` of the sequence up to there. The left side must not fall with m'. */
double dls_masses_until(dls_mass_pool *pool, dls_masses all, int side, double most, double sign, double start,
                        double rate, double bound);

#endif
