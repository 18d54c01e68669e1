/* random_linear.c -- a random linear system with n degrees of freedom, m contacts, damping and a harmonic load.
 * For testing invariants that hold for every system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/random_system.h"

enum { N, CONTACTS, SEED, RESTITUTION, DAMPING, AMPLITUDE, OMEGA };
static const dls_option parameters[] = {
    [N] = DLS_COUNT("n", "degrees of freedom", 6, 1, 200),
    [CONTACTS] = DLS_COUNT("m", "contacts, at most n", 2, 0, 200),
    [SEED] = DLS_COUNT("seed", "which system", 1, 0, 9007199254740992.0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "upper bound of the restitution coefficients", 0.8, 0, 1, 0),
    [DAMPING] = DLS_NUMBER("damping", "N s/m", "upper bound of the eigenvalues of C", 0.1, 0, 1e6, 0),
    [AMPLITUDE] = DLS_NUMBER("amplitude", "N", "upper bound of the entries of F1", 1, 0, 1e6, 0),
    [OMEGA] = DLS_NUMBER("omega", "rad/s", "angular frequency of the load", 3, 0, 1e6, 0),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_random_system what = {.n = (size_t)p[N],
                                  .m = (size_t)p[CONTACTS],
                                  .d = 1,
                                  .seed = p[SEED],
                                  .e = p[RESTITUTION],
                                  .damping = p[DAMPING],
                                  .amplitude = p[AMPLITUDE],
                                  .omega = p[OMEGA]};
  if (what.m > what.n) {
    *out = NULL;
    return dls_fail(err, DLS_ERR_ARG, "model %s: m = %zu contacts are more than n = %zu", self->name, what.m,
                    what.n);
  }
  return dls_random_system_create(self->name, &what, out, err);
}

extern const dls_model dls_model_random_linear;
const dls_model dls_model_random_linear = {
    .name = "random-linear",
    .summary = "random linear system with contacts, damping and a harmonic load, for invariants",
    .source = "this project; generator: Steele, Lea, Flood 2014",
    .equations = "M v' + C v + K q = F0 + F1 cos(omega t) + H lambda,   g = H^T q + w >= 0\n"
                 "Random dense matrices; eigenvalues of M in [1, 10], of K in [4, 100], of C in [0, damping],\n"
                 "singular values of H in (0.29, 1.71); restitution coefficients in [0, e], contact j in the "
                 "j-th m-th.\n"
                 "Initial gaps in [0.01, 0.1] m. The same parameters give the same system bit for bit.\n",
    .parameters = parameters,
    .create = create,
};
