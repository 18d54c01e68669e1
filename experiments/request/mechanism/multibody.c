/* experiments/request/mechanism/multibody.c -- the model `multibody`: a mechanism that a file describes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/base/text.h"
#include "experiments/request/mechanism/mechanism_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const mechanism_keys[DLS_MECHANISM_KEYS] = {[DLS_MECHANISM_GRAVITY] = "gravity",
                                                               [DLS_MECHANISM_BODIES] = "bodies",
                                                               [DLS_MECHANISM_JOINTS] = "joints",
                                                               [DLS_MECHANISM_SPRINGS] = "springs",
                                                               [DLS_MECHANISM_CONTACTS] = "contacts"};

/* What a loaded model owns. */
typedef struct mechanism_model {
  dls_pool pool; /* of the arrays */
  dls_mechanism m;
} mechanism_model;

static const dls_option no_parameters[] = {{0}};
static const dls_file_slot files[] = {
    {"mechanism", "bodies, joints, springs and contacts in YAML, SI units", true}, {0}};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const mechanism_model *data = self->data;
  (void)p;
  return dls_mechanism_system(&data->m, out, err);
}

static void release(dls_model *model)
{
  mechanism_model *data = model->data;
  if (data != NULL) {
    dls_pool_release(&data->pool);
    free(data);
  }
}

/* --- from the tree --- */

static size_t count_of(const dls_yaml_node *list)
{
  return list != NULL && list->kind == DLS_YAML_LIST ? dls_yaml_count(list) : 0;
}

static size_t count_points(const dls_yaml_node *bodies)
{
  size_t count = 0;
  for (const dls_yaml_node *body = bodies->first; body != NULL; body = body->next) {
    const dls_yaml_node *points = dls_yaml_get(body, "points");
    count += points != NULL ? dls_yaml_count(points) : 0;
  }
  return count;
}

/* Room for all that the lists can make, in the model. */
static bool make_room(dls_mechanism_reader *r, const dls_yaml_node *const *values, dls_pool *pool)
{
  const size_t bodies = count_of(values[DLS_MECHANISM_BODIES]);
  r->m.joint_count = count_of(values[DLS_MECHANISM_JOINTS]);
  r->m.spring_count = count_of(values[DLS_MECHANISM_SPRINGS]);
  r->m.touch_count = count_of(values[DLS_MECHANISM_CONTACTS]);
  r->m.bodies = r->bodies = dls_pool_take(pool, (bodies + 1) * sizeof *r->bodies);
  r->m.joints = dls_pool_take(pool, (r->m.joint_count + 1) * sizeof *r->m.joints);
  r->m.springs = dls_pool_take(pool, (r->m.spring_count + 1) * sizeof *r->m.springs);
  r->m.touches = dls_pool_take(pool, (r->m.touch_count + 1) * sizeof *r->m.touches);
  r->points =
      dls_pool_take(r->yaml->pool, (count_points(values[DLS_MECHANISM_BODIES]) + 1) * sizeof *r->points);
  return !pool->failed && !r->yaml->pool->failed;
}

static void keep_marks(dls_mechanism_reader *r, dls_pool *pool)
{
  dls_end *marks = dls_pool_take(pool, (r->m.mark_count + 1) * sizeof *marks);
  for (size_t i = 0; i < r->m.mark_count && marks != NULL; i++) {
    marks[i] = r->points[i].end;
  }
  r->m.marks = marks;
}

static void read_parts(dls_mechanism_reader *r, const dls_yaml_node *const *values)
{
  const dls_yaml_node *gravity = values[DLS_MECHANISM_GRAVITY];
  dls_mechanism_read_list(r, values[DLS_MECHANISM_BODIES], "bodies", dls_mechanism_read_body);
  if (!r->failed && r->m.body_count == 0) {
    dls_mechanism_report(r, values[DLS_MECHANISM_BODIES]->mark,
                         "bodies is an empty list: a mechanism needs one at least");
  }
  if (gravity != NULL && r->m.dim != 0) {
    dls_mechanism_read_numbers(r, gravity, "gravity", r->m.dim, r->m.gravity);
  }
  dls_mechanism_read_list(r, values[DLS_MECHANISM_JOINTS], "joints", dls_mechanism_read_joint);
  dls_mechanism_read_list(r, values[DLS_MECHANISM_SPRINGS], "springs", dls_mechanism_read_spring);
  dls_mechanism_read_list(r, values[DLS_MECHANISM_CONTACTS], "contacts", dls_mechanism_read_contact);
}

dls_model *dls_mechanism_model(dls_yaml_reader *yaml, const dls_yaml_node *const values[DLS_MECHANISM_KEYS])
{
  extern const dls_model dls_model_multibody;
  dls_mechanism_reader r = {.yaml = yaml};
  dls_model *model = malloc(sizeof *model);
  mechanism_model *data = calloc(1, sizeof *data);
  if (model == NULL || data == NULL) {
    free(model);
    free(data);
    yaml->pool->failed = true;
    return NULL;
  }
  *model = dls_model_multibody;
  model->files = NULL;
  model->load = NULL;
  model->data = data;
  model->release = release;
  if (make_room(&r, values, &data->pool)) {
    read_parts(&r, values);
    keep_marks(&r, &data->pool);
  }
  data->m = r.m;
  yaml->pool->failed = yaml->pool->failed || data->pool.failed;
  if (r.failed || yaml->pool->failed) {
    dls_model_release(model);
    return NULL;
  }
  return model;
}

