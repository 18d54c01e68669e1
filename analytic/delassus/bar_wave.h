/* delassus/bar_wave.h -- the exact motion of an elastic bar that falls on a rigid floor, by d'Alembert's waves.
 *
 *   u_tt = c^2 u_XX - g,   0 < X < L,   c^2 = E/rho,   u_X = 0 at X = L,
 *   0 <= u(0,t)  _|_  N(t) = -E A u_X(0,t) >= 0,       u(X,0) = gap,  u_t(X,0) = v0
 *
 * X counts from the lower end of the unstressed bar, u is upward. With f the part of the velocity that travels upward,
 * at X = 0, and T = 2 L/c the time to the upper end and back,
 *   v(X,t) = f(t - X/c) + f(t + X/c - T) - g t,    stress(X,t) = rho c [f(t + X/c - T) - f(t - X/c)],
 *   f(t) = f(t - T) in flight,    f(t) = g t - f(t - T) in contact,    N(t) = rho c A [g t - 2 f(t - T)]
 * and f = v0/2 before t = 0. f is linear between jumps for all time, through any number of impacts, so that the only error is rounding.
 * Source: elementary (d'Alembert); without gravity Doyen, Ern, Piperno 2011.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BAR_WAVE_H
#define DELASSUS_BAR_WAVE_H

#include <delassus/error.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_bar_wave_data {
  double E, rho, A, L; /* > 0 [Pa, kg/m^3, m^2, m] */
  double gap, v0;      /* >= 0 [m]; upward [m/s] */
  double gravity;      /* >= 0, downward [m/s^2] */
} dls_bar_wave_data;

/** The motion on [0, end]; read-only once made. */
typedef struct dls_bar_wave dls_bar_wave;

/**
 * @param[in] end  >= 0 [s]
 * @return DLS_OK; DLS_ERR_ARG names what is out of range; DLS_ERR_CHATTERING with the time reached if more than 10^6
 *         fronts leave the lower end; DLS_ERR_MEMORY
 */
dls_status dls_bar_wave_create(const dls_bar_wave_data *data, double end, dls_bar_wave **out, dls_error *err);
void dls_bar_wave_destroy(dls_bar_wave *wave); /* NULL is fine */

typedef struct dls_bar_field {
  double u, v, a; /* displacement [m], velocity [m/s], acceleration [m/s^2] */
  double stress;  /* tension positive [Pa] */
} dls_bar_field;

/**
 * The fields at a point and a time.
 * @param[in] X     in [0, L]; values outside are clipped
 * @param[in] t     in [0, end]; values outside are clipped
 * @param[in] side  < 0: limit from earlier times, >= 0: from later times; they differ on a wave front
 */
dls_bar_field dls_bar_wave_at(const dls_bar_wave *wave, double X, double t, int side);
/** Contact force N [N]; t and side as above. */
double dls_bar_wave_force(const dls_bar_wave *wave, double t, int side);

typedef struct dls_bar_contact {
  double start, end;      /* [s]; end is INFINITY if it lasts beyond the end of the motion */
  double u_minus, u_plus; /* velocity of the lower end before and after [m/s]; u_plus 0 if it lasts */
} dls_bar_contact;

/** Number of contacts with the floor in [0, end], in order of time. */
size_t dls_bar_wave_contacts(const dls_bar_wave *wave);
dls_bar_contact dls_bar_wave_contact(const dls_bar_wave *wave, size_t i);

#ifdef __cplusplus
}
#endif

#endif
