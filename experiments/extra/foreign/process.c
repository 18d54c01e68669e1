/* experiments/extra/foreign/process.c -- starts a program by posix_spawn, waits for it, and kills it at its limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/process.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Time between polls [ns]: short for a program of milliseconds, cheap for one of minutes. */
static const long first_nap = 100000, last_nap = 10000000;

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Signals that we ignore must not be ignored by the program. */
static int set_attributes(const dls_process_spec *spec, posix_spawnattr_t *attributes)
{
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGXFSZ);
  sigaddset(&usual, SIGPIPE);
  const short flags = (short)(POSIX_SPAWN_SETSIGDEF | (spec->own_group ? POSIX_SPAWN_SETPGROUP : 0));
  int failed = posix_spawnattr_setsigdefault(attributes, &usual);
  failed = failed != 0 ? failed : posix_spawnattr_setpgroup(attributes, 0);
  return failed != 0 ? failed : posix_spawnattr_setflags(attributes, flags);
}

static int set_files(const dls_process_spec *spec, posix_spawn_file_actions_t *actions)
{
  int failed = spec->input > 0
                   ? posix_spawn_file_actions_adddup2(actions, spec->input, STDIN_FILENO)
                   : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (failed == 0 && spec->output >= 0) {
    failed = posix_spawn_file_actions_adddup2(actions, spec->output, STDOUT_FILENO);
  }
  return failed != 0 ? failed : posix_spawn_file_actions_adddup2(actions, spec->complaints, STDERR_FILENO);
}

int dls_process_start(const dls_process_spec *spec, pid_t *process)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  char program[PATH_MAX];
  int failed = dls_process_find(spec->arguments[0], program, sizeof program)
                   ? posix_spawn_file_actions_init(&actions)
                   : ENOENT;
  if (failed != 0) {
    return failed;
  }
  failed = posix_spawnattr_init(&attributes);
  if (failed == 0) {
    failed = set_files(spec, &actions);
    failed = failed != 0 ? failed : set_attributes(spec, &attributes);
    failed =
        failed != 0 ? failed : posix_spawn(process, program, &actions, &attributes, spec->arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

/* Kill its process group, and so the processes it started. */
static void end_process(const dls_process_spec *spec, pid_t process, bool alive, int *status)
{
  if (spec->own_group) {
    kill(-process, SIGKILL);
  }
  if (alive) {
    kill(process, SIGKILL);
  }
  while (waitpid(process, status, 0) < 0 && errno == EINTR) {
  }
}

void dls_process_kill(const dls_process_spec *spec, pid_t process)
{
  int status = 0;
  end_process(spec, process, true, &status);
}

/* Has it ended? Its id stays reserved until it is waited for. */
static bool has_ended(pid_t process)
{
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ? errno != EINTR
                                                                               : info.si_pid == process;
}

static void wait_for(const dls_process_spec *spec, pid_t process, double begin, dls_process_end *end)
{
  for (long nap = first_nap;; nap = nap < last_nap ? 2 * nap : last_nap) {
    if (has_ended(process)) {
      end_process(spec, process, false, &end->status);
      return;
    }
    end->late = now() - begin > spec->seconds;
    end->interrupted = !end->late && spec->poll != NULL && !spec->poll(spec->poll_data);
    if (end->late || end->interrupted) {
      end_process(spec, process, true, &end->status);
      return;
    }
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
  }
}

dls_process_end dls_process_run(const dls_process_spec *spec)
{
  pid_t process = 0;
  const double begin = now();
  dls_process_end end = {.failed = dls_process_start(spec, &process)};
  if (end.failed == 0) {
    wait_for(spec, process, begin, &end);
  }
  end.seconds = now() - begin;
  return end;
}

void dls_process_describe(const dls_process_spec *spec, const dls_process_end *end, char *text, size_t size)
{
  if (end->failed != 0) {
    snprintf(text, size, "could not be started: %s", strerror(end->failed));
  } else if (end->late) {
    snprintf(text, size, "was stopped after %g s", spec->seconds);
  } else if (end->interrupted) {
    snprintf(text, size, "was interrupted");
  } else if (WIFSIGNALED(end->status)) {
    snprintf(text, size, "was ended by signal %d (%s)", WTERMSIG(end->status),
             strsignal(WTERMSIG(end->status)));
  } else {
    snprintf(text, size, "ended with exit status %d", WEXITSTATUS(end->status));
  }
}

static bool is_program(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool dls_process_find(const char *program, char *path, size_t size)
{
  if (strchr(program, '/') != NULL) {
    return snprintf(path, size, "%s", program) < (int)size && is_program(path);
  }
  const char *folders = getenv("PATH");
  folders = folders != NULL ? folders : "/bin:/usr/bin"; /* as in the C library */
  while (*folders != '\0') {
    const size_t length = strcspn(folders, ":");
    const int written = snprintf(path, size, "%.*s/%s", (int)length, folders, program);
    if (folders[0] == '/' && written < (int)size && is_program(path)) {
      return true;
    }
    folders += length + (folders[length] == ':');
  }
  return false;
}

const char *dls_temporary_folder(void)
{
  const char *folder = getenv("TMPDIR");
  return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}
