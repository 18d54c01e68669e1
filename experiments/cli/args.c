/* experiments/cli/args.c -- the arguments of a command, read by getopt_long from the command's table.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"

#include "common/base/text.h"
#include <ctype.h>
#include <delassus/catalogue.h>
#include <delassus/option.h>
#include <delassus/output.h>
#include <delassus/plot.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_VALUE = 256 /* above every character, so that no value is a short option */ };

size_t dls_cli_options(const dls_cli_command *command, dls_cli_option options[DLS_CLI_MOST_OPTIONS])
{
  const unsigned bits = command->keys | DLS_COMMAND_ANY;
  size_t count = 0;
  for (const dls_cli_option *own = command->options; own != NULL && own->name != NULL; own++) {
    options[count++] = *own;
  }
  for (dls_key_id key = 0; key < DLS_KEY_COUNT; key++) {
    const dls_key_option *o = dls_key_option_of(dls_key(key), bits);
    if (o != NULL) {
      options[count++] = (dls_cli_option){
          dls_key(key)->more->option, o->argument, dls_key_help(dls_key(key), bits), o->repeat, o->needed, key};
    }
  }
  options[count++] = (dls_cli_option){.name = "help", .help = "print this page"};
  return count;
}

char *dls_cli_synopsis(const dls_cli_command *command, bool needed)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  fputs(command->synopsis, out);
  dls_cli_option options[DLS_CLI_MOST_OPTIONS];
  const size_t count = dls_cli_options(command, options) - 1; /* the last is --help */
  for (const dls_cli_option *o = options; o < options + count; o++) {
    if (o->key != DLS_KEY_PLUGIN && (o->needed || !needed)) {
      fprintf(out, " %s--%s%s%s%s%s", o->needed ? "" : "[", o->name, o->argument != NULL ? " " : "",
              o->argument != NULL ? o->argument : "", o->needed ? "" : "]", o->repeat ? "..." : "");
    }
  }
  return fclose(out) == 0 ? text : (free(text), NULL);
}

/* What getopt_long is given. @return the place of --out, which -o is short for; -1 if there is none */
static int fill_getopt(const dls_cli_option *options, size_t count, struct option *table)
{
  int out = -1;
  for (size_t i = 0; i < count; i++) {
    const int argument = options[i].argument != NULL ? required_argument : no_argument;
    table[i] = (struct option){options[i].name, argument, NULL, FIRST_VALUE + (int)i};
    out = strcmp(options[i].name, "out") == 0 ? (int)i : out;
  }
  table[count - 1].val = 'H';
  table[count] = (struct option){0};
  return out;
}

static dls_status unknown_option(const dls_cli_option *options, size_t count, const char *text, dls_error *err)
{
  const char *names[DLS_CLI_MOST_OPTIONS];
  char list[250] = "";
  for (size_t i = 0; i < count; i++) {
    names[i] = options[i].name;
    dls_text_append(list, sizeof list, "%s--%s", i > 0 ? ", " : "", names[i]);
  }
  char bare[64];
  const char *start = text + strspn(text, "-");
  snprintf(bare, sizeof bare, "%.*s", (int)strcspn(start, "="), start);
  const char *near = dls_nearest_name(bare, names, count);
  return dls_fail(err, DLS_ERR_ARG, "unknown option '%.60s'%s%s%s The options are: %s", text,
                  near != NULL ? "; did you mean --" : "", near != NULL ? near : "", near != NULL ? "?" : ".",
                  list);
}

static dls_status add_option(const dls_cli_option *option, const char *value, dls_cli_args *out, dls_error *err)
{
  if (!option->repeat && dls_cli_count(out, option->name) > 0) {
    return dls_fail(err, DLS_ERR_ARG, "--%s is given twice: '%.80s' and '%.80s'", option->name,
                    dls_cli_value(out, option->name), value);
  }
  out->given[out->given_count++] = (dls_cli_given){*option, value};
  return DLS_OK;
}

