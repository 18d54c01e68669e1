/* analytic/distance/mass_tree.c -- sequences of masses as height-balanced trees; what is added to all keys of a tree waits at its root
 * until somebody looks at its children.
 * Source: Adelson-Velsky, Landis 1962; joining and cutting trees: Blelloch, Ferizovic, Sun 2016, "Just join for parallel
 * ordered sets".
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/mass_tree.h"
#include <math.h>
#include <stdlib.h>

void dls_mass_pool_free(dls_mass_pool *pool)
{
  free(pool->of);
  *pool = (dls_mass_pool){0};
}

bool dls_mass_pool_reserve(dls_mass_pool *pool, uint32_t count)
{
  if (pool->count + count >= pool->room) {
    const uint32_t room = 2 * pool->room + 64 + count;
    dls_mass *more = room > pool->room ? realloc(pool->of, room * sizeof *more) : NULL;
    if (more == NULL) {
      return false;
    }
    pool->of = more;
    pool->room = room;
    pool->of[0] = (dls_mass){0};
    pool->count += pool->count == 0; /* the empty tree */
  }
  return true;
}

dls_masses dls_masses_of(dls_mass_pool *pool, double low, double high, double mass)
{
  const dls_masses node = pool->free != 0 ? pool->free : pool->count++;
  if (node == pool->free) {
    pool->free = pool->of[node].child[0];
  }
  pool->of[node] = (dls_mass){
      .low = low, .high = high, .mass = mass, .total = mass, .moment = 0.5 * mass * (low + high), .height = 1};
  return node;
}

void dls_masses_shift(dls_mass_pool *pool, dls_masses all, double shift, double slope)
{
  dls_mass *n = &pool->of[all];
  if (all != 0) {
    const double before = pool->of[n->child[0]].total;
    n->low += shift + slope * before;
    n->high += shift + slope * (before + n->mass);
    n->moment += n->total * (shift + 0.5 * slope * n->total);
    n->shift += shift;
    n->slope += slope;
  }
}

/* What waits goes to the children. */
static void push(dls_mass_pool *pool, dls_masses node)
{
  dls_mass *n = &pool->of[node];
  if (n->shift != 0 || n->slope != 0) {
    const double before = pool->of[n->child[0]].total + n->mass;
    dls_masses_shift(pool, n->child[0], n->shift, n->slope);
    dls_masses_shift(pool, n->child[1], n->shift + n->slope * before, n->slope);
    n->shift = n->slope = 0;
  }
}

static void pull(dls_mass_pool *pool, dls_masses node)
{
  dls_mass *n = &pool->of[node];
  const dls_mass *a = &pool->of[n->child[0]], *b = &pool->of[n->child[1]];
  n->total = a->total + n->mass + b->total;
  n->moment = a->moment + 0.5 * n->mass * (n->low + n->high) + b->moment;
  n->height = 1 + (a->height > b->height ? a->height : b->height);
}

/* The child on `side` becomes the root. */
static dls_masses rotate(dls_mass_pool *pool, dls_masses node, int side)
{
  const dls_masses child = pool->of[node].child[side];
  push(pool, child);
  pool->of[node].child[side] = pool->of[child].child[!side];
  pool->of[child].child[!side] = node;
  pull(pool, node);
  pull(pool, child);
  return child;
}

/* A tree whose child on `side` may be higher than the other one by 2; nothing waits at its root. */
static dls_masses balance(dls_mass_pool *pool, dls_masses node, int side)
{
  dls_mass *n = &pool->of[node];
  if (pool->of[n->child[side]].height <= pool->of[n->child[!side]].height + 1) {
    pull(pool, node);
    return node;
  }
  push(pool, n->child[side]);
  const dls_mass *c = &pool->of[n->child[side]];
  if (pool->of[c->child[!side]].height > pool->of[c->child[side]].height) {
    n->child[side] = rotate(pool, n->child[side], !side);
  }
  return rotate(pool, node, side);
}

/* `end[0]`, the mass `middle`, `end[1]` as one tree. */
static dls_masses link_trees(dls_mass_pool *pool, const dls_masses end[2], dls_masses middle)
{
  const int height[2] = {pool->of[end[0]].height, pool->of[end[1]].height};
  if (abs(height[0] - height[1]) <= 1) {
    pool->of[middle].child[0] = end[0];
    pool->of[middle].child[1] = end[1];
    pull(pool, middle);
    return middle;
  }
  const int side = height[0] > height[1]; /* of the higher tree on which the lower one goes */
  const dls_masses root = end[!side];
  push(pool, root);
  dls_masses inner[2] = {end[0], end[1]};
  inner[!side] = pool->of[root].child[side];
  const dls_masses joined = link_trees(pool, inner, middle);
  pool->of[root].child[side] = joined;
  return balance(pool, root, side);
}

