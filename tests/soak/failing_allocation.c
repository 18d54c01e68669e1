/* tests/soak/failing_allocation.c -- for LD_PRELOAD: chosen allocations fail after main has begun. Number DLS_FAIL_AT fails, with
 * DLS_FAIL_ON=1 all later ones too. With DLS_FAIL_ABOVE=BYTES each fails with which more than BYTES would be in use, as on a
 * machine whose memory ends there. Programs that the tool starts are left alone. With DLS_FAIL_COUNT=FILE the number of allocations
 * is written there, with DLS_FAIL_LIST=FILE a line "LIBRARY FUNCTION PEAK CALLS" for each, where PEAK is not 0 if more memory is in
 * use than ever before: these bytes; CALLS is a number of the calls that led to it. Where the last allocation failed, LIBRARY and FUNCTION are written to DLS_FAIL_WHERE=FILE.
 * With DLS_FAIL_SERVE=1 the process only starts others: each line "AT ON ABOVE" of descriptor 198 is a command run in
 * a copy of this process, with output in the files out and err. The answers, on descriptor 199, are its number, then its wait status.
 * With ON 2 in such a line the command runs once, and a copy of it is made at each allocation of the file DLS_FAIL_TRIALS, which has
 * lines "AT ON ABOVE" with AT increasing. Answers there: -1 before each copy, which waits for a line of 198; the number and the status of
 * the copy, behind which the command waits for a line again; in the end number and status of the command itself.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr, RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end);

enum {
  ORDERS = 198,
  ANSWERS = 199,
  MOST_FILES = 64,
  MOST_NOTED = 1000 /* libgfortran recurses until its stack ends */
};

static atomic_ulong made;
static atomic_long used,
    peak; /* bytes; what was allocated before main and is freed makes it less, which does no harm */
static atomic_bool counting;
static unsigned long fail_at, fail_above;
static bool fail_on;
static FILE *trials; /* allocations at which copies are made; NULL in a copy, and where there are none */
static unsigned long trial_at, trial_above; /* the next one; 0: none */
static int trial_on;
static const char *where_file;
static int list = -1; /* a descriptor: stdio allocates */
static int (*main_of_program)(int, char **, char **);

/* Of a static function the library and the place in it. @return bytes of text */
static int describe(const void *caller, char *text, size_t size)
{
  Dl_info info = {0};
  if (dladdr(caller, &info) == 0 || info.dli_fname == NULL) {
    return snprintf(text, size, "? ?");
  }
  const char *slash = strrchr(info.dli_fname, '/');
  const char *library = slash != NULL ? slash + 1 : info.dli_fname;
  if (info.dli_sname != NULL) {
    return snprintf(text, size, "%s %s", library, info.dli_sname);
  }
  return snprintf(text, size, "%s +0x%lx", library,
                  (unsigned long)((uintptr_t)caller - (uintptr_t)info.dli_fbase));
}

static void write_line(int file, const char *line, int length)
{
  if (write(file, line, (size_t)length) != length) {
    _exit(99);
  }
}

