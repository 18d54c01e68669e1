/* soft_equations.h -- the terms of the schemes with soft contact, equations (1) to (5) of convex_minimisation.c, soft_cone.h and the entries.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SOFT_EQUATIONS_H
#define DELASSUS_TIME_STEPPING_SOFT_EQUATIONS_H

/** (3): y = R^-1 (v^ - u), a row */
#define DLS_SOFT_UNBOUNDED(target, u, R) (((target) - (u)) / (R))
/** (3): normal impulse where the cone bounds y, which is then gamma_T = mu gamma_N y_T/|y_T|; mu_hat = mu R_T/R_N */
#define DLS_SOFT_SLIP(y_N, y_T, mu, mu_hat) (((y_N) + (mu_hat) * (y_T)) / (1 + (mu) * (mu_hat)))

/** MuJoCo: R = (1 - d)/d A^ */
#define DLS_MUJOCO_R(d, A) ((1 - (d)) / (d) * (A))
/** MuJoCo: all edges of a pyramid have R = 2 (mu^2/impratio) (1 + mu^2) R_N */
#define DLS_MUJOCO_R_PYRAMID(mu, impratio, R) (2 * (mu) * (mu) / (impratio) * (1 + (mu) * (mu)) * (R))
/** MuJoCo: v^ = u + h a_ref,  a_ref = -b u - K d r */
#define DLS_MUJOCO_TARGET(u, h, b, K, d, r) ((u) - (h) * ((b) * (u) + (K) * (d) * (r)))
/** MuJoCo's solref > 0 in the direct form: stiffness = 1/(timeconst dampratio)^2, damping = 2/timeconst; b, K of these. */
#define DLS_MUJOCO_B(damping, dwidth) ((damping) / (dwidth))
#define DLS_MUJOCO_K(stiffness, dwidth) ((stiffness) / ((dwidth) * (dwidth)))

/** SAP: v^_N = -phi/(h + tau) */
#define DLS_SAP_TARGET(phi, h, tau) (-(phi) / ((h) + (tau)))
/** SAP: R_N of the spring k and the damper k tau, implicit in both */
#define DLS_SAP_COMPLIANCE(h, k, tau) (1 / ((h) * (k) * ((h) + (tau))))
/** SAP: least R_N, that of the near-rigid contact: beta^2/(4 pi^2) w; the literal is pi^2 */
#define DLS_SAP_NEAR_RIGID(beta, w) ((beta) * (beta) / (4 * 9.8696044010893586) * (w))

/** ICF: gamma_N = h (f_0 - h k u)_+ (1 - d u)_+ of Hunt & Crossley */
#define DLS_ICF_IMPULSE(h, spring, damping) ((h) * (spring) * (damping))
#define DLS_ICF_SPRING(f0, h, k, u) ((f0) - (h) * (k) * (u))
#define DLS_ICF_DAMPING(d, u) (1 - (d) * (u))

/** IPC: barrier b(x) = -(x - x^)^2 ln(x/x^) for 0 < x < x^, which is 0 from x^ on, and its derivatives; ln: ln(x/x^) */
#define DLS_IPC_BARRIER(x, end, ln) (-((x) - (end)) * ((x) - (end)) * (ln))
#define DLS_IPC_BARRIER_1(x, end, ln) (-2 * ((x) - (end)) * (ln) - ((x) - (end)) * ((x) - (end)) / (x))
#define DLS_IPC_BARRIER_2(x, end, ln)                                                                          \
  (-2 * (ln)-4 * ((x) - (end)) / (x) + ((x) - (end)) * ((x) - (end)) / ((x) * (x)))
/** IPC: friction f_1(u)/u and df_1/du below eps_v, f_1 = 2 u/eps - u^2/eps^2; above, f_1 = 1 */
#define DLS_IPC_MOLLIFIER_RATIO(u, eps) ((2 - (u) / (eps)) / (eps))
#define DLS_IPC_MOLLIFIER_1(u, eps) (2 * (1 - (u) / (eps)) / (eps))
/** IPC: q' of v', and v' of a' = M^-1 (F + H f) */
#define DLS_IPC_POSITION(q_ref, beta, v_next) ((q_ref) + (beta) * (v_next))
/** IPC, bdf2: q_ref and v_ref = (4 x_k - x_k-1)/3, beta = 2 h/3 */
#define DLS_IPC_BDF2_REFERENCE(x, x_last) ((4 * (x) - (x_last)) / 3)

#endif
