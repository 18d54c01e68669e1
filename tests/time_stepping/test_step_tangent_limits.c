/* test_step_tangent_limits.c -- what the derivatives of steps with their active sets fixed converge to, scheme by scheme: limits in closed
 * form, and how they are spread over the phases of the grid. The ball has F = -2, m = 1, q0 = 1, v0 = 0: a = 2, first impact at t1 = 1
 * with V = 2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_steps.h"

static const double pi = 3.141592653589793;

/* Mean, standard deviation, least and largest over phases of the grid. */
typedef struct spread {
  double mean, deviation, least, most;
} spread;

static spread over_phases(const derivative_case *c, size_t phases, const char *tangent)
{
  spread s = {.least = HUGE_VAL, .most = -HUGE_VAL};
  double square = 0;
  for (unsigned seed = 0; seed < phases; seed++) {
    const double x = value_of(c, random_step(c->step, seed), tangent);
    s.mean += x / (double)phases;
    square += x * x / (double)phases;
    s.least = fmin(s.least, x);
    s.most = fmax(s.most, x);
  }
  s.deviation = sqrt(fmax(square - s.mean * s.mean, 0));
  return s;
}

/* The determinant of d(q, v)/d(q0, v0) is -e, where that of the motion is e^2. After rest dq/dq0 = 1, where nothing is left of q0. */
DLS_TEST(moreau_jean_has_the_determinant_minus_e)
{
  for (unsigned seed = 0; seed < 8; seed++) {
    const double h = random_step(4e-3, seed);
    double x[4];
    for (int i = 0; i < 4; i++) {
      const derivative_case c = {
          "bouncing-ball", "moreau-jean:gamma=0.5", 1.6, i < 2 ? "q0" : "v0", i % 2 == 0 ? "q0" : "v0", 0, h};
      x[i] = value_of(&c, h, "plain");
    }
    assert_close(x[0] * x[3] - x[1] * x[2], -0.5, 1e-7);
    const derivative_case rest = {"bouncing-ball", "moreau-jean", 3.5, "q0", "q0", 1, h};
    assert_close(value_of(&rest, h, "plain"), 1, 1e-7);
  }
}

/* -e I, but for the phases of a share h a/(e V), where dq/dq0 = e (1 + e) (T - t1)/h. Share times value is the entry that is missing. */
DLS_TEST(schatzman_paoli_is_right_on_average_only)
{
  enum { MANY = 1500 };
  const double step = 2e-2;
  size_t rare = 0;
  double share = 0, size = 0;
  for (unsigned seed = 0; seed < MANY; seed++) {
    const double h = random_step(step, seed);
    const derivatives x = of_ball("bouncing-ball", "schatzman-paoli", "plain", "q0", h);
    share += 2 * h / MANY; /* h a/(e V) */
    if (fabs(x.q + 0.5) > 1e-3) {
      rare++;
      size += x.q * h / (0.5 * 1.5 * (x.t - 1));
    }
  }
  assert_between((double)rare / MANY, 0.85 * share, 1.15 * share);
  assert_between(size / (double)rare, 0.85, 1.05); /* 1 - O(h) */
}

/* A landing with e = 0 leaves nothing, which is exact. */
DLS_TEST(inelastic_landings_leave_nothing)
{
  static const char *const schemes[] = {"stewart-trinkle", "xpbd", "convex-step"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 5; seed++) {
      const derivative_case c = {
          "bouncing-ball:e=0", schemes[i], 1.6, seed % 2 == 0 ? "q0" : "v0", "q0", 0, 2e-3};
      assert_close(value_of(&c, random_step(2e-3, seed), "plain"), 0, 1e-7);
    }
  }
}

/* g >= 0 at nodes and no impact law: dv/dq0 is +-2/h after an impact, of both signs. The mass of a point cannot be redistributed, so that
 * this is what the redistributed mass does with it. */
