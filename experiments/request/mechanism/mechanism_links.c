/* experiments/request/mechanism/mechanism_links.c -- joints, springs and contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/mechanism/mechanism_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- ends: body, body.point, ground, or a place of the ground --- */

static size_t find_body(dls_mechanism_reader *r, const dls_yaml_node *node, const char *name)
{
  const char **names = dls_pool_take(r->yaml->pool, (r->m.body_count + 1) * sizeof *names);
  for (size_t i = 0; i < r->m.body_count && names != NULL; i++) {
    names[i] = r->bodies[i].name;
    if (strcmp(names[i], name) == 0) {
      return i;
    }
  }
  if (names != NULL) {
    dls_mechanism_report(r, node->mark, "there is no body '%.60s'%s The bodies are: %s", name,
                         dls_yaml_guess(r->yaml, name, names, r->m.body_count),
                         dls_yaml_list(r->yaml, names, r->m.body_count));
  }
  r->failed = true;
  return DLS_GROUND;
}

static void find_point(dls_mechanism_reader *r, const dls_yaml_node *node, const char *name, dls_end *end)
{
  const char **names = dls_pool_take(r->yaml->pool, (r->m.mark_count + 1) * sizeof *names);
  size_t count = 0;
  for (size_t i = 0; i < r->m.mark_count && names != NULL; i++) {
    if (r->points[i].end.body == end->body && strcmp(r->points[i].name, name) == 0) {
      *end = r->points[i].end;
      return;
    }
    if (r->points[i].end.body == end->body) {
      names[count++] = r->points[i].name;
    }
  }
  if (names != NULL) {
    dls_mechanism_report(r, node->mark, "body %s has no point '%.60s'%s It has %s%s", r->bodies[end->body].name,
                         name, dls_yaml_guess(r->yaml, name, names, count), count > 0 ? "the points " : "none",
                         dls_yaml_list(r->yaml, names, count));
  }
  r->failed = true;
}

/* @param[out] anywhere  of "ground": where the other end is; NULL: a place must be given */
static void read_end(dls_mechanism_reader *r, const dls_yaml_node *node, dls_end *end, bool *anywhere)
{
  *end = (dls_end){.body = DLS_GROUND};
  if (node->kind == DLS_YAML_LIST) {
    dls_mechanism_read_numbers(r, node, node->key, r->m.dim, end->at);
    return;
  }
  const char *text = dls_yaml_text(r->yaml, node, node->key);
  const char *dot = text != NULL ? strchr(text, '.') : NULL;
  const char *name = dot != NULL ? dls_pool_copy(r->yaml->pool, text, (size_t)(dot - text)) : text;
  if (name == NULL) {
    r->failed = true;
  } else if (strcmp(name, "ground") == 0 && (dot != NULL || anywhere == NULL)) {
    dls_mechanism_report(r, node->mark, "%s = '%.60s' names no place: a place of the ground is written %s",
                         node->key, text, r->m.dim == 2 ? "[x, y]" : "[x, y, z]");
  } else if (strcmp(name, "ground") == 0) {
    *anywhere = true;
  } else {
    end->body = find_body(r, node, name);
    if (dot != NULL && end->body != DLS_GROUND) {
      find_point(r, node, dot + 1, end);
    }
  }
}

/* An end that must be there. */
static void read_end_of(dls_mechanism_reader *r, const dls_yaml_node *entry, const char *key, dls_end *end,
                        bool *anywhere)
{
  const dls_yaml_node *node = dls_yaml_get(entry, key);
  if (node != NULL) {
    read_end(r, node, end, anywhere);
  } else {
    dls_mechanism_report(r, entry->mark, "key '%s' is missing: BODY, BODY.POINT%s", key,
                         anywhere != NULL ? ", ground or a place [x, y] of the ground"
                                          : " or a place [x, y] of the ground");
  }
}

/* Ends a and b; of "ground" the place of the other end at the start. */
static void read_ends(dls_mechanism_reader *r, const dls_yaml_node *entry, bool must_be_placed, dls_end *a,
                      dls_end *b)
{
  bool a_anywhere = false, b_anywhere = false;
  read_end_of(r, entry, "a", a, must_be_placed ? NULL : &a_anywhere);
  read_end_of(r, entry, "b", b, must_be_placed ? NULL : &b_anywhere);
  if (a_anywhere && !r->failed) {
    dls_mechanism_place(&r->m, b, a->at);
  }
  if (b_anywhere && !r->failed) {
    dls_mechanism_place(&r->m, a, b->at);
  }
}

