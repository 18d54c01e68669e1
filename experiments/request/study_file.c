/* experiments/request/study_file.c -- a study file: one study, or a list of several that share what stands before it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include <stdlib.h>
#include <string.h>

enum { KIND_COUNT = 8 };

static const dls_study_kind kinds[KIND_COUNT] = {DLS_STUDY_RUN,   DLS_STUDY_COMPARE, DLS_STUDY_ORDER,
                                                 DLS_STUDY_WORK,  DLS_STUDY_ENERGY,  DLS_STUDY_SPECTRUM,
                                                 DLS_STUDY_LOCAL, DLS_STUDY_FIT};

typedef struct whole_file {
  dls_study_file file;
  dls_pool pool; /* everything */
} whole_file;

/* --- one study --- */

/* Does a key belong to a kind, and where: "" or "; it belongs to studies of kind order, energy". */
static const char *where_allowed(dls_study_reader *r, unsigned bits)
{
  const char *names[KIND_COUNT];
  size_t count = 0;
  for (size_t i = 0; i < KIND_COUNT; i++) {
    if ((bits & kinds[i]) != 0) {
      names[count++] = dls_study_kind_name(kinds[i]);
    }
  }
  return dls_yaml_list(&r->yaml, names, count);
}

/* Kinds that the keys of a study, its own and those that it shares, leave possible; all if they exclude each other. */
static unsigned kinds_of_keys(const dls_study_reader *r)
{
  unsigned bits = DLS_STUDY_ALL;
  for (dls_key_id key = 0; key < DLS_KEY_FILE_END; key++) {
    const dls_study_key *k = &r->keys[key];
    bits &= dls_yaml_get(r->own, k->name) != NULL ? k->kinds : (unsigned)DLS_STUDY_ALL;
  }
  return bits != 0 ? bits : (unsigned)DLS_STUDY_ALL;
}

/* A kind that is unknown: the one that may be meant, by its name or by the other keys, or those that they leave. */
static unsigned guess_kind(const dls_study_reader *r, const char *text, const char *const *names)
{
  const char *near = text != NULL ? dls_nearest_name(text, names, KIND_COUNT) : NULL;
  return near != NULL ? (unsigned)kinds[dls_yaml_find(near, names, KIND_COUNT)] : kinds_of_keys(r);
}

/* @param[out] known  false: reported, and what is returned is guessed
 * @return the kind; of a guess, the kinds that come into question */
static unsigned read_kind(dls_study_reader *r, bool *known)
{
  const char *names[KIND_COUNT];
  for (size_t i = 0; i < KIND_COUNT; i++) {
    names[i] = dls_study_kind_name(kinds[i]);
  }
  const dls_yaml_node *node = dls_study_value(r, DLS_KEY_KIND);
  if (node == NULL) {
    dls_study_report(r, dls_study_mark(r), "key 'kind' is missing: one of %s",
                     dls_yaml_list(&r->yaml, names, KIND_COUNT));
    *known = false;
    return guess_kind(r, NULL, names);
  }
  const char *text = dls_yaml_text(&r->yaml, node, "kind");
  const size_t i = text != NULL ? dls_yaml_find(text, names, KIND_COUNT) : KIND_COUNT;
  *known = i < KIND_COUNT;
  if (text != NULL && !*known) {
    dls_study_report(r, node->mark, "unknown kind '%.60s'%s The kinds are: %s", text,
                     dls_yaml_guess(&r->yaml, text, names, KIND_COUNT),
                     dls_yaml_list(&r->yaml, names, KIND_COUNT));
  }
  return *known ? (unsigned)kinds[i] : guess_kind(r, text, names);
}

static dls_study_kind first_kind(unsigned bits)
{
  size_t i = 0;
  while ((kinds[i] & bits) == 0) {
    i++;
  }
  return kinds[i];
}

