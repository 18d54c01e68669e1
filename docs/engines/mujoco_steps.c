/* mujoco_steps.c -- 100 steps of MuJoCo itself, for comparison with the scheme mujoco: mujoco_steps PROBLEM CONE STEP writes
 * t, the coordinates and the velocities of the problem, a row a step. Bodies have three slides, so that A^ of the library is W_NN.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, ROOM = 4000, NAMES = 3 };
static const struct {
  const char *name;
  int bodies, plane; /* plane: coordinate x too */
  double x_gravity, z_gravity, friction;
} problems[] = {{"ball", 1, 0, 0, -2, 0},
                {"incline", 1, 1, -9.81 * 0.5, -8.4957092111253443, 0.3},
                {"two-balls", 2, 0, 0, -9.81, 0}};

static int usage(void)
{
  fprintf(stderr, "mujoco_steps ball|incline|two-balls pyramidal|elliptic STEP\n");
  return 2;
}

static mjModel *load(const char *scene)
{
  char error[1000] = "";
  mjVFS *files = malloc(sizeof *files);
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "scene.xml", (int)strlen(scene));
  memcpy(files->filedata[0], scene, strlen(scene));
  mjModel *model = mj_loadXML("scene.xml", files, error, sizeof error);
  mj_deleteVFS(files);
  free(files);
  if (model == NULL) {
    fprintf(stderr, "MuJoCo: %s\n", error);
    exit(1);
  }
  return model;
}

int main(int count, char **words)
{
  int k = 0;
  while (count == 4 && k < NAMES && strcmp(problems[k].name, words[1]) != 0) {
    k++;
  }
  if (count != 4 || k == NAMES) {
    return usage();
  }
  char scene[ROOM];
  size_t used =
      (size_t)snprintf(scene, ROOM,
                       "<mujoco><option timestep='%s' cone='%s' tolerance='0' gravity='%.17g 0 %.17g'/>"
                       "<default><geom condim='%d' friction='%.17g'/></default><worldbody>"
                       "<geom type='plane' size='10 10 1'/>",
                       words[3], words[2], problems[k].x_gravity, problems[k].z_gravity,
                       problems[k].friction > 0 ? 3 : 1, problems[k].friction);
  for (int i = 0; i < problems[k].bodies;
       i++) { /* of radius 1/2, one above the other, in their places for q = 0 */
    used += (size_t)snprintf(
        scene + used, ROOM - used,
        "<body pos='0 0 %g'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<joint type='slide' axis='0 0 1'/><geom type='sphere' size='0.5' mass='1'/></body>",
        0.5 + i);
  }
  snprintf(scene + used, ROOM - used, "</worldbody></mujoco>");
  mjModel *model = load(scene);
  mjData *data = mj_makeData(model);
  for (int i = 0; i < problems[k].bodies && !problems[k].plane; i++) {
    data->qpos[3 * i + 2] = 0.1 * (i + 1); /* gaps of 0.1 m */
  }
  data->qvel[0] = problems[k].plane ? 2 : 0;
  for (int step = 0; step <= STEPS; step++) {
    printf("%.17g", data->time);
    for (int part = 0; part < 2; part++) {
      const double *x = part == 0 ? data->qpos : data->qvel;
      for (int i = 0; i < problems[k].bodies; i++) {
        if (problems[k].plane) {
          printf(",%.17g", x[3 * i]);
        }
        printf(",%.17g",
               x[3 * i + 2] +
                   (part == 0 && problems[k].bodies > 1 ? 0.5 + i : 0)); /* a column counts from the floor */
      }
    }
    printf("\n");
    mj_step(model, data);
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