/* --- from a file --- */

/* The first thing that is wrong, and how many more. */
typedef struct complaints {
  size_t count;
  dls_yaml_mark mark;
  char text[240];
} complaints;

static void complain(void *data, dls_yaml_mark mark, const char *message)
{
  complaints *c = data;
  const bool earlier = mark.line < c->mark.line || (mark.line == c->mark.line && mark.column < c->mark.column);
  if (c->count++ == 0 || earlier) {
    c->mark = mark;
    snprintf(c->text, sizeof c->text, "%s", message);
  }
}

/* The keys of a mechanism; those of a study beside them, if it is one. */
static void read_root(dls_yaml_reader *r, const dls_yaml_node *root, dls_model **out)
{
  static const char *const keys[] = {"gravity", "bodies", "joints", "springs", "contacts", "title", "source"};
  const dls_yaml_node *values[DLS_MECHANISM_KEYS];
  const bool study = dls_yaml_get(root, "kind") != NULL || dls_yaml_get(root, "studies") != NULL;
  if (root->kind != DLS_YAML_MAPPING) {
    dls_yaml_report(r, root->mark, "a mechanism is a mapping of keys to values, but this is %s",
                    dls_yaml_kind_text(root->kind));
    return;
  }
  if (!study) {
    dls_yaml_refuse_unknown(r, root, keys, sizeof keys / sizeof keys[0], "of a mechanism");
  }
  for (size_t i = 0; i < DLS_MECHANISM_KEYS; i++) {
    values[i] = dls_yaml_get(root, mechanism_keys[i]);
  }
  if (values[DLS_MECHANISM_BODIES] == NULL) {
    dls_yaml_report(r, root->mark, "key 'bodies' is missing: a mechanism is made of them");
    return;
  }
  *out = dls_mechanism_model(r, values);
}

dls_status dls_mechanism_read(const char *name, const char *text, size_t size, dls_yaml_mark *mark,
                              dls_model **out, dls_error *err)
{
  complaints c = {0};
  *out = NULL;
  dls_pool pool = {0};
  dls_yaml_reader r = {&pool, {complain, &c}};
  const dls_yaml_node *root = dls_yaml_read(&pool, text, size, &r.sink);
  if (root != NULL) {
    read_root(&r, root, out);
  }
  const bool failed = pool.failed;
  dls_pool_release(&pool);
  *mark = c.mark;
  if (c.count == 0 && !failed) {
    return DLS_OK;
  }
  dls_model_release(*out);
  *out = NULL;
  if (failed) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the mechanism %.200s", name);
  }
  char more[40] = "";
  if (c.count > 1) {
    snprintf(more, sizeof more, " (and %zu more)", c.count - 1);
  }
  return dls_fail(err, DLS_ERR_PARSE, "%.100s:%zu:%zu: %s%s", name, c.mark.line, c.mark.column, c.text, more);
}

static dls_status load(const dls_model *self, const char *const *paths, dls_model **out, dls_error *err)
{
  const char *path = paths[0];
  dls_yaml_mark mark;
  (void)self;
  *out = NULL;
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return dls_fail(err, dls_unread_status(errno), "cannot read %.200s: %s", path, strerror(errno));
  }
  char *text = malloc(DLS_YAML_MOST_BYTES + 1); /* one more than is read: what is longer is told to be */
  const size_t size = text != NULL ? fread(text, 1, DLS_YAML_MOST_BYTES + 1, file) : 0;
  dls_status status = text == NULL ? dls_fail(err, DLS_ERR_MEMORY, "out of memory for %.200s", path) : DLS_OK;
  if (status == DLS_OK && ferror(file)) {
    status = dls_fail(err, dls_unread_status(errno), "cannot read %.200s: %s", path, strerror(errno));
  }
  fclose(file);
  status = status != DLS_OK ? status : dls_mechanism_read(path, text, size, &mark, out, err);
  free(text);
  return status;
}

const dls_model dls_model_multibody = {
    .name = "multibody",
    .summary = "a mechanism from a file: bodies, joints, springs and contacts, in the plane or in space",
    .source = "the file; coordinates: J. Garcia de Jalon, E. Bayo 1994; P. Betsch, P. Steinmann 2001",
    .equations =
        "M v' = F + G mu + H p,  Phi(t,q) = 0,  g(q) >= 0  in natural coordinates: constant M, Phi at most\n"
        "quadratic. Bodies are q = (r, d), in space (r, d1, d2, d3), with |d| = 1 among Phi.\n"
        "A file describes them, given like a parameter, or the keys are in a study:\n"
        "  --set mechanism=slider.yaml\n",
    .parameters = no_parameters,
    .create = create,
    .sketch = dls_mechanism_sketch,
    .files = files,
    .load = load,
};
