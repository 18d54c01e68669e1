/* analytic/rigorous/guard.c -- allocation for FLINT and GMP that leaves the job where there is no memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/guard.h"
#include <flint/flint.h>
#include <gmp.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

static jmp_buf before_job;
static bool is_set, abandoned;

static void *there(void *block)
{
  if (block == NULL) {
    longjmp(before_job, 1);
  }
  return block;
}

static void *take(size_t size)
{
  return there(malloc(size > 0 ? size : 1));
}

static void *take_zeros(size_t count, size_t size)
{
  return there(count > 0 && size > 0 ? calloc(count, size) : malloc(1));
}

static void *resize(void *block, size_t size)
{
  return there(realloc(block, size > 0 ? size : 1));
}

static void *resize_of_gmp(void *block, size_t before, size_t size)
{
  (void)before;
  return resize(block, size);
}

static void release_of_gmp(void *block, size_t size)
{
  (void)size;
  free(block);
}

dls_status dls_ball_guard(dls_status (*job)(void *data, dls_error *err), void *data, dls_error *err)
{
  if (!is_set) {
    __flint_set_memory_functions(take, take_zeros, resize, free);
    mp_set_memory_functions(take, resize_of_gmp, release_of_gmp);
    is_set = true;
  }
  if (abandoned) {
    return dls_fail(err, DLS_ERR_MEMORY,
                    "ball arithmetic ran out of memory in an earlier call and cannot be used in this process "
                    "again: start a new process for this proof");
  }
  if (setjmp(before_job) == 0) {
    return job(data, err);
  }
  abandoned = true;
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for ball arithmetic");
}
