/* experiments/cli/progress.c -- the progress line and the signals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/progress.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int caught;        /* lock-free: a handler may touch it, and every thread reads it */
static _Atomic double caught_at; /* s of the monotonic clock */
static const double grace = 1;   /* s: to write tables besides the result, after the signal */
static const double burst =
    0.5; /* s: a signal that comes again this soon is the same: `timeout` sends it to the process and to its group */

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The first one is noted, one behind the burst ends the process at once. */
static void note_signal(int number)
{
  const double time = now();
  if (caught == 0) {
    caught_at = time;
    caught = number;
  } else if (time - caught_at > burst) {
    signal(number, SIG_DFL);
    raise(number); /* blocked until this handler returns */
  }
}

/* nohup. Libraries may have caught SIGHUP before main begins (UCX, below the MPI of some SUNDIALS, does): so it is asked
 * before their constructors run. */
static bool hang_up_ignored;

static void look_at_hang_up(void)
{
  struct sigaction before;
  hang_up_ignored = sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

#ifdef __ELF__
__attribute__((section(".preinit_array"), used)) static void (*const look_first)(void) = look_at_hang_up;
#else
__attribute__((constructor)) static void look_first(void)
{
  look_at_hang_up();
}
#endif

static void handle(void (*handler)(int))
{
  struct sigaction action = {0};
  action.sa_handler = handler;
  /* No SA_RESTART: a call that waits for a pipe ends with EINTR. */
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (hang_up_ignored) {
    signal(SIGHUP, SIG_IGN);
  } else {
    sigaction(SIGHUP, &action, NULL);
  }
  signal(SIGXFSZ, SIG_IGN); /* the write fails, and says why */
  signal(SIGCHLD, SIG_DFL); /* who started us may ignore it; gnuplot is waited for */
}

void dls_cli_catch_signals(void)
{
  handle(note_signal);
}

static bool on_terminal(void)
{
  const char *term = getenv("TERM");
  const char *ci = getenv("CI");
  return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0 && (ci == NULL || ci[0] == '\0');
}

static char last_words[80]; /* start of the last message; made beforehand: a handler may only write */

static void end_at_once(int number)
{
  const bool limit = number == SIGALRM;
  const char *why =
      limit ? "no result within --time-limit; allow more time or ask for fewer --digits\n" : "interrupted\n";
  ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
  written = write(STDERR_FILENO, why, strlen(why));
  (void)written;
  _exit(limit ? DLS_EXIT_AGAIN : DLS_EXIT_SIGNAL + number);
}

bool dls_cli_let_signals_end(const char *command)
{
  snprintf(last_words, sizeof last_words, "%sdelassus %s: ", on_terminal() ? "\r\033[K" : "" /* the bar */,
           command);
  fflush(stdout);
  if (caught == 0) {
    handle(end_at_once);
  }
  return caught == 0;
}

void dls_cli_end_after(double seconds)
{
  const double longest = 1e9, million = 1e6; /* s; us/s */
  const double whole = floor(fmin(seconds, longest));
  const double rest = fmin(floor(million * (seconds - whole)) + 1, million - 1); /* 0 would be no limit */
  struct sigaction action = {0};
  action.sa_handler = end_at_once;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL,
            &(struct itimerval){.it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)rest}}, NULL);
}

void dls_cli_note_signals_again(void)
{
  setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
  handle(note_signal);
}

int dls_cli_signal(void)
{
  return caught;
}

bool dls_cli_may_write(void)
{
  return caught == 0 || now() - caught_at <= grace;
}

static double stop_at = INFINITY; /* seconds of the monotonic clock; set before any thread is there */

void dls_cli_stop_after(double seconds)
{
  stop_at = now() + seconds;
}

bool dls_cli_time_is_up(void)
{
  return now() >= stop_at;
}

dls_cli_progress dls_cli_progress_start(dls_progress_mode mode, const char *label, double total)
{
  const bool bar = mode != DLS_PROGRESS_NEVER && on_terminal();
  const double started = now();
  return (dls_cli_progress){.label = label,
                            .total = total,
                            .bar = bar,
                            .lines = mode == DLS_PROGRESS_ALWAYS && !bar,
                            .patience = mode == DLS_PROGRESS_ALWAYS ? 0 : 1,
                            .started = started,
                            .drawn = started,
                            .tenths = -1 /* the first line says 0 % */};
}

static void draw_bar(dls_cli_progress *progress, double fraction, double elapsed)
{
  static const char marks[] = "##############################";
  const int length = (int)(sizeof marks - 1);
  const int filled = (int)(fraction * length);
  fprintf(stderr, "\r%s [%.*s%*s] %3.0f %%", progress->label, filled, marks, length - filled, "",
          100 * fraction);
  if (fraction > 0.01) {
    fprintf(stderr, ", %.0f s left", elapsed / fraction * (1 - fraction));
  }
  fputs("\033[K", stderr); /* erase what an earlier, longer line left */
  fflush(stderr);
  progress->visible = true;
}

static void print_line(dls_cli_progress *progress, int tenths)
{
  progress->tenths = tenths;
  fprintf(stderr, "%s: %d %%, %.1f s\n", progress->label, 10 * tenths, now() - progress->started);
}

bool dls_cli_progress_poll(void *data, double done)
{
  dls_cli_progress *progress = data;
  const double fraction = done >= progress->total ? 1 : done / progress->total;
  const double time = now();
  const double redraw_interval = 0.1; /* s: ten times a second */
  if (progress->bar && time - progress->started >= progress->patience &&
      (!progress->visible || time - progress->drawn >= redraw_interval)) {
    draw_bar(progress, fraction, time - progress->started);
    progress->drawn = time;
  }
  if (progress->lines && (int)(10 * fraction) > progress->tenths) {
    print_line(progress, (int)(10 * fraction));
  }
  return caught == 0 && time < stop_at;
}

void dls_cli_progress_end(dls_cli_progress *progress, bool complete)
{
  if (complete && progress->lines && progress->tenths < 10) {
    print_line(progress, 10);
  }
  if (progress->visible) {
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->visible = false;
  }
}
