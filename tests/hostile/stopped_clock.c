/* stopped_clock.c -- preloaded: the clock of a thread's processor time stands still at every reading from the 501st to the 510th
 * of each 1000, and goes back by 0.2 ms at the next. Virtual machines whose processors are taken away show both.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
  static int (*real)(clockid_t, struct timespec *);
  static struct timespec last;
  static int readings;
  if (real == NULL) {
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
  }
  const int status = real(clock, time);
  if (clock != CLOCK_THREAD_CPUTIME_ID) {
    return status;
  }
  const int phase = readings++ % 1000;
  if (phase >= 500 && phase < 510) {
    *time = last;
  } else if (phase == 510) {
    time->tv_nsec -= 200000;
    if (time->tv_nsec < 0) {
      time->tv_nsec += 1000000000;
      time->tv_sec--;
    }
  }
  last = *time;
  return status;
}
