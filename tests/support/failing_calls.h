/* failing_calls.h -- chosen functions of the library fail in one test program, each place that calls them in turn.
 * A program says which by lines that begin with FAILING(name, ...), one a function that returns a dls_status and has a last
 * parameter dls_error *err, or with a macro FAILING_... of its own; the linker sends their calls here (--wrap, see tests/CMakeLists.txt), but for those within the file
 * that defines them. Include it once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_FAILING_CALLS_H
#define DELASSUS_TESTS_FAILING_CALLS_H

#include "check.h"
#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { MOST_PLACES = 1000 };

/* Where a call comes from, how many came from there in this run of the job and in the one that went well, and whether one has failed
 * there in an earlier job. */
typedef struct calling_place {
  const void *place;
  const char *called; /* the first function called from there */
  size_t calls, known;
  bool done;
} calling_place;

static calling_place places[MOST_PLACES];
static size_t place_count;
static const calling_place *failing; /* NULL: no call fails */
static size_t fails_at; /* the first of the calls from there that fails, from 1; all later ones do, too */
static bool failed_on_purpose;

/* A call comes from there. @return is it to fail? */
static bool call_fails(const void *from, const char *called)
{
  size_t i = 0;
  while (i < place_count && places[i].place != from) {
    i++;
  }
  if (i == place_count) {
    assert_true(place_count < MOST_PLACES);
    places[place_count++] = (calling_place){.place = from, .called = called};
  }
  places[i].calls++;
  const bool now = failing == &places[i] && places[i].calls >= fails_at;
  failed_on_purpose = failed_on_purpose || now;
  return now;
}

#define FAILING_CALL(type, name, parameters, arguments, fails, failure)                                        \
  type __real_##name parameters;                                                                               \
  type __wrap_##name parameters;                                                                               \
  type __wrap_##name parameters                                                                                \
  {                                                                                                            \
    return (fails) && call_fails(__builtin_return_address(0), #name) ? failure : __real_##name arguments;      \
  }
#define FAILING(name, parameters, arguments)                                                                   \
  FAILING_CALL(dls_status, name, parameters, arguments, true,                                                  \
               dls_fail(err, DLS_ERR_MEMORY, "%s fails on purpose", #name))
/* One whose callers may ignore that it fails, where they pass err = NULL: that does not fail. */
#define FAILING_REPORTED(name, parameters, arguments)                                                          \
  FAILING_CALL(dls_status, name, parameters, arguments, err != NULL,                                           \
               dls_fail(err, DLS_ERR_MEMORY, "%s fails on purpose", #name))

/* One that returns NULL where it fails. */
#define FAILING_MAKER(name, type, parameters, arguments)                                                       \
  FAILING_CALL(type, name, parameters, arguments, true, NULL)

typedef dls_status failing_job(const void *data, dls_error *err);

static inline dls_status run_counted(failing_job *job, const void *data, dls_error *err)
{
  for (size_t i = 0; i < place_count; i++) {
    places[i].calls = 0;
  }
  failed_on_purpose = false;
  failing_job *volatile call = job; /* not inlined here and there, with places of their own */
  return call(data, err);
}

/* What the job may return besides DLS_ERR_MEMORY when a call has failed. */
static dls_status also = DLS_ERR_MEMORY;

/* Set by a call that failed and would only have refined what may have been accepted before: then DLS_OK is right, too. */
static bool refines;

/* Nobody makes good a lack of memory: it arrives at the caller, with a text. @return does it? */
static inline bool fail_at(failing_job *job, const void *data, const calling_place *place, size_t call)
{
  dls_error err = {0};
  refines = false;
  failing = place;
  fails_at = call;
  const dls_status status = run_counted(job, data, &err);
  failing = NULL;
  const bool arrives = failed_on_purpose &&
                       (status == DLS_ERR_MEMORY || status == also || (refines && status == DLS_OK)) &&
                       (status == DLS_OK || strlen(err.text) > 0);
  if (!arrives) {
    print_error("call %zu of %s from place %zu is lost: status %d, \"%s\"\n", call, place->called,
                (size_t)(place - places), (int)status, err.text);
  }
  return arrives;
}

/* Let calls fail also at places where one has failed in an earlier job. */
static inline void forget_places(void)
{
  for (size_t i = 0; i < place_count; i++) {
    places[i].done = false;
  }
}

/* The job with the calls from the first on failing, and then from the middle one on, from each place where none has failed in an
 * earlier job: each time the error arrives. @return how many places */
static inline size_t fail_each_place(failing_job *job, const void *data)
{
  dls_error err = {0};
  size_t count = 0, lost = 0;
  assert_ok(run_counted(job, data, &err), err);
  for (size_t i = 0; i < place_count; i++) {
    places[i].known = places[i].calls;
  }
  for (size_t i = 0; i < place_count; i++) {
    if (places[i].known > 0 && !places[i].done) {
      lost += !fail_at(job, data, &places[i], 1) + !fail_at(job, data, &places[i], (places[i].known + 1) / 2);
      places[i].done = true;
      count++;
    }
  }
  assert_int_equal(lost, 0);
  return count;
}

#endif
