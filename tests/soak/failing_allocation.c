/* tests/soak/failing_allocation.c -- for LD_PRELOAD: allocation number DLS_FAIL_AT since main began fails, with DLS_FAIL_ON=1
 * all later ones too. SUNDIALS 6.4 does not check its own allocations; those that it calls for itself succeed. Programs
 * that the tool starts are left alone. With DLS_FAIL_COUNT=FILE the number of allocations is written there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr, RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end);

static atomic_ulong made;
static atomic_bool counting;
static unsigned long fail_at;
static bool fail_on;
static int (*main_of_program)(int, char **, char **);

static bool of_sundials(const void *caller)
{
  Dl_info info;
  return dladdr(caller, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "sundials") != NULL;
}

static bool fails(const void *caller)
{
  if (!counting || of_sundials(caller)) {
    return false;
  }
  const unsigned long number = ++made;
  const bool failed = fail_at > 0 && (fail_on ? number >= fail_at : number == fail_at);
  errno = failed ? ENOMEM : errno;
  return failed;
}

void *malloc(size_t size)
{
  return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

static int run_main(int argc, char **argv, char **environment)
{
  const char *at = getenv("DLS_FAIL_AT"), *on = getenv("DLS_FAIL_ON"), *count = getenv("DLS_FAIL_COUNT");
  fail_at = at != NULL ? strtoul(at, NULL, 10) : 0;
  fail_on = on != NULL && strcmp(on, "1") == 0;
  unsetenv("LD_PRELOAD");
  counting = true;
  const int code = main_of_program(argc, argv, environment);
  counting = false;
  FILE *out = count != NULL ? fopen(count, "w") : NULL;
  if (out != NULL) {
    fprintf(out, "%lu\n", made);
    fclose(out);
  }
  return code;
}

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
  int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
               void *) = NULL;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  main_of_program = program;
  return start(run_main, argc, argv, init, fini, loader_fini, stack_end);
}