/* Keys that are unknown, or belong to another kind; bits: the kinds of the studies that the mapping is for. */
static void check_keys(dls_study_reader *r, const dls_yaml_node *mapping, unsigned bits, const char *extra)
{
  const char *names[DLS_KEY_FILE_END + 1];
  size_t count = 0;
  for (dls_key_id key = 0; key < DLS_KEY_FILE_END; key++) {
    names[count++] = r->keys[key].name;
  }
  names[count] = extra;
  dls_yaml_refuse_unknown(&r->yaml, mapping, names, count + (extra != NULL), "of a study");
  for (dls_key_id key = 0; key < DLS_KEY_FILE_END; key++) {
    const dls_study_key *k = &r->keys[key];
    const dls_yaml_node *node = dls_yaml_get(mapping, k->name);
    if (node != NULL && (k->kinds & bits) == 0) {
      dls_study_report(r, node->key_mark, "key '%s' is not of this kind: it belongs to studies of kind %s",
                       k->name, where_allowed(r, k->kinds));
    }
  }
}

static void read_study(dls_study_reader *r, const dls_yaml_node *mapping, const dls_yaml_node *shared,
                       dls_study *out)
{
  bool known = true;
  r->own = mapping;
  r->shared = shared;
  for (dls_key_id key = 0; key < DLS_KEY_FILE_END; key++) {
    const dls_yaml_node *own = dls_yaml_get(mapping, r->keys[key].name);
    r->values[key] = own != NULL ? own : dls_yaml_get(shared, r->keys[key].name);
  }
  r->kinds = read_kind(r, &known);
  const dls_study_kind kind = first_kind(r->kinds);
  r->single = r->kinds == (unsigned)kind;
  dls_study_begin(r, out, kind);
  check_keys(r, mapping, r->single ? r->kinds : (unsigned)DLS_STUDY_ALL, shared == NULL ? "studies" : NULL);
  dls_study_read_keys(r, DLS_KEY_NAME, DLS_KEY_FILE_END);
  dls_study_check_request(r);
  out->kind = known ? out->kind : (dls_study_kind)0; /* reported; it is not compared with expectations */
}

/* --- the file --- */

static void check_name(dls_study_reader *r, const dls_yaml_node *entry, const dls_study *study)
{
  const dls_yaml_node *name = dls_yaml_get(entry, "name");
  if (name == NULL) {
    dls_study_report(r, entry->mark, "key 'name' is missing: each of a list of studies has its folder");
  } else if (study->name[0] != '\0') {
    if (dls_yaml_find(study->name, r->places.names, r->places.count) < r->places.count) {
      dls_study_report(r, name->mark, "name = '%s' is given twice", study->name);
    }
    r->places.names[r->places.count++] = study->name;
  }
}

static void refuse_name(dls_study_reader *r, const dls_yaml_node *name)
{
  dls_study_report(r, name->key_mark, "key 'name' belongs to the entries of a list of studies");
}

/* What stands beside `studies` must be of use to one of them at least. */
static void check_shared(dls_study_reader *r, const dls_yaml_node *root, const dls_study_file *file)
{
  unsigned bits = 0;
  for (size_t i = 0; i < file->study_count; i++) {
    bits |= file->studies[i].kind;
  }
  check_keys(r, root, bits != 0 ? bits : (unsigned)DLS_STUDY_ALL, "studies");
  const dls_yaml_node *name = dls_yaml_get(root, "name");
  if (name != NULL) {
    refuse_name(r, name);
  }
}

/* Room for studies, each with its request; NULL if there is no memory. */
static dls_study *take_studies(dls_study_reader *r, size_t count, dls_study_file *out)
{
  dls_study *studies = dls_pool_take(r->pool, count * sizeof *studies);
  dls_request *requests = dls_pool_take(r->pool, count * sizeof *requests);
  if (studies == NULL || requests == NULL) {
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    studies[i].request = &requests[i];
  }
  out->studies = studies;
  return studies;
}

