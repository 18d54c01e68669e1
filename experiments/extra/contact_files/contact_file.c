/* contact_file.c -- contact problems in text files, read strictly.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include <delassus/contact_file.h>

#include "common/base/text.h"
#include "common/linear/storage.h"
#include "experiments/extra/contact_files/fclib.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 63, LONGEST_PATH = 120 };

typedef enum keyword { DIM, CONTACTS, MU, Q, W, LAW, STATUS, R, U, RESIDUAL, KEYWORDS } keyword;
static const char *const keywords[KEYWORDS] = {"dim", "contacts", "mu", "q", "W",
                                               "law", "status",   "r",  "u", "residual"};
static const char coulomb[] = "coulomb", associated[] = "associated";

typedef struct reader {
  FILE *in;
  const char *name;
  size_t line; /* of the last word */
  char word[LONGEST_WORD + 1];
  bool there;            /* a word was read */
  size_t seen[KEYWORDS]; /* line of each keyword; 0: absent */
  dls_contact_file *file;
  dls_market *W;
} reader;

static dls_status bad(const reader *r, dls_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static dls_status bad(const reader *r, dls_error *err, const char *format, ...)
{
  char what[220];
  const size_t length = strlen(r->name);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return dls_fail(err, DLS_ERR_PARSE, "%s:%zu: %s",
                  length > LONGEST_PATH ? r->name + length - LONGEST_PATH : r->name, r->line, what);
}

/* The next word; blanks, line ends and comments from # on separate words. */
static dls_status next_word(reader *r, dls_error *err)
{
  size_t length = 0;
  bool comment = false;
  int c = getc_unlocked(r->in);
  for (; c != EOF && (comment || c == '#' || isspace(c)); c = getc_unlocked(r->in)) {
    comment = c != '\n' && (comment || c == '#');
    r->line += c == '\n';
  }
  r->there = c != EOF;
  for (; c != EOF && c != '#' && !isspace(c); c = getc_unlocked(r->in)) {
    if (length == LONGEST_WORD || !isprint(c)) {
      return bad(r, err, length == LONGEST_WORD ? "a word of more than 63 characters" : "not a text file");
    }
    r->word[length++] = (char)c;
  }
  r->word[length] = '\0';
  if (c != EOF) {
    ungetc(c, r->in);
  }
  return ferror(r->in)
             ? dls_fail(err, dls_unread_status(errno), "cannot read %.120s: %s", r->name, strerror(errno))
             : DLS_OK;
}

static dls_status read_number(reader *r, const char *what, double *x, dls_error *err)
{
  char *end = NULL;
  const dls_status status = next_word(r, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!r->there) {
    return bad(r, err, "the file ends where %s is expected", what);
  }
  *x = strtod(r->word, &end);
  if (*end != '\0' || isspace((unsigned char)r->word[0]) || !isfinite(*x) || strpbrk(r->word, "xX") != NULL) {
    return bad(r, err, "'%s' found; expected %s, a finite number", r->word, what);
  }
  return DLS_OK;
}

static dls_status read_count(reader *r, const char *what, size_t least, size_t most, size_t *n, dls_error *err)
{
  const dls_status status = next_word(r, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!r->there) {
    return bad(r, err, "the file ends where %s is expected", what);
  }
  char *end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(r->word, &end, 10);
  if (!isdigit((unsigned char)r->word[0]) || *end != '\0' || errno != 0 || value < least || value > most) {
    return bad(r, err, "'%s' found; expected %s, an integer in [%zu, %zu]", r->word, what, least, most);
  }
  *n = (size_t)value;
  return DLS_OK;
}

static dls_status read_numbers(reader *r, const char *key, size_t count, double least, double *x,
                               dls_error *err)
{
  char what[60];
  for (size_t i = 0; i < count; i++) {
    snprintf(what, sizeof what, "%s[%zu] of %zu", key, i, count);
    const dls_status status = read_number(r, what, &x[i], err);
    if (status != DLS_OK) {
      return status;
    }
    if (x[i] < least) {
      return bad(r, err, "%s[%zu] = %s is below %g", key, i, r->word, least);
    }
  }
  return DLS_OK;
}

static size_t rows_of(const dls_contact_file *file)
{
  return file->dim * file->contacts;
}

dls_status dls_contact_file_room(dls_contact_file *file, dls_error *err)
{
  const size_t n = rows_of(file);
  file->blocks = calloc(file->contacts, sizeof *file->blocks);
  file->q = calloc(n, sizeof *file->q);
  file->r = calloc(n, sizeof *file->r);
  file->u = calloc(n, sizeof *file->u);
  if (file->blocks == NULL || file->q == NULL || file->r == NULL || file->u == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", file->contacts);
  }
  for (size_t k = 0; k < file->contacts; k++) {
    file->blocks[k] = (dls_block){file->dim == 1 ? DLS_HALF : DLS_COULOMB, file->dim, 0};
  }
  return DLS_OK;
}

static dls_status read_mu(reader *r, dls_error *err)
{
  dls_contact_file *file = r->file;
  if (file->dim == 1) {
    return bad(r, err, "mu with dim 1: contacts without tangents have no friction");
  }
  for (size_t k = 0; k < file->contacts; k++) {
    const dls_status status = read_numbers(r, "mu", 1, 0, &file->blocks[k].mu, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  return DLS_OK;
}

/* The law of all contacts with friction. */
static dls_status read_law(reader *r, dls_error *err)
{
  const dls_status status = next_word(r, err);
  const bool convex = status == DLS_OK && r->there && strcmp(r->word, associated) == 0;
  if (status != DLS_OK) {
    return status;
  }
  if (r->file->dim == 1) {
    return bad(r, err, "law with dim 1: contacts without tangents have no friction");
  }
  if (!(convex || (r->there && strcmp(r->word, coulomb) == 0))) {
    return bad(r, err, "'%s' found; expected the law, %s or %s", r->there ? r->word : "", coulomb, associated);
  }
  for (size_t k = 0; k < r->file->contacts; k++) {
    r->file->blocks[k].law = convex ? DLS_ASSOCIATED : DLS_COULOMB;
  }
  return DLS_OK;
}

/* One row `i j value`; memory grows with the rows read, whatever the file announces. */
static dls_status read_entry(reader *r, size_t *capacity, dls_error *err)
{
  const size_t n = rows_of(r->file);
  dls_market_entry e = {0};
  dls_status status = read_count(r, "a row of W", 0, n - 1, &e.row, err);
  e.line = r->line;
  if (status == DLS_OK) {
    status = read_count(r, "a column of W", 0, n - 1, &e.column, err);
  }
  if (status == DLS_OK) {
    status = read_number(r, "an entry of W", &e.value, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (r->W->count == *capacity) {
    const size_t more = *capacity == 0 ? 64 : 2 * *capacity;
    dls_market_entry *grown = realloc(r->W->entries, more * sizeof *grown);
    if (grown == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu entries of W", more);
    }
    r->W->entries = grown;
    *capacity = more;
  }
  r->W->entries[r->W->count++] = e;
  return DLS_OK;
}

dls_status dls_contact_file_set_W(dls_contact_file *file, dls_market *table, const dls_market_entry **twice,
                                  dls_error *err)
{
  *twice = NULL;
  dls_market_sort(table);
  for (size_t k = 1; k < table->count; k++) {
    const dls_market_entry *a = &table->entries[k - 1], *b = a + 1;
    if (a->row == b->row && a->column == b->column) {
      *twice = a;
      return DLS_OK;
    }
  }
  dls_market_drop_zeros(table);
  file->W = dls_market_matrix(table);
  return file->W != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for W");
}

static dls_status read_W(reader *r, dls_error *err)
{
  const size_t n = rows_of(r->file);
  size_t entries = 0, capacity = 0;
  dls_status status = read_count(r, "the number of entries of W", 0, n * n, &entries, err);
  r->W = calloc(1, sizeof *r->W);
  if (status == DLS_OK && r->W == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for W");
  }
  for (size_t k = 0; k < entries && status == DLS_OK; k++) {
    status = read_entry(r, &capacity, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  const dls_market_entry *twice = NULL;
  r->W->rows = r->W->columns = n;
  status = dls_contact_file_set_W(r->file, r->W, &twice, err);
  if (twice != NULL) {
    r->line = twice[1].line;
    return bad(r, err, "W[%zu,%zu] is given twice, first in line %zu", twice->row, twice->column, twice->line);
  }
  return status;
}

/* An answer in the file: its statuses and residual are recomputed, not read. */
static dls_status skip(reader *r, keyword key, dls_error *err)
{
  double x = 0;
  size_t mode = 0;
  dls_status status = DLS_OK;
  for (size_t k = 0; key == STATUS && k < r->file->contacts && status == DLS_OK; k++) {
    status = read_count(r, "a status", 0, 2, &mode, err);
  }
  return key == STATUS ? status : read_numbers(r, keywords[key], 1, 0, &x, err);
}

static dls_status read_section(reader *r, keyword key, dls_error *err)
{
  enum { MOST_CONTACTS = INT_MAX / 16 };
  dls_contact_file *file = r->file;
  dls_status status = DLS_OK;
  switch (key) {
  case DIM:
  case CONTACTS:
    status = key == DIM ? read_count(r, "dim", 1, 3, &file->dim, err)
                        : read_count(r, "the number of contacts", 1, MOST_CONTACTS, &file->contacts, err);
    return status != DLS_OK || file->dim == 0 || file->contacts == 0 ? status
                                                                     : dls_contact_file_room(file, err);
  case MU:
    return read_mu(r, err);
  case Q:
    return read_numbers(r, "q", rows_of(file), -HUGE_VAL, file->q, err);
  case W:
    return read_W(r, err);
  case LAW:
    return read_law(r, err);
  case R:
    return read_numbers(r, "r", rows_of(file), -HUGE_VAL, file->r, err);
  case U:
    return read_numbers(r, "u", rows_of(file), -HUGE_VAL, file->u, err);
  default:
    return skip(r, key, err);
  }
}

static dls_status find_keyword(reader *r, keyword *key, dls_error *err)
{
  *key = DIM;
  while (*key < KEYWORDS && strcmp(r->word, keywords[*key]) != 0) {
    (*key)++;
  }
  if (*key == KEYWORDS) {
    return bad(r, err, "unknown keyword '%s'; allowed: dim, contacts, mu, q, W, law, status, r, u, residual",
               r->word);
  }
  if (r->seen[*key] > 0) {
    return bad(r, err, "'%s' is given twice, first in line %zu", r->word, r->seen[*key]);
  }
  if (*key > CONTACTS && (r->seen[DIM] == 0 || r->seen[CONTACTS] == 0)) {
    return bad(r, err, "'%s' before dim and contacts", r->word);
  }
  r->seen[*key] = r->line;
  return DLS_OK;
}

static dls_status read_all(reader *r, dls_error *err)
{
  dls_status status = next_word(r, err);
  while (status == DLS_OK && r->there) {
    keyword key = DIM;
    status = find_keyword(r, &key, err);
    if (status == DLS_OK) {
      status = read_section(r, key, err);
    }
    if (status == DLS_OK) {
      status = next_word(r, err);
    }
  }
  for (keyword key = DIM; key <= W && status == DLS_OK; key++) {
    if (r->seen[key] == 0 && !(key == MU && r->file->dim == 1)) {
      return bad(r, err, "the keyword '%s' is missing", keywords[key]);
    }
  }
  return status;
}

dls_status dls_contact_file_parse(FILE *in, const char *name, dls_contact_file **out, dls_error *err)
{
  reader r = {.in = in, .name = name, .line = 1, .file = calloc(1, sizeof *r.file)};
  *out = NULL;
  if (r.file == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a contact problem");
  }
  const locale_t before = dls_text_begin_c_locale();
  const dls_status status = read_all(&r, err);
  dls_text_end_c_locale(before);
  dls_market_destroy(r.W);
  if (status != DLS_OK) {
    dls_contact_file_destroy(r.file);
    return status;
  }
  *out = r.file;
  return DLS_OK;
}

dls_status dls_contact_file_read(const char *path, dls_contact_file **out, dls_error *err)
{
  static const unsigned char hdf5[] = {0x89, 'H', 'D', 'F'};
  unsigned char head[sizeof hdf5] = {0};
  *out = NULL;
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    return dls_fail(err, dls_unread_status(errno), "cannot read %.200s: %s", path, strerror(errno));
  }
  const bool is_hdf5 = fread(head, 1, sizeof head, in) == sizeof head && memcmp(head, hdf5, sizeof hdf5) == 0;
  rewind(in);
  const dls_status status =
      is_hdf5 ? dls_fclib_read(path, out, err) : dls_contact_file_parse(in, path, out, err);
  fclose(in);
  return status;
}

void dls_contact_file_destroy(dls_contact_file *file)
{
  if (file == NULL) {
    return;
  }
  free(file->blocks);
  free(file->q);
  free(file->r);
  free(file->u);
  dls_matrix_destroy(file->W);
  free(file);
}

dls_problem dls_contact_file_problem(const dls_contact_file *file)
{
  return (dls_problem){.count = file->contacts, .blocks = file->blocks, .q = file->q, .matrix = file->W};
}

/* One contact per line. */
static void write_numbers(FILE *out, const dls_contact_file *file, const char *key, const double *x)
{
  fprintf(out, "%s\n", key);
  for (size_t i = 0; i < rows_of(file); i++) {
    fprintf(out, "%.17g%c", x[i], (i + 1) % file->dim == 0 ? '\n' : ' ');
  }
}

/* 0 open, 1 closed or stick, 2 slip: r on the boundary of the cone and u_T not 0. */
static int status_of(const dls_contact_file *file, size_t k)
{
  const double *r = file->r + k * file->dim, *u = file->u + k * file->dim, mu = file->blocks[k].mu;
  double tangential = 0, slip = 0;
  for (size_t i = 1; i < file->dim; i++) {
    tangential = hypot(tangential, r[i]);
    slip = hypot(slip, u[i]);
  }
  static const double rounding = 1e-12;
  return !(r[0] > 0) ? 0 : file->dim > 1 && tangential >= mu * r[0] * (1 - rounding) && slip > 0 ? 2 : 1;
}

typedef struct writer {
  FILE *out; /* NULL: count only */
  size_t entries;
} writer;

static void write_entry(void *data, size_t i, size_t j, double x)
{
  writer *w = data;
  w->entries += x != 0;
  if (x != 0 && w->out != NULL) {
    fprintf(w->out, "%zu %zu %.17g\n", i, j, x);
  }
}

static void write_W(FILE *out, const dls_contact_file *file)
{
  writer w = {NULL, 0};
  dls_matrix_visit(file->W, write_entry, &w);
  fprintf(out, "W %zu\n", w.entries);
  w.out = out;
  dls_matrix_visit(file->W, write_entry, &w);
}

static bool guessed(const dls_contact_file *file)
{
  for (size_t i = 0; file->r != NULL && i < rows_of(file); i++) {
    if (file->r[i] != 0) {
      return true;
    }
  }
  return false;
}

bool dls_contact_file_is_associated(const dls_contact_file *file)
{
  bool any = false;
  for (size_t k = 0; k < file->contacts; k++) {
    any = any || file->blocks[k].law == DLS_ASSOCIATED;
  }
  return any;
}

void dls_contact_file_write(FILE *out, const dls_contact_file *file, const dls_problem_report *report)
{
  const locale_t before = dls_text_begin_c_locale();
  fprintf(out, "dim %zu\ncontacts %zu\n", file->dim, file->contacts);
  if (file->dim > 1) {
    fprintf(out, "mu\n");
    for (size_t k = 0; k < file->contacts; k++) {
      fprintf(out, "%.17g\n", file->blocks[k].mu);
    }
  }
  if (dls_contact_file_is_associated(file)) {
    fprintf(out, "law %s\n", associated);
  }
  write_numbers(out, file, "q", file->q);
  write_W(out, file);
  if (report == NULL && guessed(file)) {
    write_numbers(out, file, "r", file->r);
  }
  if (report != NULL) {
    fprintf(out, "status\n");
    for (size_t k = 0; k < file->contacts; k++) {
      fprintf(out, "%d\n", status_of(file, k));
    }
    write_numbers(out, file, "r", file->r);
    write_numbers(out, file, "u", file->u);
    fprintf(out, "# method: %s\nresidual %.17g\n", report->method, report->residual);
  }
  dls_text_end_c_locale(before);
}
