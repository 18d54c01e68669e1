/* bench_csv.c -- how fast trajectories are written and read, beside copying the same characters and beside printf
 * ("%.17g") and strtod on the same numbers; in alternation, thread time.
 *
 *   bin/bench_csv [ROWS]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include "bench/limits.h"
#include <delassus/trajectory.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 8, REPEATS = 7, LONGEST = 26 };
enum { WRITE, PRINTF, COPY, READ, STRTOD, COPY_BACK, WAYS };

typedef struct bench {
  dls_trajectory *traj;
  char path[64];
  char *text, *copy; /* of the file */
  size_t length, room;
  char *printed; /* by printf */
  size_t printed_length;
  double sum;
} bench;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what)
{
  fprintf(stderr, "bench_csv: %s\n", what);
  exit(1);
}

/* A falling ball: full digits in three columns, zeros in three. */
static dls_trajectory *make(size_t rows)
{
  static const char *const names[COLUMNS] = {"t", "q0", "v0", "g0", "u0", "p0", "lambda0", "status0"};
  dls_trajectory *traj = dls_trajectory_create_table(COLUMNS, names);
  for (size_t i = 0; traj != NULL && i < rows; i++) {
    double *row = dls_trajectory_append(traj);
    const double t = 1e-4 * (double)i, q = fabs(sin(3 * t)), v = 3 * cos(3 * t);
    const double values[COLUMNS] = {t, q, v, q, v, 0, 0, 0};
    if (row == NULL) {
      stop("no memory");
    }
    memcpy(row, values, sizeof values);
  }
  return traj;
}

static void write_file(bench *b)
{
  dls_error err = {0};
  FILE *out = fopen(b->path, "w");
  if (out == NULL || dls_trajectory_write(b->traj, out, &err) != DLS_OK || fclose(out) != 0) {
    stop(err.text);
  }
}

static void print_numbers(bench *b)
{
  char *at = b->printed;
  for (size_t i = 0; i < b->traj->rows; i++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      at += sprintf(at, j + 1 < COLUMNS ? "%.17g," : "%.17g\n", dls_trajectory_at(b->traj, i, j));
    }
  }
  b->printed_length = (size_t)(at - b->printed);
}

static void copy_out(bench *b)
{
  memcpy(b->copy, b->text, b->length);
  FILE *out = fopen(b->path, "w");
  if (out == NULL || fwrite(b->copy, 1, b->length, out) != b->length || fclose(out) != 0) {
    stop("cannot write");
  }
}

static void read_file(bench *b)
{
  dls_trajectory *read = NULL;
  dls_error err = {0};
  if (dls_trajectory_read(b->path, &read, &err) != DLS_OK) {
    stop(err.text);
  }
  if (memcmp(read->data, b->traj->data, read->rows * COLUMNS * sizeof *read->data) != 0) {
    stop("not the same numbers");
  }
  dls_trajectory_destroy(read);
}

static void convert_numbers(bench *b)
{
  char *at = b->printed;
  while (at < b->printed + b->printed_length) {
    char *end = at;
    b->sum += strtod(at, &end);
    at = end + 1;
  }
}

static void copy_in(bench *b)
{
  FILE *in = fopen(b->path, "r");
  if (in == NULL || fread(b->copy, 1, b->room, in) != b->length) {
    stop("cannot read");
  }
  memcpy(b->text, b->copy, b->length);
  fclose(in);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(bench *b)
{
  static void (*const ways[WAYS])(bench *) = {write_file, print_numbers,   copy_out,
                                              read_file,  convert_numbers, copy_in};
  static const char *const names[WAYS] = {"write", "printf alone", "copy and fwrite",
                                          "read",  "strtod alone", "fread and copy"};
  double seconds[WAYS][REPEATS];
  for (size_t repeat = 0; repeat < REPEATS; repeat++) {
    for (size_t way = 0; way < WAYS; way++) {
      const double start = now();
      ways[way](b);
      seconds[way][repeat] = now() - start;
    }
  }
  printf("%zu rows of %d columns, %.1f MB\n%-16s %8s %14s\n", b->traj->rows, COLUMNS, 1e-6 * (double)b->length,
         "way", "MB/s", "ns per number");
  for (size_t way = 0; way < WAYS; way++) {
    qsort(seconds[way], REPEATS, sizeof seconds[way][0], ascending);
    const double length = (double)(way == PRINTF || way == STRTOD ? b->printed_length : b->length);
    printf("%-16s %8.0f %14.1f\n", names[way], 1e-6 * length / seconds[way][REPEATS / 2],
           1e9 * seconds[way][REPEATS / 2] / (double)(b->traj->rows * COLUMNS));
  }
  const double megabytes = 1e-6 * (double)b->length;
  limit_at_least("trajectory written as text", "MB/s", megabytes / seconds[WRITE][REPEATS / 2],
                 megabytes / seconds[WRITE][REPEATS - 1], megabytes / seconds[WRITE][0], 250);
  limit_at_least("trajectory read from text", "MB/s", megabytes / seconds[READ][REPEATS / 2],
                 megabytes / seconds[READ][REPEATS - 1], megabytes / seconds[READ][0], 500);
  printf("write: %.2f of printf, %.1f of copying; read: %.2f of strtod, %.1f of copying\n",
         seconds[WRITE][REPEATS / 2] / seconds[PRINTF][REPEATS / 2],
         seconds[WRITE][REPEATS / 2] / seconds[COPY][REPEATS / 2],
         seconds[READ][REPEATS / 2] / seconds[STRTOD][REPEATS / 2],
         seconds[READ][REPEATS / 2] / seconds[COPY_BACK][REPEATS / 2]);
}

int main(int argc, char **argv)
{
  const size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  bench b = {.traj = make(rows), .path = "/tmp/bench_csv-XXXXXX", .room = (rows + 100) * COLUMNS * LONGEST};
  b.text = malloc(b.room);
  b.copy = malloc(b.room);
  b.printed = malloc(b.room);
  const int file = mkstemp(b.path);
  if (b.traj == NULL || b.text == NULL || b.copy == NULL || b.printed == NULL || file < 0) {
    stop("no memory, or no file");
  }
  close(file);
  write_file(&b);
  FILE *in = fopen(b.path, "r");
  b.length = fread(b.text, 1, b.room, in);
  fclose(in);
  measure(&b);
  unlink(b.path);
  free(b.text);
  free(b.copy);
  free(b.printed);
  dls_trajectory_destroy(b.traj);
  return b.sum > 0 ? 0 : 1;
}