/* What getopt_long says about one argument: code is its return value, letter the option that it is about. */
static dls_status take(const dls_cli_option *options, size_t count, int code, int letter, char **argv,
                       dls_cli_args *out, dls_error *err)
{
  if (code == 'h' || code == 'H') {
    out->help = code == 'H' ? DLS_CLI_HELP_ALL : DLS_CLI_HELP_SHORT;
    return DLS_OK;
  }
  if (code == '?' && letter < FIRST_VALUE) {
    const char dashed[] = {'-', (char)letter, '\0'};
    return unknown_option(options, count, letter > 0 && letter != 'H' ? dashed : argv[optind - 1], err);
  }
  const dls_cli_option *option = &options[(code == ':' || code == '?' ? letter : code) - FIRST_VALUE];
  if (code == ':') {
    return dls_fail(err, DLS_ERR_ARG, "--%s needs a value: --%s %s", option->name, option->name,
                    option->argument);
  }
  if (code == '?') {
    return dls_fail(err, DLS_ERR_ARG, "--%s is a switch and takes no value, but '%.60s' was given",
                    option->name, argv[optind - 1]);
  }
  return add_option(option, optarg != NULL ? optarg : "", out, err);
}

/* Words of synopses, and one of each that works as typed. */
static const char *const examples[][2] = {
    {"MODEL", "bouncing-ball"}, {"SCHEME", "moreau-jean"},   {"NAME", "moreau-jean"},
    {"FILE.csv", "run.csv"},    {"A.csv", "run.csv"},        {"B.csv", "exact.csv"},
    {"DATA.csv", "data.csv"},   {"FILE.yaml", "study.yaml"}, {"FILE|NAME", "study.yaml"},
    {"DIR", "study"},           {"FILE|DIR", "run.csv"}};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* "MODEL is missing, e.g. bouncing-ball" for the word of the synopsis at a position. */
static dls_status missing(const dls_cli_command *command, size_t position, const char *synopsis, dls_error *err)
{
  const char *word = command->synopsis;
  for (; position > 0; position--) {
    word += strcspn(word, " ");
    word += strspn(word, " ");
  }
  word += *word == '[';
  const size_t length = strcspn(word, " ].");
  size_t i = 0;
  while (i < EXAMPLES && strncmp(examples[i][0], word, strlen(examples[i][0])) != 0) {
    i++;
  }
  const size_t shown = i < EXAMPLES ? strlen(examples[i][0]) : length;
  return dls_fail(err, DLS_ERR_ARG, "%.*s is missing%s%s: delassus %s %s", (int)shown, word,
                  i < EXAMPLES ? ", e.g. " : "", i < EXAMPLES ? examples[i][1] : "", command->name, synopsis);
}

static dls_status check_positional(const dls_cli_args *args, dls_error *err)
{
  const dls_cli_command *command = args->command;
  if (args->positional_count >= command->least && args->positional_count <= command->most) {
    return DLS_OK;
  }
  char *synopsis = dls_cli_synopsis(command, true);
  const char *text = synopsis != NULL ? synopsis : command->synopsis;
  const dls_status status = args->positional_count < command->least
                                ? missing(command, args->positional_count, text, err)
                                : dls_fail(err, DLS_ERR_ARG, "unexpected '%.80s': delassus %s %s",
                                           args->positional[command->most], command->name, text);
  free(synopsis);
  return status;
}

