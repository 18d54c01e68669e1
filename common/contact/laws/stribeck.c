/* stribeck.c -- Coulomb's friction with a coefficient that falls with the slip speed.
 * Sources: Stribeck 1902; the exponential form: Armstrong-Helouvry, Dupont, Canudas de Wit 1994, eq. (7) with delta = 2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/law.h>
#include <math.h>

static const dls_option parameters[] = {
    DLS_NUMBER("e", "1", "restitution coefficient", 0, 0, 1, 0),
    DLS_NUMBER("mu", "1", "coefficient of friction of fast slip, and in impacts", 0, 0, INFINITY, DLS_OPEN_MAX),
    DLS_NUMBER("mu_s", "1", "coefficient of friction at slip 0, at least mu", 0, 0, INFINITY, DLS_OPEN_MAX),
    DLS_NUMBER("v_s", "m/s", "Stribeck's velocity: slip of mu + (mu_s - mu)/e", 0.01, 0, INFINITY,
               DLS_OPEN_MIN | DLS_OPEN_MAX),
    {0},
};

/* u^_N = u_N+ + e u_N-,  u^_T = u_T+ */
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)u_minus;
  (void)theta;
  c[0] = sys->e[j];
  for (size_t k = 1; k < sys->d; k++) {
    c[k] = 0;
  }
}

extern const dls_law dls_law_stribeck;
const dls_law dls_law_stribeck = {
    .name = "stribeck",
    .summary = "Newton's impact law and friction whose coefficient falls with the slip speed from mu_s to mu",
    .source = "R. Stribeck 1902; B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit 1994, eq. (7)",
    .equations =
        "newton-coulomb with |p_T| <= mu(|u_T|) p_N,  mu(u) = mu + (mu_s - mu) exp(-(u/v_s)^2)\n"
        "The coefficient is continuous: slip begins with mu_s, at which stick ends. In an impact it is mu.\n"
        "Equilibria of slip are unstable where |mu'(u)| lambda_N exceeds the damping: stick-slip.\n"
        "event-driven: mu of the slip that is; moreau-jean and its variant: mu of the slip at k + theta, by\n"
        "a fixed point. Other schemes refuse it.\n",
    .parameters = parameters,
    .block = DLS_COULOMB,
    .mixture = mixture,
};