DLS_TEST(nodes_without_an_impact_law_have_2_over_h)
{
  static const char *const schemes[] = {"newmark-implicit-contact", "redistributed-mass-midpoint"};
  enum { MANY = 40 };
  for (size_t i = 0; i < 2; i++) {
    const derivative_case c = {"bouncing-ball", schemes[i], 1.0973, "v0", "q0", 1.5, 2e-3};
    size_t positive = 0, one = 0;
    for (unsigned seed = 0; seed < MANY; seed++) {
      const double step = random_step(c.step, seed), h = c.end / (floor(c.end / step) + 1);
      const double x = value_of(&c, step, "plain");
      positive += x > 0;
      one += fabs(fabs(x) * h / 2 - 1) < 1e-6;
    }
    assert_between((double)positive, 0.2 * MANY, 0.8 * MANY);
    assert_between((double)one, 0.9 * MANY, MANY); /* the others strike again before the end */
  }
}

/* --- the time of impact --- */

/* A scheme that locates the time of impact and splits the force there passes the saltation matrix: d(q, v)/dq0 = (-e + (1 + e) a (T - t1)/V,
 * (1 + e) a/V), by fixed sets, and by differences that are far larger than its bracket of the time. */
DLS_TEST(located_impacts_pass_the_saltation_matrix)
{
  static const char *const tangents[] = {"plain", "difference:delta=1e-2", "difference:delta=1e-4"};
  static const double delta[] = {0, 1e-2, 1e-4};
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned seed = 0; seed < 6; seed++) {
      const derivatives x = of_ball("bouncing-ball", "rk-moreau", tangents[i], "q0", random_step(4e-3, seed));
      assert_close(x.q, -0.5 + 1.5 * (x.t - 1), 1e-7 + delta[i] * delta[i]);
      assert_close(x.v, 1.5, 1e-7 + delta[i] * delta[i]);
    }
  }
}

/* DiffTaichi's step: it ends its fall at t_i, and rises with v+ in the rest of the step, but the force is not split there,
 *   v- = v + h a,   q' = q + t_i v- + (h - t_i) v+,   v' = v+ = -e v-,   t_i = -q/v- */
static dls_status bounce_in_step(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  double F;
  sim->sys->load(sim->sys, sim->t, &F);
  const double v = sim->v[0] + h * F / dls_matrix_get(sim->sys->M, 0, 0), fall = -sim->q[0] / v;
  const bool strikes = v < 0 && fall <= h;
  sim->v[0] = strikes ? -sim->sys->e[0] * v : v;
  sim->q[0] += strikes ? fall * v + (h - fall) * sim->v[0] : h * v;
  sim->p[0] = strikes ? sim->v[0] - v : 0;
  sim->status[0] = strikes;
  return DLS_OK;
}

static const dls_option no_options[] = {{0}};
static const dls_scheme located_without_force = {.name = "located-without-force",
                                                 .summary = "time of impact in the step, force not split",
                                                 .source = "Hu et al. 2020",
                                                 .equations = "",
                                                 .remarks = "",
                                                 .options = no_options,
                                                 .stepping = DLS_BY_STEP,
                                                 .advance = bounce_in_step};

/* d(q, v)(T)/dq0 and by v0: -e times that of the fall, for every phase. So it is right without load, or with e = 0, and only then. */
DLS_TEST(located_impacts_without_the_force_have_minus_e)
{
  static const struct {
    const char *model;
    double e, dv; /* dv/dq0 of the motion */
  } cases[] = {{"bouncing-ball", 0.5, 1.5}, {"bouncing-ball:f=0,v0=-1", 0.5, 0}, {"bouncing-ball:e=0", 0, 0}};
  const dls_tangent_method plain = {.kind = DLS_TANGENT_PLAIN};
  for (size_t i = 0; i < 3; i++) {
    for (unsigned seed = 0; seed < 8; seed++) {
      dls_error err = {0};
      const double h = random_step(2e-3, seed), T = h * floor(1.4 / h), e = cases[i].e;
      tangent_run t = {
          .model = dls_test_model(cases[i].model), .count = 2, .run.sys = dls_test_system(cases[i].model)};
      assert_ok(dls_sim_create(t.run.sys, &located_without_force, &t.run.sim, &err), err);
      for (size_t k = 0; k < 2; k++) {
        assert_ok(dls_tangent_direction(&located_without_force, &plain, t.model.model, t.model.parameters,
                                        k == 0 ? "q0" : "v0", &t.direction[k], &err),
                  err);
      }
      differentiate(&t, "plain");
      advance(&t, h, (size_t)floor(1.4 / h));
      const dls_tangent *by = t.run.sim->sensitivity->tangent;
      assert_close(by[0].dq[0], -e, 1e-6);
      assert_close(by[0].dv[0] - cases[i].dv, i == 0 ? -(1 + e) * 2 / 2 : 0, 1e-6); /* a = V = 2 */
      assert_close(by[1].dq[0], -e * T, 1e-5);
      assert_close(by[1].dv[0], -e, 1e-6);
      release(&t);
    }
  }
}