dls_status dls_cli_parse(const dls_cli_command *command, int argc, char **argv, dls_cli_args *out,
                         dls_error *err)
{
  *out = (dls_cli_args){.command = command};
  out->given = calloc((size_t)argc + 1, sizeof *out->given);
  if (out->given == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  }
  dls_cli_option options[DLS_CLI_MOST_OPTIONS];
  struct option table[DLS_CLI_MOST_OPTIONS + 1];
  const size_t count = dls_cli_options(command, options);
  const int out_place = fill_getopt(options, count, table);
  opterr = 0;
  optind = 0; /* a command may call another, so start over */
  int code = 0;
  while ((code = getopt_long(argc, argv, out_place >= 0 ? ":ho:" : ":h", table, NULL)) != -1) {
    const int place = FIRST_VALUE + out_place;
    const dls_status status = take(options, count, code == 'o' ? place : code,
                                   optopt == 'o' && out_place >= 0 ? place : optopt, argv, out, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  out->positional = argv + optind;
  out->positional_count = (size_t)(argc - optind);
  return out->help != DLS_CLI_NO_HELP ? DLS_OK : check_positional(out, err);
}

void dls_cli_args_release(dls_cli_args *args)
{
  free(args->given);
  args->given = NULL;
}

size_t dls_cli_count(const dls_cli_args *args, const char *name)
{
  size_t count = 0;
  for (size_t i = 0; i < args->given_count; i++) {
    count += strcmp(args->given[i].option.name, name) == 0;
  }
  return count;
}

const char *dls_cli_value_at(const dls_cli_args *args, const char *name, size_t index)
{
  for (size_t i = 0; i < args->given_count; i++) {
    if (strcmp(args->given[i].option.name, name) == 0 && index-- == 0) {
      return args->given[i].value;
    }
  }
  return NULL;
}

const char *dls_cli_value(const dls_cli_args *args, const char *name)
{
  return dls_cli_value_at(args, name, 0);
}

static dls_status read_number(const dls_cli_args *args, const char *name, double *value, dls_error *err)
{
  const char *text = dls_cli_value(args, name);
  if (text == NULL) {
    return DLS_OK;
  }
  char what[64];
  snprintf(what, sizeof what, "--%s", name);
  return dls_parse_number(what, text, value, err);
}

dls_status dls_cli_positive(const dls_cli_args *args, const char *name, double *value, dls_error *err)
{
  const dls_status status = read_number(args, name, value, err);
  if (status == DLS_OK && !(*value > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "--%s = %s is not allowed: it must be > 0", name,
                    dls_cli_value(args, name));
  }
  return status;
}

dls_status dls_cli_integer(const dls_cli_args *args, const char *name, double min, double max, double *value,
                           dls_error *err)
{
  const dls_status status = read_number(args, name, value, err);
  if (status == DLS_OK && !(*value == floor(*value) && *value >= min && *value <= max)) {
    return dls_fail(err, DLS_ERR_ARG, "--%s = %s is not allowed: it must be an integer in [%.15g, %.15g]", name,
                    dls_cli_value(args, name), min, max);
  }
  return status;
}

dls_status dls_cli_choice(const dls_cli_args *args, const char *name, const char *const *choices, size_t count,
                          size_t *value, dls_error *err)
{
  const char *text = dls_cli_value(args, name);
  char list[200] = "";
  *value = 0;
  for (size_t i = 0; i < count && text != NULL; i++) {
    if (strcmp(text, choices[i]) == 0) {
      *value = i;
      return DLS_OK;
    }
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", choices[i]);
  }
  if (text == NULL) {
    return DLS_OK;
  }
  char guess[60];
  dls_cli_guess(text, choices, count, guess, sizeof guess);
  return dls_fail(err, DLS_ERR_OPTION, "--%s = '%.60s' is not allowed: it must be one of %s%s", name, text,
                  list, guess);
}

dls_status dls_cli_model(const dls_cli_args *args, const dls_model *model, dls_model_choice *out,
                         dls_error *err)
{
  *out = (dls_model_choice){0};
  const size_t count = dls_cli_count(args, "set");
  const char **settings = malloc((count + 1) * sizeof *settings);
  if (settings == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < count; i++) {
    settings[i] = dls_cli_value_at(args, "set", i);
  }
  dls_status status = dls_model_choose("--set for", model, count, settings, out, err);
  if (status == DLS_ERR_IO) { /* a file that is not there: the request is wrong */
    err->status = status = DLS_ERR_ARG;
  }
  free(settings);
  const char *law = dls_cli_value(args, "law");
  return status != DLS_OK || law == NULL ? status
                                         : dls_catalogue_choose_law(args->catalogue, "--law: ", law, out, err);
}

dls_status dls_cli_split(const char *what, const char *text, char sep, char ***out, size_t *count,
                         dls_error *err)
{
  size_t fields = 1;
  for (const char *c = text + dls_text_field(text, sep); *c != '\0'; c += 1 + dls_text_field(c + 1, sep)) {
    fields++;
  }
  char **list = malloc(fields * sizeof *list + strlen(text) + 1);
  if (list == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  }
  char *copy = strcpy((char *)(list + fields), text);
  for (size_t i = 0; i < fields; i++) {
    list[i] = copy;
    copy += dls_text_field(copy, sep);
    if (copy == list[i]) {
      free(list);
      return dls_fail(err, DLS_ERR_PARSE, "%s: field %zu of '%.100s' is empty", what, i + 1, text);
    }
    *copy++ = '\0';
  }
  *out = list;
  *count = fields;
  return DLS_OK;
}

dls_status dls_cli_check_output(const char *path, dls_error *err)
{
  const bool named = path != NULL && strcmp(path, "-") != 0;
  return !named || dls_output_check(path, err) == DLS_OK ? DLS_OK : dls_cli_refuse(err);
}

dls_status dls_cli_check_picture(const char *path, dls_error *err)
{
  const dls_status status = dls_cli_check_output(path, err);
  return status != DLS_OK || path == NULL ? status : dls_plot_check(path, err);
}

dls_status dls_cli_refuse(dls_error *err)
{
  err->status = err->status == DLS_ERR_MEMORY ? DLS_ERR_MEMORY : DLS_ERR_ARG;
  return err->status;
}

static atomic_bool messaged;

bool dls_cli_messaged(void)
{
  return messaged;
}

static atomic_size_t out_of_memory;

size_t dls_cli_out_of_memory(void)
{
  return out_of_memory;
}

static char missing_pictures[1000];

dls_status dls_cli_drawn(const char *path, dls_status status)
{
  const char *slash = strrchr(path, '/');
  if (status != DLS_OK) {
    dls_text_append(missing_pictures, sizeof missing_pictures, "%s%s", missing_pictures[0] != '\0' ? ", " : "",
                    slash != NULL ? slash + 1 : path);
  }
  return status;
}

const char *dls_cli_missing_pictures(void)
{
  static char names[sizeof missing_pictures];
  memcpy(names, missing_pictures, sizeof names);
  missing_pictures[0] = '\0';
  return names;
}

void dls_cli_message(const char *command, const char *format, ...)
{
  char text[4096];
  messaged = true;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c != '\0'; c++) { /* a file must not give orders to the terminal */
    *c = iscntrl((unsigned char)*c) && *c != '\n' && *c != '\t' ? '?' : *c;
  }
  fprintf(stderr, "delassus %s: %s\n", command, text);
}

void dls_cli_guess(const char *name, const char *const *names, size_t count, char *text, size_t size)
{
  const char *near = dls_nearest_name(name, names, count);
  text[0] = '\0';
  if (near != NULL) {
    snprintf(text, size, "; did you mean '%s'?", near);
  }
}

int dls_cli_exit_code(dls_status status)
{
  switch (status) {
  case DLS_OK:
    return DLS_EXIT_DONE;
  case DLS_ERR_ARG:
  case DLS_ERR_OPTION:
  case DLS_ERR_PARSE:
  case DLS_ERR_NOT_APPLICABLE:
    return DLS_EXIT_REQUEST;
  default:
    return DLS_EXIT_FAILED;
  }
}

int dls_cli_fail(const char *command, const dls_error *err)
{
  out_of_memory += err->status == DLS_ERR_MEMORY;
  dls_cli_message(command, "%s", err->text[0] != '\0' ? err->text : dls_status_text(err->status));
  return dls_cli_exit_code(err->status);
}

int dls_cli_unmet(const dls_cli_args *args, int otherwise)
{
  return dls_cli_value(args, "strict") != NULL ? DLS_EXIT_UNMET : otherwise;
}

int dls_cli_written(const char *command, dls_status status, const dls_error *err, int code)
{
  if (status != DLS_OK) {
    dls_cli_fail(command, err);
  }
  return status != DLS_OK && code == DLS_EXIT_DONE ? DLS_EXIT_FAILED : code;
}
