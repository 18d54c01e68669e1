/* experiments/show/pgfplots_text.c -- text and colours of gnuplot's scripts as TeX.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pgfplots_text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Characters that are no ASCII, as mathematics. Others go through as they are: TeX reads UTF-8. */
static const struct symbol {
  const char *utf8, *math;
  bool letter;
} symbols[] = {
    {"α", "\\alpha", true},      {"β", "\\beta", true},   {"γ", "\\gamma", true},  {"δ", "\\delta", true},
    {"ε", "\\varepsilon", true}, {"ζ", "\\zeta", true},   {"θ", "\\theta", true},  {"λ", "\\lambda", true},
    {"μ", "\\mu", true},         {"ξ", "\\xi", true},     {"π", "\\pi", true},     {"ρ", "\\rho", true},
    {"σ", "\\sigma", true},      {"τ", "\\tau", true},    {"φ", "\\varphi", true}, {"ω", "\\omega", true},
    {"Δ", "\\Delta", true},      {"Φ", "\\Phi", true},    {"Ω", "\\Omega", true},  {"·", "\\cdot", false},
    {"×", "\\times", false},     {"≤", "\\le", false},    {"≥", "\\ge", false},    {"±", "\\pm", false},
    {"−", "-", false},           {"∞", "\\infty", false}, {"²", "^2", false},      {"³", "^3", false},
    {"°", "^\\circ", false},     {"→", "\\to", false}};

static const struct symbol *symbol_at(const char *text)
{
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    if (strncmp(text, symbols[i].utf8, strlen(symbols[i].utf8)) == 0) {
      return &symbols[i];
    }
  }
  return NULL;
}

/* What means something to TeX, as itself. */
static void put_plain(FILE *out, char c)
{
  static const char special[] = "#$%&_{}";
  if (strchr(special, c) != NULL) {
    fprintf(out, "\\%c", c);
  } else if (strchr("\\^~|<>", c) != NULL) {
    fprintf(out,
            c == '\\'  ? "\\textbackslash{}"
            : c == '^' ? "\\textasciicircum{}"
            : c == '~' ? "\\textasciitilde{}"
                       : "$%c$",
            c);
  } else {
    fputc(c, out);
  }
}

/* Mathematics up to an end: symbols by their names. */
static void put_math(FILE *out, const char *text, const char *end)
{
  while (text < end) {
    const struct symbol *symbol = symbol_at(text);
    if (symbol != NULL) {
      fprintf(out, "%s ", symbol->math);
      text += strlen(symbol->utf8);
    } else {
      fputc(*text++, out);
    }
  }
}

/* What may have an index: letters and digits, or one Greek letter. @return its end */
static const char *atom_end(const char *text)
{
  const struct symbol *symbol = symbol_at(text);
  if (symbol != NULL) {
    return text + (symbol->letter ? strlen(symbol->utf8) : 0);
  }
  while (isalnum((unsigned char)*text)) {
    text++;
  }
  return text;
}

/* Indices and exponents: "_{0}^2". @return their end */
static const char *put_scripts(FILE *out, const char *text)
{
  while (*text == '_' || *text == '^') {
    const char *begin = text + 1, *end = begin + (*begin != '\0');
    const char *next = end;
    if (*begin == '{') {
      begin++;
      end = begin + strcspn(begin, "}");
      next = end + (*end != '\0');
    }
    fprintf(out, "%c{", *text);
    put_math(out, begin, end);
    fputc('}', out);
    text = next;
  }
  return text;
}

/* "3.7e-09" @return its end, or the beginning where there is no such number */
static const char *put_power(FILE *out, const char *text)
{
  char *end = NULL;
  const size_t digits = strspn(text, "0123456789.");
  if (digits == 0 || text[digits] != 'e' || strchr("+-0123456789", text[digits + 1]) == NULL) {
    return text;
  }
  const long exponent = strtol(text + digits + 1, &end, 10);
  if (end == text + digits + 1) {
    return text;
  }
  fprintf(out, "$%.*s\\cdot10^{%ld}$", (int)digits, text, exponent);
  return end;
}

/* A sign, not a hyphen. */
static bool is_minus(const char *begin, const char *text)
{
  return *text == '-' && isdigit((unsigned char)text[1]) &&
         (text == begin || !isalnum((unsigned char)text[-1]));
}

void dls_tex_text(FILE *out, const char *text, bool enhanced)
{
  static const char digits[] = "0123456789";
  const char *begin = text;
  bool unit = false;
  while (*text != '\0') {
    if (text == begin || !isalnum((unsigned char)text[-1])) {
      text = put_power(out, text);
    }
    const char *end = enhanced ? atom_end(text) : text;
    const struct symbol *symbol = symbol_at(text);
    if (end > text && (*end == '_' || *end == '^')) {
      const bool upright =
          symbol == NULL && (unit || end - text > 1) && strspn(text, digits) < (size_t)(end - text);
      fputs(upright ? "$\\mathrm{" : "$", out);
      put_math(out, text, end);
      fputs(upright ? "}" : "", out);
      text = put_scripts(out, end);
      fputc('$', out);
    } else if (end > text && symbol == NULL) {
      fwrite(text, 1, (size_t)(end - text), out);
      text = end;
    } else if (symbol != NULL) {
      fprintf(out, "$%s$", symbol->math);
      text += strlen(symbol->utf8);
    } else if (is_minus(begin, text)) {
      fputs("$-$", out);
      text++;
    } else if (*text != '\0') {
      unit = *text == '[' || (unit && *text != ']');
      put_plain(out, *text++);
    }
  }
}

void dls_tex_colour(FILE *out, const char *name, const char *colour)
{
  if (colour[0] != '#') {
    fprintf(out, "%s=%s", name, colour);
    return;
  }
  const unsigned long value = strtoul(colour + 1, NULL, 16);
  fprintf(out, "%s={rgb,255:red,%lu;green,%lu;blue,%lu}", name, value >> 16 & 255, value >> 8 & 255,
          value & 255);
  if (strlen(colour) > 7) {
    fprintf(out, ",opacity=%.3g", 1 - (double)(value >> 24 & 255) / 255);
  }
}