/* --- gaps that are projected --- */

/* A pendulum whose tip strikes a hurdle at x = l cos(pi/4): d(x)/d(q0) at T of phi'' = g cos(phi), if an impact takes (dg, dg') to
 * (kept dg, -e dg'). With one coordinate these are the maps of (dphi, dphi'). */
static double pendulum_by_map(double kept, double e, double end)
{
  const double g = 9.81, h = 1e-5, struck_at = pi / 4;
  double x[4] = {0, 0, 1, 0}, t = 0; /* phi, phi', dphi, dphi' */
  for (bool struck = false; t < end - 1e-9;) {
    const double dt = struck ? fmin(h, end - t) : fmin(h, fmax((struck_at - x[0]) / fmax(x[1], 1), 1e-14));
    const double half[4] = {x[0] + 0.5 * dt * x[1], x[1] + 0.5 * dt * g * cos(x[0]), x[2] + 0.5 * dt * x[3],
                            x[3] - 0.5 * dt * g * sin(x[0]) * x[2]};
    x[0] += dt * half[1];
    x[1] += dt * g * cos(half[0]);
    x[2] += dt * half[3];
    x[3] -= dt * g * sin(half[0]) * half[2];
    t += dt;
    if (!struck && x[0] >= struck_at) {
      struck = true;
      x[1] *= -e;
      x[2] *= kept;
      x[3] *= -e;
    }
  }
  return -sin(x[0]) * x[2];
}

/* diag(0, -e) in steps whose gap is projected, else diag(1, -e): no limit. The end of the step of an impact that begins at g < h V
 * penetrates if g < h V (1 - e)/2, which is the share of the phases (1 - e)/2 for theta = 1/2. */
DLS_TEST(projected_gaps_lose_the_share_of_the_position)
{
  enum { MANY = 200 };
  static const double es[] = {0.8, 0.5};
  for (int i = 0; i < 2; i++) {
    char model[80];
    snprintf(model, sizeof model, "bouncing-pendulum-cartesian:e=%g", es[i]);
    const double end = 0.5, lost = pendulum_by_map(0, es[i], end), kept = pendulum_by_map(1, es[i], end);
    const derivative_case c = {model, "moreau-jean:projection=direct", end, "q0", "q0", 0, 2e-3};
    size_t projected = 0;
    for (unsigned seed = 0; seed < MANY; seed++) {
      const double x = value_of(&c, random_step(c.step, seed), "plain");
      const bool is = fabs(x - lost) < fabs(x - kept);
      assert_close(x, is ? lost : kept, 0.02);
      projected += is;
    }
    assert_between((double)projected / MANY, 0.8 * (1 - es[i]) / 2, 1.2 * (1 - es[i]) / 2);
    const derivative_case always = {model, "moreau-jean:projection=combined", end, "q0", "q0", 0, 2e-3},
                          never = {model, "moreau-jean:projection=none", end, "q0", "q0", 0, 2e-3};
    assert_close(value_of(&always, 1e-3, "plain"), lost, 0.01);
    assert_close(value_of(&never, 1e-3, "plain"), kept, 0.01);
  }
  for (unsigned seed = 0; seed < 6; seed++) { /* it projects where it strikes */
    const derivatives x =
        of_ball("bouncing-ball", "naive-rk4:project=on", "plain", "q0", random_step(4e-3, seed));
    assert_close(x.q, 0, 1e-7);
    assert_close(x.v, 0, 1e-7);
  }
}

/* --- contact that yields: unit mass, e = 1, t1 = 1/2, V = 1, dq/dq0 = 2 a (T - t1)/V - 1, dv/dq0 = 2 a/V = 4 --- */

#define SLOW_BALL "bouncing-ball:e=1,q0=0.25"
static const double slow_end = 0.8173;

