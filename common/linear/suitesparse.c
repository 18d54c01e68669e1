/* suitesparse.c -- see suitesparse.h. Compiled twice: for the libraries, which link CHOLMOD and UMFPACK, and, with
 * DLS_CHOLMOD_LIBRARY and DLS_UMFPACK_LIBRARY, the names of the shared objects, for the tool, which loads them at the first call.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/suitesparse.h"

#ifdef SUNDIALS_INT64_T
#define DLS_UMFPACK(name) umfpack_dl_##name
#else
#define DLS_UMFPACK(name) umfpack_di_##name
#endif

#ifdef DLS_CHOLMOD_LIBRARY
#include "common/base/memory.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOADING = 1 << 20 }; /* bytes, upper bound: libgfortran crashes if it finds no memory at its start */

typedef struct library {
  const char *name;
  pthread_mutex_t lock;
  void *handle;
} library;

static library cholmod = {DLS_CHOLMOD_LIBRARY, PTHREAD_MUTEX_INITIALIZER, NULL};
static library umfpack = {DLS_UMFPACK_LIBRARY, PTHREAD_MUTEX_INITIALIZER, NULL};

/* Exit status of the system's loader when a library is missing. */
static void give_up(void)
{
  const char *why = dlerror();
  fprintf(stderr, "delassus: %s; install SuiteSparse (Debian: libsuitesparse-dev), or free memory to load it\n",
          why != NULL ? why : "no memory for CHOLMOD or UMFPACK");
  exit(EXIT_FAILURE);
}

static void *load(library *l, const char *name)
{
  pthread_mutex_lock(&l->lock);
  if (l->handle == NULL && dls_memory_left(LOADING)) {
    l->handle = dlopen(l->name, RTLD_NOW | RTLD_LOCAL);
  }
  void *address = l->handle != NULL ? dlsym(l->handle, name) : NULL;
  if (address == NULL) {
    give_up();
  }
  pthread_mutex_unlock(&l->lock);
  return address;
}

static void *found(library *l, _Atomic(void *) *address, const char *name)
{
  void *known = atomic_load(address);
  if (known == NULL) {
    known = load(l, name);
    atomic_store(address, known);
  }
  return known;
}

#define CALL(pass, library, name, arguments)                                                                   \
  static _Atomic(void *) address;                                                                              \
  void *const known = found(&library, &address, #name);                                                        \
  __typeof__(name) *call = NULL;                                                                               \
  memcpy(&call, &known, sizeof call);                                                                          \
  pass call arguments
#else
#define CALL(pass, library, name, arguments) pass name arguments
#endif
/* Expands the name of the call before it becomes a string. */
#define CALL_UMFPACK(pass, name, arguments) CALL(pass, umfpack, name, arguments)

int dls_cholmod_start(cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_start, (c));
}

int dls_cholmod_finish(cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_finish, (c));
}

cholmod_sparse *dls_cholmod_allocate_sparse(size_t rows, size_t columns, size_t most, int sorted, int packed,
                                            int stype, int xtype, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_allocate_sparse, (rows, columns, most, sorted, packed, stype, xtype, c));
}

int dls_cholmod_free_sparse(cholmod_sparse **A, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_free_sparse, (A, c));
}

int dls_cholmod_free_factor(cholmod_factor **L, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_free_factor, (L, c));
}

int dls_cholmod_free_dense(cholmod_dense **x, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_free_dense, (x, c));
}

int dls_cholmod_amd(cholmod_sparse *A, int64_t *set, size_t size, int64_t *order, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_amd, (A, set, size, order, c));
}

cholmod_factor *dls_cholmod_analyze(cholmod_sparse *A, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_analyze, (A, c));
}

cholmod_factor *dls_cholmod_analyze_p(cholmod_sparse *A, int64_t *order, int64_t *set, size_t size,
                                      cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_analyze_p, (A, order, set, size, c));
}

int dls_cholmod_factorize(cholmod_sparse *A, cholmod_factor *L, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_factorize, (A, L, c));
}

int dls_cholmod_solve2(int sys, cholmod_factor *L, cholmod_dense *b, cholmod_dense **x, cholmod_dense **y,
                       cholmod_dense **e, cholmod_common *c)
{
  CALL(return, cholmod, cholmod_l_solve2, (sys, L, b, NULL, x, NULL, y, e, c));
}

void dls_umfpack_defaults(double *control)
{
  CALL_UMFPACK(, DLS_UMFPACK(defaults), (control));
}

int dls_umfpack_symbolic(sunindextype n, const sunindextype *p, const sunindextype *i, void **symbolic,
                         const double *control)
{
  CALL_UMFPACK(return (int), DLS_UMFPACK(symbolic), (n, n, p, i, NULL, symbolic, control, NULL));
}

int dls_umfpack_numeric(const sunindextype *p, const sunindextype *i, const double *x, void *symbolic,
                        void **numeric, const double *control)
{
  CALL_UMFPACK(return (int), DLS_UMFPACK(numeric), (p, i, x, symbolic, numeric, control, NULL));
}

int dls_umfpack_wsolve(int sys, const sunindextype *p, const sunindextype *i, const double *a, double *x,
                       const double *b, void *numeric, const double *control, sunindextype *wi, double *w)
{
  CALL_UMFPACK(return (int), DLS_UMFPACK(wsolve), (sys, p, i, a, x, b, numeric, control, NULL, wi, w));
}

int dls_umfpack_get_order_and_diagonal(sunindextype *order, double *diagonal, void *numeric)
{
  CALL_UMFPACK(return (int), DLS_UMFPACK(get_numeric),
                      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, order, diagonal, NULL, NULL, numeric));
}

void dls_umfpack_free_symbolic(void **symbolic)
{
  CALL_UMFPACK(, DLS_UMFPACK(free_symbolic), (symbolic));
}

void dls_umfpack_free_numeric(void **numeric)
{
  CALL_UMFPACK(, DLS_UMFPACK(free_numeric), (numeric));
}
