/* experiments/catalogue/plugin.c -- a catalogue that grows by the entries of shared objects.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/catalogue/catalogue_entries.h"
#include "experiments/catalogue/externals.h"
#include "experiments/catalogue/plugin_check.h"
#include <delassus/graph.h>
#include <delassus/lcp.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries of any list of pointers that ends with NULL. */
static size_t count(const void *list)
{
  size_t entries = 0;
  for (const void *entry = list; entry != NULL; entries++) {
    memcpy(&entry, (const char *)list + entries * sizeof entry, sizeof entry);
    entries -= entry == NULL;
  }
  return entries;
}

/* The pointers of one list, then those of another, then NULL. */
static void *join(const void *first, const void *second)
{
  const size_t first_count = count(first), second_count = count(second);
  char *list = calloc(first_count + second_count + 1, sizeof(void *));
  if (list != NULL) {
    memcpy(list, first, first_count * sizeof(void *));
    if (second_count > 0) {
      memcpy(list + first_count * sizeof(void *), second, second_count * sizeof(void *));
    }
  }
  return list;
}

static void free_entries(dls_entries *entries)
{
  free((void *)entries->models);
  free((void *)entries->schemes);
  free((void *)entries->exacts);
  free((void *)entries->laws);
}

/* *out is the caller's to free, also on failure. */
static dls_status join_entries(const dls_entries *old, const dls_plugin *plugin, dls_entries *out,
                               dls_error *err)
{
  *out = (dls_entries){
      join(old->models, plugin->models),
      join(old->schemes, plugin->schemes),
      join(old->exacts, plugin->exacts),
      join(old->laws, plugin->laws),
  };
  return out->models != NULL && out->schemes != NULL && out->exacts != NULL && out->laws != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the catalogue");
}

/* How many things a name stands for. */
static size_t bearers(const dls_entries *entries, const char *name)
{
  size_t found = dls_norm_find(name) != NULL;
  for (const dls_lcp_method *const *method = dls_lcp_methods(); *method != NULL; method++) {
    found += strcmp((*method)->name, name) == 0;
  }
  for (const dls_model *const *model = entries->models; *model != NULL; model++) {
    found += strcmp((*model)->name, name) == 0;
  }
  for (const dls_scheme *const *scheme = entries->schemes; *scheme != NULL; scheme++) {
    found += strcmp((*scheme)->name, name) == 0;
  }
  for (const dls_law *const *law = entries->laws; *law != NULL; law++) {
    found += strcmp((*law)->name, name) == 0;
  }
  return found;
}

static dls_status check_name(const dls_entries *entries, const char *path, const char *kind, const char *name,
                             dls_error *err)
{
  return bearers(entries, name) == 1 ? DLS_OK
                                     : dls_fail(err, DLS_ERR_ARG,
                                                "plugin %.150s: the name of its %s '%.60s' is taken: a model, "
                                                "a scheme, a law, a norm or an LCP "
                                                "solver has it already",
                                                path, kind, name);
}

static dls_status check_exact(const dls_entries *entries, const char *path, const char *model, dls_error *err)
{
  size_t models = 0;
  size_t exacts = 0;
  for (const dls_model *const *m = entries->models; *m != NULL; m++) {
    models += strcmp((*m)->name, model) == 0;
  }
  for (const dls_exact *const *e = entries->exacts; *e != NULL; e++) {
    exacts += strcmp((*e)->model->name, model) == 0;
  }
  return models == 1 && exacts == 1
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "plugin %.150s has an exact solution of model '%.60s', %s", path,
                        model, models == 0 ? "which is not there" : "which has one already");
}

static dls_status check_names(const dls_entries *all, const dls_plugin *plugin, const char *path,
                              dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; status == DLS_OK && i < count(plugin->models); i++) {
    status = check_name(all, path, "model", plugin->models[i]->name, err);
  }
  for (size_t i = 0; status == DLS_OK && i < count(plugin->schemes); i++) {
    status = check_name(all, path, "scheme", plugin->schemes[i]->name, err);
  }
  for (size_t i = 0; status == DLS_OK && i < count(plugin->exacts); i++) {
    status = check_exact(all, path, plugin->exacts[i]->model->name, err);
  }
  for (size_t i = 0; status == DLS_OK && i < count(plugin->laws); i++) {
    status = check_name(all, path, "law", plugin->laws[i]->name, err);
  }
  return status;
}