static void read_list(dls_study_reader *r, const dls_yaml_node *root, const dls_yaml_node *list,
                      dls_study_file *out)
{
  const size_t count = list->kind == DLS_YAML_LIST ? dls_yaml_count(list) : 0;
  if (count == 0) {
    dls_study_report(r, list->mark, "studies must be a list of studies, each with a name");
    return;
  }
  dls_study *studies = take_studies(r, count, out);
  r->places.names = dls_pool_take(r->pool, count * sizeof *r->places.names);
  for (const dls_yaml_node *entry = list->first; entry != NULL && studies != NULL && r->places.names != NULL;
       entry = entry->next) {
    if (entry->kind == DLS_YAML_MAPPING) {
      dls_study *study = &studies[out->study_count++];
      read_study(r, entry, root, study);
      check_name(r, entry, study);
    } else {
      dls_study_report(r, entry->mark, "a study must be a mapping, but this is %s",
                       dls_yaml_kind_text(entry->kind));
    }
  }
  check_shared(r, root, out);
}

/* Title, source and caption of the file. */
static void read_heading(const dls_yaml_node *root, dls_study_file *out)
{
  const char **texts[] = {&out->title, &out->source, &out->caption};
  static const char *const names[] = {"title", "source", "caption"};
  for (int i = 0; i < 3; i++) {
    const dls_yaml_node *node = dls_yaml_get(root, names[i]);
    *texts[i] = node != NULL && node->kind == DLS_YAML_TEXT ? node->text : "";
  }
}

static void read_root(dls_study_reader *r, const dls_yaml_node *root, dls_study_file *out)
{
  if (root->kind != DLS_YAML_MAPPING) {
    dls_study_report(r, root->mark, "a study file is a mapping of keys to values, but this is %s",
                     dls_yaml_kind_text(root->kind));
    return;
  }
  read_heading(root, out);
  out->first_line = root->first != NULL ? root->first->key_mark.line : 1;
  out->first_column = root->first != NULL ? root->first->key_mark.column : 1;
  const dls_yaml_node *list = dls_yaml_get(root, "studies");
  if (list != NULL) {
    read_list(r, root, list, out);
    return;
  }
  dls_study *study = take_studies(r, 1, out);
  if (study != NULL) {
    const dls_yaml_node *name = dls_yaml_get(root, "name");
    out->study_count = 1;
    read_study(r, root, NULL, study);
    if (name != NULL) {
      refuse_name(r, name);
    }
  }
}

static void report(void *data, dls_yaml_mark mark, const char *message)
{
  dls_study_report(data, mark, "%s", message);
}

dls_status dls_catalogue_study_read(const struct dls_catalogue *catalogue, const char *text, size_t size,
                                    const char *folder, dls_study_file **out, dls_error *err)
{
  *out = NULL;
  whole_file *whole = calloc(1, sizeof *whole);
  if (whole == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for a study");
  }
  dls_study_reader r = {
      .keys = dls_study_keys(), .catalogue = catalogue, .pool = &whole->pool, .folder = folder};
  r.yaml = (dls_yaml_reader){&whole->pool, {report, &r}};
  const dls_yaml_node *root = dls_yaml_read(&whole->pool, text, size, &r.yaml.sink);
  whole->file.title = whole->file.source = whole->file.caption = "";
  if (root != NULL) {
    read_root(&r, root, &whole->file);
  }
  dls_study_gather_problems(&r, &whole->file);
  whole->file.starts_in_its_folder = r.has_relative_paths && dls_yaml_get(root, "folder") == NULL;
  if (whole->pool.failed) {
    dls_study_destroy(&whole->file);
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for a study of %zu bytes", size);
  }
  *out = &whole->file;
  return whole->file.problem_count == 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_PARSE, "line %zu, column %zu: %.300s", whole->file.problems[0].line,
                        whole->file.problems[0].column, whole->file.problems[0].text);
}

dls_status dls_study_read(const char *text, size_t size, dls_study_file **out, dls_error *err)
{
  return dls_catalogue_study_read(NULL, text, size, "", out, err);
}

void dls_study_destroy(dls_study_file *file)
{
  if (file != NULL) {
    whole_file *whole = (whole_file *)file; /* its first member */
    for (size_t i = 0; i < file->study_count; i++) {
      dls_request_release(file->studies[i].request);
      dls_study_release_externals(&file->studies[i]);
    }
    dls_pool_release(&whole->pool);
    free(whole);
  }
}