/* Two values that differ by k h; for h -> 0 a bias -2 pi a/(V sqrt(k)) of dq/dq0. */
DLS_TEST(springs_need_h_k_small)
{
  static const char *const schemes[] = {"spring-damper:k=1e4", "standard-penalty:kappa=1e4"};
  for (size_t i = 0; i < 2; i++) {
    const derivative_case coarse = {SLOW_BALL, schemes[i], slow_end, "v0", "q0", 4, 1e-4},
                          fine = {SLOW_BALL, schemes[i], slow_end, "q0", "q0", 4 * (slow_end - 0.5) - 1, 1e-5};
    const spread a = over_phases(&coarse, 30, "plain"), b = over_phases(&fine, DLS_TEST_CASES(10, 4), "plain");
    assert_between(a.most - a.least, 0.7 * 1e4 * 1e-4, 2 * 1e4 * 1e-4); /* h from 1 to 1.3 times 1e-4 */
    assert_between(b.mean - fine.exact, 1.15 * -2 * pi * 2 / 100, 0.85 * -2 * pi * 2 / 100);
  }
}

/* The derivatives of a ball on an undamped spring, a = 2: it enters at t1 with V, y = q + a/k turns by 2 (pi - atan(V w/a)), w = sqrt(k), and
 * the ball leaves with V. dV = a/V, dt1 = 1/V, dtau/dV = -2 a/(a^2 + k V^2). */
static derivatives of_spring(double k, double q0, double end)
{
  const double a = 2, V = sqrt(2 * a * q0), tau = 2 * (pi - atan(V * sqrt(k) / a)) / sqrt(k);
  const double s = end - V / a - tau; /* since it left */
  const double dV = a / V, ds = -1 / V + 2 * a / (a * a + k * V * V) * dV;
  return (derivatives){.q = dV * s + V * ds - a * s * ds, .v = dV - a * ds, .t = end};
}

/* Over the phases of the grid the mean is the derivative of the motion on the spring, however soft it is, and the spread is k h. */
DLS_TEST(spring_contacts_have_the_mean_of_their_motion)
{
  enum { TRIALS = 12, PLACES = 12 };
  double far = 0;
  for (unsigned trial = 0; trial < TRIALS; trial++) {
    const double k = 100 * pow(10, random_step(1, 3 * trial) - 1 + trial % 4 / 4.0),
                 q0 = 0.2 * random_step(1, 3 * trial + 1), h = 0.2 / k;
    const double end = 2 * sqrt(q0) / 2 + 2 * pi / sqrt(k) + 0.1 * random_step(1, 3 * trial + 2);
    char model[80], scheme[60];
    snprintf(model, sizeof model, "bouncing-ball:e=1,q0=%.17g", q0);
    snprintf(scheme, sizeof scheme, "%s=%.17g", trial % 2 == 0 ? "spring-damper:k" : "standard-penalty:kappa",
             k);
    const derivatives exact = of_spring(k, q0, end);
    const derivative_case q = {model, scheme, end, "q0", "q0", exact.q, h},
                          v = {model, scheme, end, "v0", "q0", exact.v, h};
    const spread of_q = over_phases(&q, PLACES, "plain"), of_v = over_phases(&v, PLACES, "plain");
    assert_close(of_q.mean, exact.q, 3.5 * of_q.deviation / sqrt(PLACES) + 1e-3);
    assert_close(of_v.mean, exact.v, 3.5 * of_v.deviation / sqrt(PLACES) + 1e-3);
    assert_between(of_v.most - of_v.least, 0.4 * k * h, 2 * k * h);
    const double rigid = 2 * 2 * (end - sqrt(q0)) / (2 * sqrt(q0)) - 1;
    far += fabs(exact.q - rigid) > 5 * of_q.deviation;
  }
  assert_between(far, 0.8 * TRIALS, TRIALS); /* the bias of the spring is seen */
}

/* Kelvin-Voigt with its force clamped at 0: the jumps of the force at entry and exit do not cancel, and dv+/dq0 is off by
 * -2 zeta omega e_c, which grows like sqrt(k) and does not depend on h. A contact that pulls before it opens is right to leading order. */
