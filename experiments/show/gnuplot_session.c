/* experiments/show/gnuplot_session.c -- gives scripts to a gnuplot that waits for commands. Its input and its messages go through one
 * socket. Behind each script it prints the number of the last error.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/gnuplot_session.h"
#include "experiments/extra/foreign/process.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char drawn[] = "\ndelassus: errors 0\n", failed[] = "\ndelassus: errors 1\n";

static struct {
  bool open, running;
  pthread_t thread; /* that opened it */
  pid_t user;       /* the same; a copy of this process must not use its gnuplot */
  pid_t process;    /* gnuplot, while it is running */
  int socket, kind;
} session;

static char *const arguments[] = {"gnuplot", "--default-settings", NULL};
static const dls_process_spec as_started = {.arguments = arguments, .output = -1};

static void stop(void)
{
  if (session.running) {
    close(session.socket);
    dls_process_kill(&as_started, session.process);
    session.running = false;
  }
}

static bool start(int kind)
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return false;
  }
  dls_process_spec spec = as_started;
  spec.input = spec.complaints = ends[1];
  session.running = dls_process_start(&spec, &session.process) == 0;
  close(ends[1]);
  if (!session.running) {
    close(ends[0]);
    return false;
  }
  session.socket = ends[0];
  session.kind = kind;
  return true;
}

void dls_gnuplot_session_open(void)
{
  session.open = true;
  session.thread = pthread_self();
  session.user = getpid();
}

void dls_gnuplot_session_close(void)
{
  stop();
  session.open = false;
}

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool send_all(const char *text, size_t size)
{
  while (size > 0) {
    const ssize_t sent = send(session.socket, text, size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return false;
    }
    text += sent > 0 ? sent : 0;
    size -= sent > 0 ? (size_t)sent : 0;
  }
  return true;
}

/* Wait for the line behind a script. Messages before it are warnings. */
static bool is_drawn(double seconds)
{
  const double begin = now();
  char text[2048] = "\n";
  size_t length = 1;
  while (strstr(text, drawn) == NULL && strstr(text, failed) == NULL) {
    struct pollfd input = {.fd = session.socket, .events = POLLIN};
    const double left = begin + seconds - now();
    const int ready = left > 0 ? poll(&input, 1, (int)(1000 * left) + 1) : 0;
    if (ready == 0 || (ready < 0 && errno != EINTR)) {
      return false;
    }
    if (length > sizeof text / 2) { /* the line is at the end */
      memmove(text, text + length - sizeof drawn, sizeof drawn + 1);
      length = sizeof drawn;
    }
    const ssize_t count = ready > 0 ? recv(session.socket, text + length, sizeof text - 1 - length, 0) : 0;
    if (ready > 0 && count <= 0 && !(count < 0 && errno == EINTR)) {
      return false; /* it has ended */
    }
    length += count > 0 ? (size_t)count : 0;
    text[length] = '\0';
  }
  return strstr(text, drawn) != NULL;
}

bool dls_gnuplot_session_run(int kind, const char *assignment, const char *script, double seconds)
{
  if (!session.open || session.user != getpid() || !pthread_equal(session.thread, pthread_self())) {
    return false;
  }
  if (session.running && session.kind != kind) {
    stop();
  }
  if (!session.running && !start(kind)) {
    return false;
  }
  char commands[3 * 4096];
  const int size = snprintf(commands, sizeof commands,
                            "reset session\nreset errors\n%s\nload %s\nset output\nset print\n"
                            "print \"\\ndelassus: errors\", GPVAL_ERRNO ? 1 : 0\n",
                            assignment, script);
  const bool done =
      size > 0 && size < (int)sizeof commands && send_all(commands, (size_t)size) && is_drawn(seconds);
  if (!done) {
    stop();
  }
  return done;
}
