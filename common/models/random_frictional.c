/* random_frictional.c -- a random linear system whose contacts have friction, in the plane or in space, on surfaces that may
 * move. For testing invariants that hold for every system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/random_system.h"

enum { N, CONTACTS, ROWS, SEED, RESTITUTION, FRICTION, SURFACE, DAMPING, AMPLITUDE, OMEGA };
static const dls_option parameters[] = {
    [N] = DLS_COUNT("n", "degrees of freedom", 8, 2, 200),
    [CONTACTS] = DLS_COUNT("m", "contacts, at most n/dim", 2, 1, 100),
    [ROWS] = DLS_COUNT("dim", "rows of a contact: 2 in the plane, 3 in space", 2, 2, 3),
    [SEED] = DLS_COUNT("seed", "which system", 1, 0, 9007199254740992.0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "upper bound of the restitution coefficients", 0.8, 0, 1, 0),
    [FRICTION] = DLS_NUMBER("mu", "1", "upper bound of the coefficients of friction", 1, 0, 1e6, 0),
    [SURFACE] = DLS_NUMBER("surface", "m/s", "upper bound of the velocities of the surfaces along the tangents",
                           0, 0, 1e6, 0),
    [DAMPING] = DLS_NUMBER("damping", "N s/m", "upper bound of the eigenvalues of C", 0.1, 0, 1e6, 0),
    [AMPLITUDE] = DLS_NUMBER("amplitude", "N", "upper bound of the entries of F1", 1, 0, 1e6, 0),
    [OMEGA] = DLS_NUMBER("omega", "rad/s", "angular frequency of the load", 3, 0, 1e6, 0),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_random_system what = {.n = (size_t)p[N],
                                  .m = (size_t)p[CONTACTS],
                                  .d = (size_t)p[ROWS],
                                  .seed = p[SEED],
                                  .e = p[RESTITUTION],
                                  .mu = p[FRICTION],
                                  .surface = p[SURFACE],
                                  .damping = p[DAMPING],
                                  .amplitude = p[AMPLITUDE],
                                  .omega = p[OMEGA]};
  if (what.d * what.m > what.n) {
    *out = NULL;
    return dls_fail(err, DLS_ERR_ARG, "model %s: m = %zu contacts of dim = %zu rows are more than n = %zu",
                    self->name, what.m, what.d, what.n);
  }
  return dls_random_system_create(self->name, &what, out, err);
}

const dls_model dls_model_random_frictional = {
    .name = "random-frictional",
    .summary = "random linear system with frictional contacts, for invariants",
    .source = "this project; generator: Steele, Lea, Flood 2014",
    .equations = "M v' + C v + K q = F0 + F1 cos(omega t) + H lambda + T lambda_T,   g = H^T q + w >= 0,  u_T "
                 "= T^T v + b_T\n"
                 "Random dense matrices; eigenvalues of M in [1, 10], of K in [4, 100], of C in [0, damping],\n"
                 "singular values of (H, T) in (0.29, 1.71); coefficients of friction in [0, mu], restitution\n"
                 "coefficients in [0, e], contact j in the j-th m-th. Initial gaps in [0.01, 0.1] m.\n",
    .parameters = parameters,
    .create = create,
};