/* Open with every symbol resolved later (mode RTLD_LAZY) or now. The loader's message names the file. */
static void *open_object(const char *path, int mode, dls_error *err)
{
  char local[1024]; /* a name without a slash would be searched among the libraries of the system */
  const bool bare = strchr(path, '/') == NULL;
  if ((size_t)snprintf(local, sizeof local, "%s%s", bare ? "./" : "", path) >= sizeof local) {
    dls_fail(err, DLS_ERR_ARG, "plugin %.100s...: the path exceeds %zu characters", path, sizeof local - 1);
    return NULL;
  }
  if (dls_plugin_check_file(local, err) != DLS_OK) {
    return NULL;
  }
  void *handle = dlopen(local, mode | RTLD_LOCAL);
  if (handle == NULL) {
    dls_fail(err, DLS_ERR_ARG, "plugin %.100s cannot be loaded: %.250s", path, dlerror());
  }
  return handle;
}

static const dls_plugin *find_plugin(void *handle, const char *path, dls_error *err)
{
  const dls_plugin *plugin = dlsym(handle, "dls_plugin_entry");
  if (plugin == NULL) {
    dls_fail(err, DLS_ERR_ARG,
             "%.200s is not a plugin of delassus: it exports no dls_plugin_entry (see delassus/plugin.h)",
             path);
  }
  return plugin;
}

/* First lazily: for a plugin of another version, report the version and not a missing symbol. */
static void *open_plugin(const char *path, const dls_plugin **plugin, dls_error *err)
{
  const int modes[] = {RTLD_LAZY, RTLD_NOW};
  void *handle = NULL;
  for (int i = 0; i < 2; i++) {
    if (handle != NULL) {
      dlclose(handle);
    }
    handle = open_object(path, modes[i], err);
    *plugin = handle != NULL ? find_plugin(handle, path, err) : NULL;
    if (*plugin == NULL || dls_plugin_check_abi(*plugin, path, err) != DLS_OK) {
      if (handle != NULL) {
        dlclose(handle);
      }
      return NULL;
    }
  }
  return handle;
}

/* FNV-1a of the contents of a file. @return false if it cannot be read */
static bool hash_file(const char *path, uint64_t *hash)
{
  unsigned char bytes[4096];
  FILE *file = fopen(path, "rb");
  *hash = DLS_HASH_START;
  for (size_t count; file != NULL && (count = fread(bytes, 1, sizeof bytes, file)) > 0;) {
    *hash = dls_hash(*hash, bytes, count);
  }
  const bool good = file != NULL && ferror(file) == 0;
  if (file != NULL) {
    fclose(file);
  }
  return good;
}

/* "puck 1.0, libpuck.so, FNV-1a 0123456789abcdef", as far as the plugin gives it; NULL if out of memory. */
static char *make_label(const dls_plugin *plugin, const char *path)
{
  char text[400] = "", sum[40] = "unknown";
  uint64_t hash = 0;
  const char *slash = strrchr(path, '/');
  if (hash_file(path, &hash)) {
    snprintf(sum, sizeof sum, "%016" PRIx64, hash);
  }
  if (plugin->name != NULL) {
    dls_text_append(text, sizeof text, "%.100s%s%.60s, ", plugin->name, plugin->version != NULL ? " " : "",
                    plugin->version != NULL ? plugin->version : "");
  }
  dls_text_append(text, sizeof text, "%.160s, FNV-1a %s", slash != NULL ? slash + 1 : path, sum);
  return dls_text_copy(text);
}

static dls_status add_plugin(dls_catalogue *catalogue, const dls_plugin *plugin, const dls_loaded *made,
                             const char *path, dls_error *err)
{
  dls_entries all = {0};
  dls_status status = dls_plugin_check_entries(plugin, path, err);
  if (status == DLS_OK) {
    status = join_entries(&catalogue->entries, plugin, &all, err);
  }
  if (status == DLS_OK) {
    status = check_names(&all, plugin, path, err);
  }
  char *label = status == DLS_OK ? make_label(plugin, path) : NULL;
  dls_loaded *loaded =
      label == NULL ? NULL : realloc(catalogue->loaded, (catalogue->loaded_count + 1) * sizeof *loaded);
  if (loaded == NULL) {
    free(label);
    free_entries(&all);
    return status != DLS_OK ? status : dls_fail(err, DLS_ERR_MEMORY, "no memory for the catalogue");
  }
  catalogue->loaded = loaded;
  loaded[catalogue->loaded_count] = *made;
  loaded[catalogue->loaded_count++].label = label;
  free_entries(&catalogue->entries);
  catalogue->entries = all;
  return DLS_OK;
}

