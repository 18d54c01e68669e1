/* delassus/limit.h -- the limit model of a scheme: the motion that its nodes converge to for h -> 0, with its options fixed. Errors
 * against it are errors of the time steps alone. Errors against rigid contact contain those of the model, too.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_LIMIT_H
#define DELASSUS_LIMIT_H

#include <delassus/error.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_scheme dls_scheme;

typedef enum dls_limit_kind {
  DLS_LIMIT_RIGID,     /* rigid contact with the restitution coefficient of the model */
  DLS_LIMIT_OWN,       /* rigid contact with the restitution coefficient of the scheme */
  DLS_LIMIT_COMPLIANT, /* contact forces that are functions of the penetration delta = -g and its rate */
  DLS_LIMIT_NONE /* there is none: rebounds or the friction of impacts depend on the phase of the grid, for every h */
} dls_limit_kind;

/** The law of a compliant contact: its force lambda, or with DLS_IMPEDANCE its acceleration. */
typedef enum dls_compliance {
  DLS_COMPLIANCE_KELVIN_VOIGT,  /* lambda = k delta + c delta' */
  DLS_COMPLIANCE_HUNT_CROSSLEY, /* lambda = k delta^p (1 + c delta') */
  DLS_COMPLIANCE_IMPEDANCE /* g'' = (1 - d) a + d (k d delta + c delta'), d = d(delta), a: g'' without contact force */
} dls_compliance;

/** d(delta) = d0 + y(x) (dwidth - d0), x = min(delta/width, 1), y = x^power/midpoint^(power - 1) up to the midpoint, and symmetric
 * to (midpoint, midpoint) beyond. Source: MuJoCo documentation, "Modeling". */
typedef struct dls_impedance {
  double d0, dwidth, width, midpoint, power; /* width [m] */
} dls_impedance;
/** d(|delta|). */
double dls_impedance_at(const dls_impedance *impedance, double delta);

/** Friction of a compliant contact with the limit mu lambda. */
typedef enum dls_limit_friction {
  DLS_LIMIT_COULOMB,         /* stick, or slip with mu lambda against it */
  DLS_LIMIT_REGULARISED,     /* -mu lambda u_T/sqrt(|u_T|^2 + eps^2) */
  DLS_LIMIT_TANH,            /* -mu lambda tanh(|u_T|/eps) u_T/|u_T| */
  DLS_LIMIT_FRICTION_UNKNOWN /* it has a state of its own, or no closed expression */
} dls_limit_friction;

typedef struct dls_limit_model {
  dls_limit_kind kind;
  double e;           /* rigid: restitution coefficient; NAN: no single number */
  dls_compliance law; /* the rest: compliant */
  bool pulls;         /* the force may be negative before the contact opens; else it is at least 0 */
  double k, c, p;     /* Kelvin-Voigt: N/m, N s/m, 1; Hunt-Crossley: N/m^p, s/m, 1; impedance: 1/s^2, 1/s */
  dls_impedance d;
  /* Impedance: lambda = (-c u - k d g - a)/(W + R), R = r_n W (1 - d)/d, so that r_n = 1 gives the above; along the tangent
   * lambda_T = (-c u_T - a_T)/(W_T + R_T), R_T = r_t W (1 - d)/d, both in the cone of mu. 0 counts as 1. */
  double r_n, r_t;
  dls_limit_friction friction; /* of the other laws */
  double eps;                  /* m/s */
  bool lifts;                  /* slip: mu |u_T| is added to delta', as in convex relaxations */
} dls_limit_model;

/** The contact whose limit model is asked for. */
typedef struct dls_limit_contact {
  double inverse_mass; /* W_jj = H_j^T M^-1 H_j [1/kg] */
  double e;            /* the restitution coefficient of the model */
  double speed;        /* of the impact, |u-| [m/s]: some schemes choose the damping for it */
  double mu;           /* the coefficient of friction of the model */
  double velocity;     /* the scale of velocities of the system [m/s] */
  bool coupled;        /* other contacts (W_ij != 0) that are closed, or joints, act with it in the impact */
} dls_limit_contact;

/** What a scheme declares. */
typedef struct dls_limit {
  dls_limit_kind kind; /* with the default options */
  double e;            /* DLS_LIMIT_OWN: the coefficient with the default options */
  const char *text;    /* for `show`, after the words of the kind; NULL: nothing to add */
  /** The limit model with these options, as sim->options. @param[in,out] out  in: kind and e as above, all else 0 @return DLS_OK;
   * DLS_ERR_NOT_APPLICABLE where it is not known. NULL: the same for all options, and not compliant. */
  dls_status (*model)(const dls_scheme *self, const void *options, const dls_limit_contact *contact,
                      dls_limit_model *out, dls_error *err);
} dls_limit;

/** The limit model of a contact. @param[in] options  as sim->options @return DLS_OK; DLS_ERR_NOT_APPLICABLE where it is not known */
dls_status dls_scheme_limit(const dls_scheme *scheme, const void *options, const dls_limit_contact *contact,
                            dls_limit_model *out, dls_error *err);
/** A kind in words, "rigid contact with the restitution coefficient of the model", ... */
const char *dls_limit_text(dls_limit_kind kind);

#ifdef __cplusplus
}
#endif

#endif
