/* experiments/show/animation.h -- a motion as frames: shapes, impulses, contact forces, scaled to a picture. Drawn by
 * animation_svg.c and animation_gif.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ANIMATION_H
#define DELASSUS_EXPERIMENTS_ANIMATION_H

#include <delassus/animate.h>
#include <stdio.h>

/** An impulse: its place [pixels] and time [s]. */
typedef struct dls_flash {
  size_t contact;
  double t;
  double x, y, dx, dy; /* foot and length with direction */
} dls_flash;

/** A contact force at a frame: an arrow from foot to tip, of length 0 without force. */
typedef struct dls_push {
  double x, y, dx, dy;
} dls_push;

/** Everything in pixels, y downward, in a picture of width x height. */
typedef struct dls_animation {
  size_t frames;  /* at equal distances in time */
  size_t keys;    /* frames and impacts: where positions are known */
  double *t;      /* keys */
  bool *is_frame; /* keys */
  size_t shape_count, touch_count;
  dls_shape *shapes; /* keys x shape_count */
  dls_push *pushes;  /* frames x touch_count */
  size_t flash_count;
  dls_flash *flashes;                  /* in the order of time */
  double start, end;                   /* of the motion [s] */
  double seconds;                      /* playing time [s] */
  double largest_force, largest_pulse; /* values of the longest arrows [N, N s]; 0 if there is none */
  double width, height, ground;        /* pixels; ground: upper edge of the lines of text below */
  char title[160];
} dls_animation;

/* Playing time in which an impulse fades [s]. */
#define DLS_FLASH_SECONDS 0.7
/* Pause before the motion repeats [s]. */
#define DLS_PAUSE_SECONDS 1.0

/** @param[in] frames  >= 2 */
dls_status dls_animation_make(const dls_model *model, const double *p, const dls_trajectory *traj,
                              size_t frames, dls_animation **out, dls_error *err);
void dls_animation_destroy(dls_animation *animation); /* NULL is fine */

/** Corners of the zigzag of a spring between two points, ends included; x, y [DLS_SPRING_POINTS]. */
enum { DLS_SPRING_POINTS = 16 };
void dls_spring_points(const dls_shape *spring, double *x, double *y);
/** "0.45 × real time", "real time" */
void dls_animation_speed(const dls_animation *animation, char *text, size_t size);

dls_status dls_animation_write_svg(const dls_animation *animation, FILE *out, dls_error *err);
dls_status dls_animation_write_gif(const dls_animation *animation, FILE *out, dls_error *err);

#endif