dls_status dls_catalogue_create(dls_catalogue **out, dls_error *err)
{
  dls_catalogue *catalogue = calloc(1, sizeof *catalogue);
  if (catalogue == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the catalogue");
  }
  const dls_status status =
      join_entries(&dls_builtin_entries, &(const dls_plugin){0}, &catalogue->entries, err);
  if (status != DLS_OK) {
    dls_catalogue_destroy(catalogue);
    return status;
  }
  *out = catalogue;
  return DLS_OK;
}

dls_status dls_catalogue_load(dls_catalogue *catalogue, const char *path, dls_error *err)
{
  if (catalogue == NULL || path == NULL || path[0] == '\0') {
    return dls_fail(err, DLS_ERR_ARG, "plugin: no catalogue to load it into, or no path");
  }
  dls_error why = {0};
  const dls_plugin *plugin = NULL;
  void *handle = open_plugin(path, &plugin, &why);
  if (handle == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "%s", why.text);
  }
  const dls_status status = add_plugin(catalogue, plugin, &(dls_loaded){.handle = handle}, path, err);
  if (status != DLS_OK) {
    dlclose(handle);
  }
  return status;
}

dls_status dls_catalogue_add(dls_catalogue *catalogue, const dls_plugin *plugin, void (*release)(void *data),
                             void *data, dls_error *err)
{
  if (catalogue == NULL || plugin == NULL || plugin->name == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "no catalogue to add entries to, no entries, or no name for them");
  }
  const dls_loaded made = {.release = release, .data = data};
  const dls_status status = dls_plugin_check_abi(plugin, plugin->name, err);
  return status != DLS_OK ? status : add_plugin(catalogue, plugin, &made, plugin->name, err);
}

dls_status dls_catalogue_add_external(dls_catalogue *catalogue, dls_external *external, dls_error *err)
{
  const dls_scheme *scheme = dls_external_scheme(external);
  const dls_scheme *const list[] = {scheme, NULL};
  dls_entries all = {0};
  dls_external **externals = realloc(catalogue->externals, (catalogue->external_count + 1) * sizeof *externals);
  if (externals == NULL) {
    dls_external_destroy(external);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the catalogue");
  }
  catalogue->externals = externals;
  externals[catalogue->external_count++] = external;
  dls_status status = join_entries(&catalogue->entries, &(const dls_plugin){.schemes = list}, &all, err);
  if (status == DLS_OK && bearers(&all, scheme->name) != 1) {
    status =
        dls_fail(err, DLS_ERR_ARG,
                 "--external: the name '%s' is taken: a model, a scheme, a law, a norm or an LCP solver has it "
                 "already",
                 scheme->name);
  }
  free_entries(status == DLS_OK ? &catalogue->entries : &all);
  catalogue->entries = status == DLS_OK ? all : catalogue->entries;
  return status;
}

void dls_catalogue_drop_externals(dls_catalogue *catalogue)
{
  const dls_scheme **schemes = (const dls_scheme **)catalogue->entries.schemes;
  size_t left = schemes != NULL ? count(schemes) : 0;
  while (left > 0 && dls_external_of(schemes[left - 1]) != NULL) { /* one that was refused is not among them */
    schemes[--left] = NULL;
  }
  for (size_t i = 0; i < catalogue->external_count; i++) {
    dls_external_destroy(catalogue->externals[i]);
  }
  catalogue->external_count = 0;
}

size_t dls_catalogue_plugin_count(const dls_catalogue *catalogue)
{
  return catalogue != NULL ? catalogue->loaded_count : 0;
}

const char *dls_catalogue_plugin(const dls_catalogue *catalogue, size_t index)
{
  return catalogue->loaded[index].label;
}

void dls_catalogue_destroy(dls_catalogue *catalogue)
{
  if (catalogue != NULL) {
    dls_catalogue_drop_externals(catalogue);
    free_entries(&catalogue->entries);
    for (size_t i = 0; i < catalogue->loaded_count; i++) {
      const dls_loaded *loaded = &catalogue->loaded[i];
      if (loaded->handle != NULL) {
        dlclose(loaded->handle);
      }
      if (loaded->release != NULL) {
        loaded->release(loaded->data);
      }
      free(catalogue->loaded[i].label);
    }
    free(catalogue->externals);
    free(catalogue->loaded);
    free(catalogue);
  }
}