/* Takes the last mass out of a tree that is not empty. @return that mass; *rest: the others */
static dls_masses take_last(dls_mass_pool *pool, dls_masses all, dls_masses *rest)
{
  push(pool, all);
  const dls_masses behind = pool->of[all].child[1];
  if (behind == 0) {
    *rest = pool->of[all].child[0];
    return all;
  }
  dls_masses others;
  const dls_masses last = take_last(pool, behind, &others);
  *rest = link_trees(pool, (const dls_masses[]){pool->of[all].child[0], others}, all);
  return last;
}

dls_masses dls_masses_join(dls_mass_pool *pool, dls_masses first, dls_masses second)
{
  if (first == 0 || second == 0) {
    return first + second;
  }
  dls_masses rest;
  const dls_masses last = take_last(pool, first, &rest);
  return link_trees(pool, (const dls_masses[]){rest, second}, last);
}

/* Cuts a single mass, `mass` of it on `side`. @return the other part, which is new */
static dls_masses cut_mass(dls_mass_pool *pool, dls_masses node, int side, double mass)
{
  dls_mass *n = &pool->of[node];
  const double part = side == 0 ? mass / n->mass : 1 - mass / n->mass, at = n->low + part * (n->high - n->low);
  const double low = n->low, high = n->high, left = n->mass - mass;
  *n = (dls_mass){.low = side == 0 ? low : at, .high = side == 0 ? at : high, .mass = mass};
  return dls_masses_of(pool, side == 0 ? at : low, side == 0 ? high : at, left);
}

double dls_masses_cut(dls_mass_pool *pool, dls_masses all, int side, double mass, dls_masses *near,
                      dls_masses *far)
{
  if (all == 0 || !(mass > 0)) {
    *near = 0;
    *far = all;
    return 0;
  }
  push(pool, all);
  const dls_masses child[2] = {pool->of[all].child[side], pool->of[all].child[!side]};
  const double before = pool->of[child[0]].total, behind = before + pool->of[all].mass;
  dls_masses inner, end[2];
  double single = pool->of[all].mass;
  if (mass <= before) { /* the cut is in the near child; the root and the far child stay together */
    single = dls_masses_cut(pool, child[0], side, mass, near, &inner);
    end[side] = inner;
    end[!side] = child[1];
    *far = link_trees(pool, end, all);
  } else if (mass >= behind) { /* in the far child */
    single = dls_masses_cut(pool, child[1], side, mass - behind, &inner, far);
    end[side] = child[0];
    end[!side] = inner;
    *near = link_trees(pool, end, all);
  } else { /* in the root itself, whose key is linear in the mass */
    const dls_masses other = cut_mass(pool, all, side, mass - before);
    end[side] = child[0];
    end[!side] = 0;
    *near = link_trees(pool, end, all);
    end[side] = 0;
    end[!side] = child[1];
    *far = link_trees(pool, end, other);
  }
  return single;
}

void dls_masses_release(dls_mass_pool *pool, dls_masses all)
{
  if (all != 0) {
    dls_mass *n = &pool->of[all];
    dls_masses_release(pool, n->child[1]);
    dls_masses_release(pool, n->child[0]);
    n->child[0] = pool->free;
    pool->free = all;
  }
}

double dls_masses_until(dls_mass_pool *pool, dls_masses all, int side, double most, double sign, double start,
                        double rate, double bound)
{
  double passed = 0, found = most;
  while (all != 0 && passed < found) {
    push(pool, all);
    const dls_mass *n = &pool->of[all];
    const double before = passed + pool->of[n->child[side]].total;
    const double near = sign * (side == 0 ? n->low : n->high) + start + rate * before;
    const double far = sign * (side == 0 ? n->high : n->low) + start + rate * (before + n->mass);
    if (near >= bound || before >= found) { /* the bound is reached before this mass */
      found = fmin(found, before);
      all = n->child[side];
    } else if (far >= bound) { /* inside, where the value is linear */
      return fmin(found, before + n->mass * ((bound - near) / (far - near)));
    } else {
      passed = before + n->mass;
      all = n->child[!side];
    }
  }
  return fmin(found, passed);
}
