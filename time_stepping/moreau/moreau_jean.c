/* moreau_jean.c -- the Moreau-Jean scheme: eta = theta in theta_step.c.
 * Sources: Jean 1999; Acary 2014 (RR-8602), eqs. (23)-(26).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/balance_theta.h"
#include "time_stepping/moreau/theta_step.h"

typedef struct moreau_options {
  dls_theta_options theta;
  dls_joint_options joints;
} moreau_options;

static const dls_option options[] = {DLS_THETA_OPTIONS_FROM(0, 0, 1, 1),
                                     DLS_THETA_CHOICES,
                                     DLS_JOINT_OPTIONS(offsetof(moreau_options, joints)),
                                     {0}};

const dls_scheme dls_scheme_moreau_jean = {
    .name = "moreau-jean",
    DLS_THETA_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_STATIC_FRICTION |
                    DLS_HANDLES_STRIBECK | DLS_HANDLES_JOINTS),
    .summary = "Moreau-Jean theta-method, impacts at velocity level",
    .source = "M. Jean 1999; V. Acary 2014 (INRIA RR-8602), eqs. (23)-(26)",
    .equations =
        "M (v' - v) = h [theta F' + (1 - theta) F] + H P\n"
        "q' = q + h [theta v' + (1 - theta) v],  U = H^T v\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + gamma h v) <= 0 [and U <= velocity_tol]\n"
        "place: M and H at q + h theta v (ahead), q (start), (1 - theta) q + theta q' (implicit)\n"
        "gap_forecast=linear: g(q) + gamma h U in place of g(q + gamma h v)\n",
    .remarks =
        "Order 1 with impacts, of q and of v, in L1 and in the graph distance, as long as impacts are few\n"
        "(impacting-oscillator); order 2 for theta = 1/2 without impacts. Passes accumulations; through one\n"
        "(bouncing-ball) the graph distance of v is h log(1/h), which looks like an order of 0.75 to 0.95.\n"
        "Dissipative for 1/2 <= theta <= 1/(1+e). With theta < 1/2 undamped vibrations grow, at every step by\n"
        "sqrt((1 + (1-theta)^2 w^2 h^2)/(1 + theta^2 w^2 h^2)). Penetrations of order h stay: positions are\n"
        "not corrected.\n"
        "p is the impulse of the step; a contact force is p/h in lasting contact only. mu is the mean of the "
        "step.\n",
    .options = options,
    .options_size = sizeof(moreau_options),
    .kind = &(const dls_theta_kind){.joints = offsetof(moreau_options, joints)},
    .check = dls_theta_check,
    .balance = &dls_balance_moreau_jean,
    .published =
        (const dls_published_order[]){
            {"V. Acary, lecture, slide 42", 1, {"bouncing-ball", "impacting-oscillator"}}, {0}},
};