/* What the core finds wrong with a part that was read. */
static void check(dls_mechanism_reader *r, const dls_yaml_node *entry, const char *kind, const char *name,
                  dls_status status, const dls_error *err)
{
  if (status != DLS_OK) {
    dls_mechanism_report(r, entry->mark, "%s %s: %s", kind, name, err->text);
  }
}

/* --- joints --- */

enum { JOINT_KEYS = 9 };

/* The keys of a kind: all joints have the first four. */
static size_t keys_of(const dls_mechanism_reader *r, dls_joint_kind kind, const char *keys[JOINT_KEYS])
{
  static const char *const all[] = {"type",   "name",  "a",         "b",        "axis",
                                    "length", "speed", "amplitude", "frequency"};
  size_t count = 4;
  const bool turns = kind == DLS_JOINT_REVOLUTE || kind == DLS_JOINT_DRIVEN;
  memcpy(keys, all, 4 * sizeof *keys);
  if (kind == DLS_JOINT_PRISMATIC || kind == DLS_JOINT_CYLINDRICAL || (turns && r->m.dim == 3)) {
    keys[count++] = "axis";
  }
  if (kind == DLS_JOINT_DISTANCE) {
    keys[count++] = "length";
  }
  for (size_t i = 6; i < JOINT_KEYS && kind == DLS_JOINT_DRIVEN; i++) {
    keys[count++] = all[i];
  }
  return count;
}

static void read_joint_numbers(dls_mechanism_reader *r, const dls_yaml_node *entry, const char *const *keys,
                               size_t count, dls_joint *joint)
{
  const bool axis = dls_yaml_find("axis", keys, count) < count;
  const dls_field fields[] = {{"axis", joint->axis, r->m.dim, axis},
                              {"length", &joint->length, 0, false},
                              {"speed", &joint->speed, 0, joint->kind == DLS_JOINT_DRIVEN},
                              {"amplitude", &joint->amplitude, 0, false},
                              {"frequency", &joint->frequency, 0, false},
                              {NULL, NULL, 0, false}};
  dls_mechanism_read_fields(r, entry, axis ? fields : fields + 1);
  const dls_yaml_node *length = dls_yaml_get(entry, "length");
  if (length != NULL && joint->length == 0 && !r->failed) {
    dls_mechanism_report(r, length->mark, "length = 0 m must be > 0");
  }
}

void dls_mechanism_read_joint(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i)
{
  dls_error err = {0};
  const char *keys[JOINT_KEYS];
  const bool failed = r->failed;
  dls_joint *joint = (dls_joint *)&r->m.joints[i]; /* in an array of this reader */
  const dls_yaml_node *type = dls_yaml_get(entry, "type");
  r->failed = false;
  if (type == NULL) {
    dls_mechanism_report(r, entry->mark, "key 'type' is missing: one of %s",
                         dls_yaml_list(r->yaml, dls_joint_kind_names, DLS_JOINT_KINDS));
    return;
  }
  const size_t kind = dls_mechanism_read_word(r, type, "type of joint", dls_joint_kind_names, DLS_JOINT_KINDS);
  if (kind == DLS_JOINT_KINDS) {
    return;
  }
  joint->kind = (dls_joint_kind)kind;
  const size_t count = keys_of(r, joint->kind, keys);
  char where[60], other[DLS_PART_NAME];
  snprintf(where, sizeof where, "a %s joint", dls_joint_kind_names[kind]);
  snprintf(other, sizeof other, "%.11s %zu", dls_joint_kind_names[kind], i + 1);
  dls_mechanism_check_keys(r, entry, keys, count, where);
  dls_mechanism_read_name(r, entry, other, joint->name);
  read_ends(r, entry, joint->kind == DLS_JOINT_DISTANCE, &joint->a, &joint->b);
  read_joint_numbers(r, entry, keys, count, joint);
  if (!r->failed && !failed) {
    check(r, entry, "joint", joint->name, dls_joint_check(&r->m, joint, &err), &err);
  }
  r->failed = r->failed || failed;
}

/* --- springs --- */

void dls_mechanism_read_spring(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i)
{
  static const char *const keys[] = {"name", "a", "b", "stiffness", "length", "damping"};
  dls_error err = {0};
  const bool failed = r->failed;
  dls_spring *spring = (dls_spring *)&r->m.springs[i];
  const dls_field fields[] = {{"stiffness", &spring->stiffness, 0, true},
                              {"length", &spring->length, 0, true},
                              {"damping", &spring->damping, 0, false},
                              {NULL, NULL, 0, false}};
  char other[DLS_PART_NAME];
  r->failed = false;
  snprintf(other, sizeof other, "%zu", i + 1);
  if (dls_mechanism_check_keys(r, entry, keys, sizeof keys / sizeof keys[0], "an entry of springs")) {
    dls_mechanism_read_name(r, entry, other, spring->name);
    read_ends(r, entry, true, &spring->a, &spring->b);
    dls_mechanism_read_fields(r, entry, fields);
  }
  if (!r->failed && !failed) {
    check(r, entry, "spring", spring->name, dls_spring_check(&r->m, spring, &err), &err);
  }
  r->failed = r->failed || failed;
}

