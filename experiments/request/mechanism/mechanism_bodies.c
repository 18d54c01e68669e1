/* experiments/request/mechanism/mechanism_bodies.c -- bodies and their points.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/mechanism/mechanism_reader.h"

#include <string.h>

static const char *const keys[] = {"name",  "type",     "mass", "inertia", "at",
                                   "angle", "velocity", "spin", "points",  "along"};
enum { KEYS = sizeof keys / sizeof keys[0] };

static void check_name(dls_mechanism_reader *r, const dls_yaml_node *entry, const dls_body *body)
{
  const dls_yaml_node *name = dls_yaml_get(entry, "name");
  if (name == NULL) {
    dls_mechanism_report(r, entry->mark,
                         "key 'name' is missing: joints and contacts speak of a body by its name");
  } else if (strcmp(body->name, "ground") == 0) {
    dls_mechanism_report(r, name->mark, "name = 'ground' is that of the ground");
  }
  for (size_t i = 0; name != NULL && i < r->m.body_count; i++) {
    if (strcmp(r->bodies[i].name, body->name) == 0) {
      dls_mechanism_report(r, name->mark, "name = '%s' is given twice", body->name);
    }
  }
}

static dls_body_kind kind_of(dls_mechanism_reader *r, const dls_yaml_node *entry)
{
  const dls_yaml_node *type = dls_yaml_get(entry, "type");
  const size_t i = type != NULL ? dls_mechanism_read_word(r, type, "type", dls_body_kind_names, DLS_BODY_KINDS)
                                : (size_t)DLS_BODY_RIGID;
  return i < DLS_BODY_KINDS ? (dls_body_kind)i : DLS_BODY_RIGID;
}

/* The first body says whether the mechanism is one of the plane. */
static void find_dimension(dls_mechanism_reader *r, const dls_yaml_node *entry)
{
  const dls_yaml_node *at = dls_yaml_get(entry, "at");
  const size_t count = at != NULL && at->kind == DLS_YAML_LIST ? dls_yaml_count(at) : 0;
  if (r->m.dim == 0 && at != NULL && count != 2 && count != 3) {
    dls_mechanism_report(r, at->mark, "at must be [x, y] in the plane or [x, y, z] in space");
  }
  r->m.dim = r->m.dim != 0 ? r->m.dim : count == 3 ? 3 : 2;
}

/* Told where a key is given that the kind of body has no use for. */
static void refuse(dls_mechanism_reader *r, const dls_yaml_node *entry, const char *key, const char *why)
{
  const dls_yaml_node *node = dls_yaml_get(entry, key);
  if (node != NULL) {
    dls_mechanism_report(r, node->key_mark, "%s is of no use here: %s", key, why);
  }
}

static void refuse_useless(dls_mechanism_reader *r, const dls_yaml_node *entry, dls_body_kind kind)
{
  if (kind != DLS_BODY_ROD) {
    refuse(r, entry, "along", "it is the direction of a rod");
  }
  if (kind == DLS_BODY_ROD) {
    refuse(r, entry, "angle", "a rod has its direction `along`");
  }
  if (kind == DLS_BODY_POINT) {
    static const char *const none[] = {"inertia", "angle", "spin", "points"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
      refuse(r, entry, none[i], "a point does not turn, and has no other points");
    }
  }
}

/* The numbers of a body; in the plane angle, inertia and spin are single ones. */
static void read_numbers(dls_mechanism_reader *r, const dls_yaml_node *entry, dls_body *body)
{
  const size_t dim = r->m.dim, turn = dim == 2 ? 0 : 3;
  const bool rod = body->kind == DLS_BODY_ROD, point = body->kind == DLS_BODY_POINT;
  const dls_field fields[] = {{"mass", &body->mass, 0, true},
                              {"at", body->at, dim, true},
                              {"velocity", body->velocity, dim, false},
                              {"inertia", body->inertia, rod ? 0 : turn, true},
                              {"spin", body->spin, turn, false},
                              {rod ? "along" : "angle", body->angle, rod ? dim : turn, rod},
                              {NULL, NULL, 0, false}};
  const dls_field massive[] = {fields[0], fields[1], fields[2], {NULL, NULL, 0, false}};
  dls_mechanism_read_fields(r, entry, point ? massive : fields);
}

/* points: {NAME: [x, y]}; of a rod {NAME: x} */
static void read_points(dls_mechanism_reader *r, const dls_yaml_node *points, size_t body)
{
  const bool rod = r->bodies[body].kind == DLS_BODY_ROD;
  if (points->kind != DLS_YAML_MAPPING) {
    dls_mechanism_report(r, points->mark, "points must be NAME: %s for each, but this is %s",
                         rod             ? "X"
                         : r->m.dim == 2 ? "[X, Y]"
                                         : "[X, Y, Z]",
                         dls_yaml_kind_text(points->kind));
    return;
  }
  for (const dls_yaml_node *node = points->first; node != NULL; node = node->next) {
    dls_named_point *point = &r->points[r->m.mark_count++];
    *point = (dls_named_point){node->key, {body, {0}}};
    dls_mechanism_read_numbers(r, node, node->key, rod ? 0 : r->m.dim, point->end.at);
    if (strchr(node->key, '.') != NULL || node->key[0] == '\0') {
      dls_mechanism_report(r, node->key_mark, "the name of a point must not be empty, or have a dot");
    }
  }
}

void dls_mechanism_read_body(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i)
{
  dls_error err = {0};
  const bool failed = r->failed;
  dls_body *body = &r->bodies[i];
  r->failed = false;
  if (dls_mechanism_check_keys(r, entry, keys, KEYS, "an entry of bodies")) {
    find_dimension(r, entry);
    body->kind = kind_of(r, entry);
    dls_mechanism_read_name(r, entry, "", body->name);
    check_name(r, entry, body);
    refuse_useless(r, entry, body->kind);
    read_numbers(r, entry, body);
    if (dls_yaml_get(entry, "points") != NULL && body->kind != DLS_BODY_POINT) {
      read_points(r, dls_yaml_get(entry, "points"), i);
    }
  }
  r->m.body_count = i + 1;
  if (!r->failed && dls_body_check(&r->m, body, &err) != DLS_OK) {
    dls_mechanism_report(r, entry->mark, "body %s: %s", body->name, err.text);
  }
  r->failed = r->failed || failed;
}
