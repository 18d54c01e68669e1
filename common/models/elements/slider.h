/* slider.h -- rigid bodies that slide on flat surfaces: linear systems of few degrees of freedom with dense H and T.
 * Loads: a constant one, and on the first coordinate a spring and a harmonic force.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_SLIDER_H
#define DELASSUS_MODELS_ELEMENTS_SLIDER_H

#include <delassus/model.h>

enum { DLS_SLIDER_MOST = 6 };

typedef struct dls_slider {
  double mass[DLS_SLIDER_MOST];    /* n: the diagonal of M */
  double load[DLS_SLIDER_MOST];    /* n: constant */
  double stiffness;                /* of the first coordinate [N/m] */
  double amplitude, omega, phase;  /* of the first coordinate: amplitude cos(omega t + phase) [N] */
  double surface[DLS_SLIDER_MOST]; /* (d - 1) m: velocity of the surfaces along the tangents [m/s] */
  double jump;                     /* > 0: time from which on the velocity is the one below [s] */
  double jumped[DLS_SLIDER_MOST];
} dls_slider;

/** One row of a contact: its entries for the n coordinates. */
typedef struct dls_slider_row {
  double on[DLS_SLIDER_MOST];
} dls_slider_row;

/**
 * @param[in] what  up to 6 degrees of freedom
 * @param[in] rows  m x d: normal, tangents of contact 0, then of contact 1, ...
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_slider_create(const char *name, size_t n, size_t m, size_t d, const dls_slider *what,
                             const dls_slider_row *rows, dls_system **out, dls_error *err);

/** A block of mass m on the plane y = 0 under gravity, q = (x, y), tangent along x; mu = F / (m g), mu_s = Fs / (m g) where
 * Fs > F. For sources that give friction limits. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_slider_block(const char *name, const dls_slider *what, double gravity, double friction,
                            double static_friction, dls_system **out, dls_error *err);

/** `coordinate` of a body in d dimensions: d positions, then angles. */
void dls_sphere_coordinate(const dls_system *sys, size_t i, dls_coordinate *out);

/** A sphere of radius R over the plane z = 0, moving in a plane: q = (x, z, angle), slip x' + R angle'.
 * @param[in] height  of its lowest point @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_slider_sphere(const char *name, double mass, double radius, double gravity, double height,
                             dls_system **out, dls_error *err);

#endif
