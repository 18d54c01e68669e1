/* hdf5_calls.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/contact_files/hdf5_calls.h"
#include "experiments/extra/contact_files/fclib.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

typedef struct symbol {
  const char *name;
  void *place; /* of the pointer to the function, or of the number */
  size_t size;
  bool number;
} symbol;

/* A program that links HDF5 itself has its own copies of the library's numbers, and these are in use.
 * @return false if the library does not have it */
static bool find(void *library, const symbol *s)
{
  void *program = s->number ? dlopen(NULL, RTLD_LAZY) : NULL;
  void *address = program != NULL ? dlsym(program, s->name) : NULL;
  address = address != NULL ? address : dlsym(library, s->name);
  if (program != NULL) {
    dlclose(program);
  }
  if (address == NULL) {
    return false;
  }
  memcpy(s->place, s->number ? address : (const void *)&address, s->size);
  return true;
}

static bool find_calls(dls_hdf5 *h)
{
#define DLS_HDF5_SYMBOL(name) {#name, &h->name##_, sizeof h->name##_, false},
  const symbol calls[] = {DLS_HDF5_CALLS(DLS_HDF5_SYMBOL)};
#undef DLS_HDF5_SYMBOL
  bool found = true;
  for (size_t k = 0; found && k < sizeof calls / sizeof *calls; k++) {
    found = find(h->library, &calls[k]);
  }
  return found;
}

/* After H5open has made them. */
static bool find_numbers(dls_hdf5 *h)
{
  const symbol numbers[] = {
      {"H5T_NATIVE_INT_g", &h->whole, sizeof h->whole, true},
      {"H5T_NATIVE_DOUBLE_g", &h->real, sizeof h->real, true},
      {"H5P_CLS_FILE_ACCESS_ID_g", &h->file_access, sizeof h->file_access, true},
  };
  bool found = h->H5open_() >= 0;
  for (size_t k = 0; found && k < sizeof numbers / sizeof *numbers; k++) {
    found = find(h->library, &numbers[k]);
  }
  return found;
}

dls_status dls_hdf5_load(dls_hdf5 *h, dls_error *err)
{
  *h = (dls_hdf5){.library = dlopen(DLS_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
  if (h->library == NULL) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "files of FCLIB need the library %s, which was not found; install HDF5 (Debian: libhdf5-dev)",
        DLS_HDF5_LIBRARY);
  }
  if (!find_calls(h) || !find_numbers(h)) {
    dlclose(h->library);
    h->library = NULL;
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "files of FCLIB need HDF5 %d.%d or compatible; the library %s is not", H5_VERS_MAJOR,
                    H5_VERS_MINOR, DLS_HDF5_LIBRARY);
  }
  h->H5Eset_auto2_(H5E_DEFAULT, NULL, NULL); /* we report errors ourselves */
  if (h->H5PLget_loading_state_(&h->plugins) < 0 || h->H5PLset_loading_state_(0) < 0) {
    dlclose(h->library);
    h->library = NULL;
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "cannot prevent the library %s from loading plugins",
                    DLS_HDF5_LIBRARY);
  }
  return DLS_OK;
}

void dls_hdf5_unload(dls_hdf5 *h)
{
  if (h->library != NULL) {
    h->H5PLset_loading_state_(h->plugins);
    dlclose(h->library);
  }
  h->library = NULL;
}

dls_status dls_fclib_check(dls_error *err)
{
  dls_hdf5 h;
  const dls_status status = dls_hdf5_load(&h, err);
  dls_hdf5_unload(&h);
  return status;
}
