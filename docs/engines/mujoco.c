/* mujoco.c -- MuJoCo: contacts are compliant, so restitution is damping. While one acts, the acceleration of its gap r is
 *   r'' = -d (b r' + k r) + (1 - d) a0,  force >= 0,  a0: the acceleration without contact, d: the impedance
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SOFT, STIFF, SCENE = 8000 };
static const char *const variants[] = {[SOFT] = "mujoco", [STIFF] = "mujoco-stiff", NULL};
static const double frequency[] = {[SOFT] = 100, [STIFF] = 300}; /* sqrt(k) [1/s] */
static const double impedance = 0.9999;                          /* the largest that is allowed */

static struct {
  size_t variant;
  double damping; /* ratio to the critical one */
  mjModel *model;
  mjData *data;
} mujoco;

/* Damping ratio zeta = sin(phi) of a contact that does not pull: e = exp(-(pi - 2 phi) tan(phi)), from exp(-2) up; critical below. */
static double damping_of(double e)
{
  const double half = acos(0);
  double low = 0, high = half;
  for (int i = 0; i < 100; i++) {
    const double phi = (low + high) / 2;
    *(exp(-2 * (half - phi) * tan(phi)) > e ? &low : &high) = phi;
  }
  return sin(low);
}

static void add_text(char *scene, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const size_t used = strlen(scene);
  vsnprintf(scene + used, SCENE - used, format, arguments);
  va_end(arguments);
}

static void add_body(char *scene, const engine_body *b)
{
  add_text(scene, "<body pos='%.17g 0 %.17g'><freejoint/><geom mass='%.17g' ", b->x, b->y, b->m);
  if (b->shape == ENGINE_BALL) {
    add_text(scene, "type='sphere' size='%.17g'", b->half);
  } else {
    add_text(scene, "type='box' size='%.17g %.17g %.17g'", 2 * b->half, 2 * b->half, b->half);
  }
  add_text(scene, "/></body>");
}

/* The scene in MuJoCo's XML; z is upwards. */
static void write_scene(const engine_problem *p, char *scene)
{
  const double omega = frequency[mujoco.variant];
  add_text(scene, "<mujoco><option gravity='%.17g 0 %.17g' cone='elliptic'/>", engine_gravity_x(p),
           engine_gravity_y(p));
  add_text(scene, "<default><geom condim='%d' friction='%.17g' solref='%.17g %.17g' solimp='%g %g'/></default>",
           p->mu > 0 ? 3 : 1, p->mu, -omega * omega, -2 * mujoco.damping * omega, impedance, impedance);
  add_text(scene, "<worldbody><geom type='plane' size='10 10 1'/>");
  for (size_t i = 0; i < p->count; i++) {
    add_body(scene, &p->body[i]);
  }
  add_text(scene, "</worldbody></mujoco>");
}

static void load(const char *scene)
{
  char error[1000] = "";
  mjVFS *files = malloc(sizeof *files);
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "scene.xml", (int)strlen(scene));
  memcpy(files->filedata[0], scene, strlen(scene));
  mujoco.model = mj_loadXML("scene.xml", files, error, sizeof error);
  mj_deleteVFS(files);
  free(files);
  if (mujoco.model == NULL) {
    fprintf(stderr, "MuJoCo: %s\n", error);
    exit(1);
  }
  mujoco.data = mj_makeData(mujoco.model);
}

static void start(const engine_problem *p, size_t variant)
{
  char scene[SCENE] = "";
  mujoco.variant = variant;
  mujoco.damping = damping_of(p->e);
  write_scene(p, scene);
  load(scene);
  for (size_t i = 0; i < p->count; i++) {
    mujoco.data->qvel[6 * i] = p->body[i].vx;
    mujoco.data->qvel[6 * i + 2] = p->body[i].vy;
  }
}

static void settings(FILE *out)
{
  const double omega = frequency[mujoco.variant];
  fprintf(out,
          "solref -%g -%g (damping ratio %.4g), solimp %g, elliptic cones, integrator Euler, springs by forces",
          omega * omega, 2 * mujoco.damping * omega, mujoco.damping, impedance);
}

static void push(size_t body, double force)
{
  mujoco.data->xfrc_applied[6 * (body + 1) + 2] = force; /* body 0 is the world */
}

static void step(double h)
{
  mujoco.model->opt.timestep = h;
  mj_step(mujoco.model, mujoco.data);
}

static engine_state state(size_t body)
{
  const mjtNum *q = mujoco.data->qpos + 7 * body, *v = mujoco.data->qvel + 6 * body;
  return (engine_state){q[0], q[2], v[0], v[2]};
}

static void stop(void)
{
  mj_deleteData(mujoco.data);
  mj_deleteModel(mujoco.model);
}

const engine the_engine = {variants, start, settings, push, step, state, stop};