DLS_TEST(clamped_dampers_diverge_with_the_stiffness)
{
  const double zeta = 0.2, root = sqrt(1 - zeta * zeta);
  const double e_c = exp(-zeta / root * (pi - atan(2 * zeta * root / (1 - 2 * zeta * zeta))));
  for (int i = 0; i < 4; i++) {
    const double k = i < 2 ? 1e3 : 1e4, h = (i % 2 == 0 ? 0.1 : 0.03) / k;
    char scheme[100], pulling[120];
    snprintf(scheme, sizeof scheme, "spring-damper:k=%g,damping=given,c=%.15g", k, 2 * zeta * sqrt(k));
    snprintf(pulling, sizeof pulling, "%s,tension=on", scheme);
    const derivative_case clamped = {"bouncing-ball:q0=0.25", scheme, slow_end, "v0", "q0", 0, h},
                          pulls = {"bouncing-ball:q0=0.25", pulling, slow_end, "v0", "q0", 0, h};
    const double right = (1 + e_c) * 2, off = -2 * zeta * sqrt(k) * e_c;
    assert_between((value_of(&clamped, h, "plain") - right) / off, 0.9, 1.1);
    assert_between((value_of(&pulls, h, "plain") - right) / off, -0.1, 0.1);
  }
}

/* Root mean square error of dv/dq0 = 2 a/V with a/V = 2 over the phases of the grid: by h sqrt(kappa) alone, of size one if it is not small. The
 * bounds are 15 % beside the values of the theory of this project. */
DLS_TEST(conserving_penalties_err_by_h_root_kappa)
{
  static const double resolved[] = {4, 1, 0.25, 0.0625}, published[] = {0.79, 0.11, 0.0083, 0.00054};
  enum { PLACES = 40 };
  for (int i = 0; i < 4; i++) {
    const double h = 1e-3 * resolved[i];
    double square = 0;
    for (unsigned seed = 0; seed < PLACES; seed++) {
      const double q0 = 0.25 + h * (random_step(1, seed) - 1) / 0.3; /* it falls by V h in a step */
      char model[60];
      snprintf(model, sizeof model, "bouncing-ball:e=1,q0=%.17g", q0);
      tangent_run t =
          prepare(model, "conserving-penalty:kappa=1e6", "plain", (const char *const[]){"q0", NULL});
      differentiate(&t, "plain");
      advance(&t, h, (size_t)ceil((sqrt(q0) + 0.1) / h));
      const double error = t.run.sim->sensitivity->tangent[0].dv[0] - 2 / sqrt(q0);
      square += error * error / PLACES;
      release(&t);
    }
    assert_between(sqrt(square), 0.85 * published[i], 1.15 * published[i]);
  }
}

/* A force that is a difference quotient has order two in h sqrt(kappa). */
DLS_TEST(conserving_penalties_have_order_two)
{
  double error[2] = {0, 0};
  for (int i = 0; i < 2; i++) { /* h sqrt(kappa) = 1, 1/8 */
    const derivative_case c = {SLOW_BALL,           "conserving-penalty:kappa=1e6", slow_end, "v0", "q0", 4,
                               1e-3 * pow(0.125, i)};
    for (unsigned seed = 0; seed < 12; seed++) {
      error[i] += fabs(value_of(&c, random_step(c.step / 1.15, seed), "plain") - 4) / 12;
    }
  }
  assert_between(log(error[0] / error[1]) / log(8), 1.75, 2.25);
}

/* A force that is continuous at entry and exit has an error O(k h) of slopes; Hertz' force with a continuous slope O(h^(3/2)). */
DLS_TEST(forces_with_continuous_slopes_have_less_spread)
{
  double deviation[2];
  for (int j = 0; j < 2; j++) {
    const derivative_case c = {SLOW_BALL,
                               "spring-damper:law=hunt-crossley,n=1.5,k=1e5,damping=given",
                               slow_end,
                               "v0",
                               "q0",
                               4,
                               2e-4 * pow(0.25, j)};
    deviation[j] = over_phases(&c, 12, "plain").deviation;
  }
  assert_between(log(deviation[0] / deviation[1]) / log(4), 1.1, 2.2);
}