/* --- contacts --- */

/* What a sphere or corner meets: a key, of which one is given. */
static const dls_yaml_node *one_of(dls_mechanism_reader *r, const dls_yaml_node *entry, const char *const *keys,
                                   size_t count)
{
  const dls_yaml_node *found = NULL;
  for (size_t i = 0; i < count; i++) {
    const dls_yaml_node *node = dls_yaml_get(entry, keys[i]);
    if (node != NULL && found != NULL) {
      dls_mechanism_report(r, node->key_mark, "%s and %s are both given: one of them is enough", found->key,
                           keys[i]);
    }
    found = found != NULL ? found : node;
  }
  if (found == NULL) {
    dls_mechanism_report(r, entry->mark, "one of the keys %s is missing", dls_yaml_list(r->yaml, keys, count));
  }
  return found;
}

/* A key that belongs to another one, which is not given. */
static void needs(dls_mechanism_reader *r, const dls_yaml_node *entry, const char *key, const char *with)
{
  const dls_yaml_node *node = dls_yaml_get(entry, key);
  if (node != NULL && dls_yaml_get(entry, with) == NULL) {
    dls_mechanism_report(r, node->key_mark, "%s is of no use without %s", key, with);
  }
}

/* plane: [nx, ny, c], sphere_b: BODY.POINT, or face: BODY.POINT */
static void read_other_side(dls_mechanism_reader *r, const dls_yaml_node *entry, dls_touch *touch)
{
  static const char *const others[] = {"plane", "sphere_b", "face"};
  double plane[4] = {0};
  const dls_yaml_node *other = one_of(r, entry, others, 3);
  if (other == NULL) {
    return;
  }
  touch->kind = (dls_touch_kind)dls_yaml_find(other->key, others, 3);
  if (touch->kind == DLS_TOUCH_PLANE) {
    dls_mechanism_read_numbers(r, other, "plane", r->m.dim + 1, plane);
    memcpy(touch->normal, plane, r->m.dim * sizeof *plane);
    touch->offset = plane[r->m.dim];
  } else {
    read_end(r, other, &touch->b, NULL);
  }
  if (touch->kind == DLS_TOUCH_FACE) {
    const dls_field normal[] = {{"normal", touch->normal, r->m.dim, true}, {NULL, NULL, 0, false}};
    dls_mechanism_read_fields(r, entry, normal);
  }
}

void dls_mechanism_read_contact(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i)
{
  static const char *const keys[] = {"name",     "sphere", "corner", "radius", "plane", "sphere_b",
                                     "radius_b", "face",   "normal", "e",      "mu"};
  static const char *const own[] = {"sphere", "corner"};
  dls_error err = {0};
  const bool failed = r->failed;
  dls_touch *touch = (dls_touch *)&r->m.touches[i];
  const dls_field fields[] = {{"e", &touch->restitution, 0, false},
                              {"mu", &touch->friction, 0, false},
                              {"radius", &touch->radius, 0, dls_yaml_get(entry, "sphere") != NULL},
                              {"radius_b", &touch->radius_b, 0, dls_yaml_get(entry, "sphere_b") != NULL},
                              {NULL, NULL, 0, false}};
  r->failed = false;
  if (dls_mechanism_check_keys(r, entry, keys, sizeof keys / sizeof keys[0], "an entry of contacts")) {
    const dls_yaml_node *mine = one_of(r, entry, own, 2);
    const bool single = mine != NULL && mine->kind == DLS_YAML_TEXT;
    dls_mechanism_read_name(r, entry, single ? mine->text : "", touch->name);
    needs(r, entry, "radius", "sphere");
    needs(r, entry, "radius_b", "sphere_b");
    needs(r, entry, "normal", "face");
    if (mine != NULL) {
      read_end(r, mine, &touch->a, NULL);
    }
    read_other_side(r, entry, touch);
    dls_mechanism_read_fields(r, entry, fields);
  }
  if (!r->failed && !failed) {
    check(r, entry, "contact", touch->name, dls_touch_check(&r->m, touch, &err), &err);
  }
  r->failed = r->failed || failed;
}