static void note_failure(const void *caller)
{
  static unsigned long noted;
  char line[300];
  if (++noted > MOST_NOTED) {
    return;
  }
  const int file = where_file != NULL ? open(where_file, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  if (file >= 0) {
    write_line(file, line, describe(caller, line, sizeof line));
    close(file);
  }
}

/* Equal for equal return addresses of all functions that are running. */
static unsigned long calls(void)
{
  void *frames[100];
  const int count = backtrace(frames, 100);
  unsigned long hash = 14695981039346656037u; /* FNV-1a */
  for (int i = 0; i < count; i++) {
    hash = (hash ^ (unsigned long)(uintptr_t)frames[i]) * 1099511628211u;
  }
  return hash;
}

static void note_in_list(const void *caller, long now)
{
  char line[300];
  int length = describe(caller, line, sizeof line - 60);
  length += snprintf(line + length, 60, " %ld %lx\n", now > peak ? now : 0, calls());
  write_line(list, line, length);
}

static void next_trial(void)
{
  if (fscanf(trials, "%lu %d %lu", &trial_at, &trial_on, &trial_above) != 3) {
    trial_at = 0;
  }
}

static void answer(long number)
{
  char line[30];
  write_line(ANSWERS, line, snprintf(line, sizeof line, "%ld\n", number));
}

static void await_line(void)
{
  char c = 0;
  while (c != '\n') {
    if (read(ORDERS, &c, 1) != 1) {
      _exit(99);
    }
  }
}

/* Where all open files are, and what they are cut to afterwards: they are written from front to back. */
static void note_ends(off_t *ends)
{
  struct stat about;
  for (int file = 0; file < MOST_FILES; file++) {
    ends[file] = fstat(file, &about) == 0 && S_ISREG(about.st_mode) ? lseek(file, 0, SEEK_CUR) : -1;
  }
}

static void restore_ends(const off_t *ends)
{
  for (int file = 0; file < MOST_FILES; file++) {
    const int mode = ends[file] >= 0 ? fcntl(file, F_GETFL) & O_ACCMODE : O_RDONLY;
    if (ends[file] >= 0 &&
        (lseek(file, ends[file], SEEK_SET) < 0 || (mode != O_RDONLY && ftruncate(file, ends[file]) != 0))) {
      _exit(99);
    }
  }
}

/* Copies of the process, in each of which allocation number `made` fails in one way. @return whether this is such a copy */
static bool copied(void)
{
  off_t ends[MOST_FILES];
  while (trials != NULL && trial_at == made) {
    counting = false;
    answer(-1);
    await_line();
    note_ends(ends);
    const pid_t child = fork();
    if (child == 0) {
      fail_at = trial_above > 0 ? 0 : trial_at;
      fail_on = trial_on != 0, fail_above = trial_above;
      trials = NULL;
      counting = true;
      return true;
    }
    int status = 0;
    answer(child);
    waitpid(child, &status, 0);
    answer(status);
    await_line();
    restore_ends(ends);
    next_trial();
    counting = true;
  }
  return false;
}

static bool fails(const void *caller, size_t size)
{
  if (!counting) {
    return false;
  }
  const unsigned long number = ++made;
  copied();
  const long now = used + (long)size;
  const bool failed = (fail_at > 0 && (fail_on ? number >= fail_at : number == fail_at)) ||
                      (fail_above > 0 && now > (long)fail_above);
  if (failed) {
    note_failure(caller);
    errno = ENOMEM;
  } else if (list >= 0) {
    note_in_list(caller, now);
  }
  peak = !failed && now > peak ? now : peak;
  return failed;
}

static void *add(void *block)
{
  used += block != NULL ? (long)malloc_usable_size(block) : 0;
  return block;
}

void *malloc(size_t size)
{
  return fails(__builtin_return_address(0), size) ? NULL : add(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
  return fails(__builtin_return_address(0), count * size) ? NULL : add(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
  const size_t before = block != NULL ? malloc_usable_size(block) : 0;
  if (fails(__builtin_return_address(0), size > before ? size - before : 0)) {
    return NULL;
  }
  used -= (long)before;
  return add(__libc_realloc(block, size));
}

void free(void *block)
{
  used -= block != NULL ? (long)malloc_usable_size(block) : 0;
  __libc_free(block);
}

static unsigned long number_of(const char *text)
{
  return text != NULL ? strtoul(text, NULL, 10) : 0;
}

static int count_main(int argc, char **argv, char **environment)
{
  const char *count = getenv("DLS_FAIL_COUNT"), *file = getenv("DLS_FAIL_LIST");
  list = file != NULL ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  void *frame[1];
  backtrace(frame, 1); /* the first one allocates */
  used = 0;
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

/* In a copy of the process. */
static int serve_one(int argc, char **argv, char **environment, bool copies)
{
  const char *file = getenv("DLS_FAIL_TRIALS");
  if (copies) {
    await_line(); /* the number of this process has been answered */
    trials = fopen(file, "re");
    next_trial();
    fcntl(ORDERS, F_SETFD, FD_CLOEXEC), fcntl(ANSWERS, F_SETFD, FD_CLOEXEC);
  } else {
    close(ORDERS), close(ANSWERS);
  }
  const int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600),
            err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (dup2(out, 1) < 0 || dup2(err, 2) < 0) {
    return 99;
  }
  close(out), close(err);
  return count_main(argc, argv, environment);
}

static int serve(int argc, char **argv, char **environment)
{
  FILE *orders = fdopen(ORDERS, "r");
  int on = 0;
  while (orders != NULL && fscanf(orders, "%lu %d %lu", &fail_at, &on, &fail_above) == 3) {
    fail_on = on == 1;
    const pid_t child = fork();
    if (child == 0) {
      return serve_one(argc, argv, environment, on == 2);
    }
    int status = 0;
    dprintf(ANSWERS, "%ld\n", (long)child);
    waitpid(child, &status, 0);
    dprintf(ANSWERS, "%d\n", status);
  }
  return 0;
}

static int run_main(int argc, char **argv, char **environment)
{
  const char *on = getenv("DLS_FAIL_ON");
  fail_at = number_of(getenv("DLS_FAIL_AT"));
  fail_above = number_of(getenv("DLS_FAIL_ABOVE"));
  fail_on = on != NULL && strcmp(on, "1") == 0;
  where_file = getenv("DLS_FAIL_WHERE");
  unsetenv("LD_PRELOAD");
  return (getenv("DLS_FAIL_SERVE") != NULL ? serve : count_main)(argc, argv, environment);
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