/* Hunt and Crossley's force k d (1 + chi d') begins and ends with 0, and its slope jumps there: the spread is O(k h). */
DLS_TEST(hunt_crossley_contacts_spread_by_k_h)
{
  enum { MANY = 24, STIFFNESSES = DLS_TEST_CASES(2, 1) };
  double deviation[2][2];
  for (int i = 0; i < STIFFNESSES; i++) {
    const double k = i == 0 ? 1e3 : 1e4;
    char scheme[100];
    snprintf(scheme, sizeof scheme, "spring-damper:law=hunt-crossley,n=1,k=%g,damping=given,lambda=0.3", k);
    for (int j = 0; j < 2; j++) {
      const derivative_case c = {"bouncing-ball:q0=0.25", scheme, slow_end, "v0", "q0", 0,
                                 pow(0.25, j + 1) / k};
      deviation[i][j] = over_phases(&c, MANY, "plain").deviation;
    }
    assert_between(log(deviation[i][0] / deviation[i][1]) / log(4), 0.8, 1.25);
  }
  assert_between(deviation[STIFFNESSES - 1][1] / deviation[0][1], 0.6, 1.7); /* by k h alone */
}

/* The contact of mujoco is a spring and a damper whose force begins with a jump and ends with 0: only the entry is missing, and the limit is
 * that of another map. With the impedance d, the damping ratio 1 and the rate w = 1/timeconst,
 *   r'' = -(1 - d) a - 2 w r' - w^2 r  until  2 w r' + w^2 r = d a,  d(q, v)/dq0 = exp(-w tau) (1 + w tau, -w^2 tau)
 * there, where (1 + e) a/V > 0 is right: it grows like w, which is the root of the stiffness, at every h. */
DLS_TEST(mujoco_misses_the_entry)
{
  for (int i = 0; i < 2; i++) {
    const double d = 0.9, a = 2, V = 2, w = i == 0 ? 50 : 200;
    const double rest = -(1 - d) * a / (w * w), c0 = -rest, c1 = -V + w * c0;
    double tau = 2 / w; /* r = rest + (c0 + c1 t) exp(-w t) */
    for (int k = 0; k < 60; k++) {
      const double decay = exp(-w * tau), u = (c1 - w * (c0 + c1 * tau)) * decay;
      const double r = rest + (c0 + c1 * tau) * decay, slope = -(1 - d) * a - 2 * w * u - w * w * r;
      tau -= (2 * w * u + w * w * r - d * a) / (2 * w * slope + w * w * u);
    }
    const double end = 1.0973, v = -w * w * tau * exp(-w * tau),
                 q = (1 + w * tau) * exp(-w * tau) + (end - 1 - tau) * v;
    char scheme[100];
    snprintf(scheme, sizeof scheme, "mujoco:d0=%g,dwidth=%g,restitution=own,timeconst=%.15g", d, d, 1 / w);
    for (unsigned seed = 0; seed < 4; seed++) {
      const double h = random_step(2e-3 / w, seed);
      const derivative_case velocity = {"bouncing-ball", scheme, end, "v0", "q0", v, h},
                            place = {"bouncing-ball", scheme, end, "q0", "q0", q, h};
      assert_between(value_of(&velocity, h, "plain") / v, 0.98, 1.02);
      assert_between(value_of(&place, h, "plain") / q, 0.98, 1.02);
    }
    assert_between(v / w, -0.4, -0.2);
  }
}

/* --- differences --- */

/* Root mean square error of the central difference over phases of the grid. */
static double error_of_difference(const derivative_case *c, double h, double delta)
{
  char tangent[60];
  double square = 0;
  snprintf(tangent, sizeof tangent, "difference:delta=%.15g", delta);
  for (unsigned seed = 0; seed < PHASES; seed++) {
    square += pow(value_of(c, random_step(h, seed), tangent) - c->exact, 2) / PHASES;
  }
  return sqrt(square);
}

/* For delta >> h the error of a difference is |1 - D| V h/(2 sqrt(6) delta) by the phase, and D'' delta^2/6, with the exact derivative
 * D = (1 + e) (T/sqrt(q0) - 1) - e, D'' = 3/4 (1 + e) T, V = 2. Their sum is least at delta ~ h^(1/3), where it is ~ h^(2/3). */
