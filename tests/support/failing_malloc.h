/* failing_malloc.h -- malloc and its kin for one test program: allocation number k fails, and blocks are counted.
 * For programs named ...allocation.c, whose calls the linker sends here (--wrap, see tests/CMakeLists.txt). Include it
 * once, behind check.h. What the shared libraries allocate is not reached: not for themselves, and not what they hand over
 * to be freed here (names of error codes of SUNDIALS).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_FAILING_MALLOC_H
#define DELASSUS_TESTS_FAILING_MALLOC_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

static size_t until_failure; /* 0: no allocation fails */
static bool failed;
static long live; /* blocks handed out and not freed yet */

static bool fails(void)
{
  failed = failed || until_failure == 1;
  return until_failure > 0 && --until_failure == 0;
}

/* Blocks that were handed out, by their address: a table with linear probing, in which freed ones leave a mark. */
enum { LIVE_BLOCKS = 1 << 16 };
static const void *live_blocks[LIVE_BLOCKS], *const freed_block = live_blocks;

static const void **entry(const void *block, bool wanted)
{
  size_t i = ((uintptr_t)block >> 4) * 2654435761u % LIVE_BLOCKS;
  while (live_blocks[i] != NULL && live_blocks[i] != block && !(wanted && live_blocks[i] == freed_block)) {
    i = (i + 1) % LIVE_BLOCKS;
  }
  return &live_blocks[i];
}

static void *count(void *block)
{
  if (block != NULL) {
    *entry(block, true) = block;
    live++;
  }
  return block;
}

static void uncount(const void *block)
{
  const void **at = block != NULL ? entry(block, false) : NULL;
  if (at != NULL && *at == block) {
    *at = freed_block;
    live--;
  }
}

void *__wrap_malloc(size_t size)
{
  return fails() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
  return fails() ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *block, size_t size)
{
  if (fails()) {
    return NULL;
  }
  uncount(block);
  return count(__real_realloc(block, size));
}

char *__wrap_strdup(const char *text)
{
  return fails() ? NULL : count(__real_strdup(text));
}

void __wrap_free(void *block)
{
  uncount(block);
  __real_free(block);
}

/* The job with allocation number k failing, for k = 1, 2, ... until none fails: each time there is an error and nothing is left
 * behind. @return how many failed */
static inline size_t fail_each_in_turn(dls_status (*job)(const void *data, dls_error *err), const void *data)
{
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    live = 0;
    memset(live_blocks, 0, sizeof live_blocks);
    failed = false;
    until_failure = k;
    const dls_status status = job(data, &err);
    until_failure = 0;
    if (live != 0 || (failed && status != DLS_ERR_MEMORY)) {
      fail_msg("allocation %zu fails: status %d, \"%s\", %ld blocks left", k, (int)status, err.text, live);
    }
    if (!failed) {
      assert_ok(status, err);
      return k - 1;
    }
    assert_true(strlen(err.text) > 0);
  }
}

#endif