DLS_TEST(the_best_differences_are_over_the_third_root_of_h)
{
  const double T = 1.4, e = 0.5, D = -e + (1 + e) * (T - 1), V = 2;
  const double noise = (1 - D) * V / (2 * sqrt(6)), bias = 0.125 * (1 + e) * T,
               best = cbrt(noise / (sqrt(2) * bias)), least = hypot(noise / best, bias * best * best);
  const derivative_case c = {"bouncing-ball", "moreau-jean", T, "q0", "q0", D, 1e-2};
  for (int level = 0; level < DLS_TEST_CASES(3, 2); level++) {
    const double h = 4e-3 * pow(0.125, level), third = cbrt(h);
    const double shorter = error_of_difference(&c, h, 0.5 * best * third),
                 error = error_of_difference(&c, h, best * third),
                 longer = error_of_difference(&c, h, 2 * best * third);
    assert_between(shorter / error, 1.2, 2.3);
    assert_between(error / (third * third), 0.75 * least, 1.35 * least);
    assert_between(longer / error, 1.8, 2.9);
  }
}

/* --- friction --- */

/* Capture into stick passes the saltation matrix. */
DLS_TEST(captures_have_order_one)
{
  static const char *const schemes[] = {"moreau-jean:theta=1", "moreau-jean"};
  for (size_t i = 0; i < 2; i++) {
    const derivative_case c = {"belt", schemes[i], 3, "q0", "vb", 1.951466286578, 1e-2};
    double finest;
    assert_between(order_of(&c, "plain", &finest), 0.9, 1.2);
  }
}

/* A reversal multiplies du_T by a+/a-, a step with fixed modes by 0 with the share 1 - a+/a-, else by 1: right on average. A block that
 * turns on an incline: a+- = g (sin alpha -+ mu cos alpha). */
DLS_TEST(reversals_are_right_on_average)
{
  const double factor = (0.5 - 0.3 * sqrt(0.75)) / (0.5 + 0.3 * sqrt(0.75));
  enum { MANY = 400 };
  const derivative_case c = {"incline:mu=0.3,v0=2", "moreau-jean", 2.0173, "v0", "v0", factor, 1e-2};
  size_t ones = 0;
  for (unsigned seed = 0; seed < MANY; seed++) {
    const double x = value_of(&c, random_step(c.step, seed), "plain");
    assert_true(fabs(x) < 1e-6 || fabs(x - 1) < 1e-6);
    ones += x > 0.5;
  }
  assert_between((double)ones / MANY, factor - 0.05, factor + 0.05);
  assert_close(value_of(&c, c.step, "saltation"), factor, 1e-6);
}

/* A release with mu_s > mu passes the identity, as the status is memory: nothing of Fs, where 0.947 is right. */
DLS_TEST(releases_are_missed)
{
  for (unsigned seed = 0; seed < 5; seed++) {
    const derivative_case c = {"belt:Fs=1.5", "moreau-jean", 4.5, "q0", "Fs", 0.9471880442158, 1e-2};
    assert_close(value_of(&c, random_step(c.step, seed), "plain"), 0, 1e-6);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moreau_jean_has_the_determinant_minus_e),
      cmocka_unit_test(schatzman_paoli_is_right_on_average_only),
      cmocka_unit_test(inelastic_landings_leave_nothing),
      cmocka_unit_test(nodes_without_an_impact_law_have_2_over_h),
      cmocka_unit_test(located_impacts_pass_the_saltation_matrix),
      cmocka_unit_test(located_impacts_without_the_force_have_minus_e),
      cmocka_unit_test(projected_gaps_lose_the_share_of_the_position),
      cmocka_unit_test(springs_need_h_k_small),
      cmocka_unit_test(spring_contacts_have_the_mean_of_their_motion),
      cmocka_unit_test(clamped_dampers_diverge_with_the_stiffness),
      cmocka_unit_test(conserving_penalties_err_by_h_root_kappa),
      cmocka_unit_test(conserving_penalties_have_order_two),
      cmocka_unit_test(forces_with_continuous_slopes_have_less_spread),
      cmocka_unit_test(hunt_crossley_contacts_spread_by_k_h),
      cmocka_unit_test(mujoco_misses_the_entry),
      cmocka_unit_test(the_best_differences_are_over_the_third_root_of_h),
      cmocka_unit_test(captures_have_order_one),
      cmocka_unit_test(reversals_are_right_on_average),
      cmocka_unit_test(releases_are_missed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
