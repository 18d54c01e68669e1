/* experiments/show/report_svg.c -- SVG as an element of a page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/report_svg.h"
#include <stdbool.h>
#include <string.h>

/* Bytes of the character of UTF-8 that text begins with; 0: it begins with none. */
static size_t character(const char *text)
{
  const unsigned char *c = (const unsigned char *)text;
  const size_t bytes = c[0] < 0x80   ? 1
                       : c[0] < 0xC2 ? 0
                       : c[0] < 0xE0 ? 2
                       : c[0] < 0xF0 ? 3
                       : c[0] < 0xF5 ? 4
                                     : 0;
  for (size_t i = 1; i < bytes; i++) {
    if ((c[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  const bool too_long = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
  const bool surrogate = c[0] == 0xED && c[1] > 0x9F, beyond = c[0] == 0xF4 && c[1] > 0x8F;
  return too_long || surrogate || beyond ? 0 : bytes;
}

/* One character of text; invalid UTF-8, which file names may contain, becomes U+FFFD. @return bytes read */
static size_t put_character(FILE *out, const char *text)
{
  const size_t bytes = character(text);
  if (bytes == 0) {
    fputs("\xEF\xBF\xBD", out);
    return 1;
  }
  if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') {
    fputc(' ', out); /* other control characters are not allowed in XML */
  } else {
    fwrite(text, 1, bytes, out);
  }
  return bytes;
}

void dls_markup_escape(FILE *out, const char *text)
{
  for (; *text != '\0'; text++) {
    switch (*text) {
    case '&':
      fputs("&amp;", out);
      break;
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    default:
      text += put_character(out, text) - 1;
    }
  }
}

bool dls_svg_is_picture(const char *svg)
{
  const char *begin = strstr(svg, "<svg");
  return begin != NULL && strchr(begin, '>') != NULL && strstr(begin, "</svg>") != NULL;
}

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* One attribute within a tag: name="value", from its name on. */
typedef struct attribute {
  const char *name, *value, *end; /* end: behind the closing quote */
  size_t name_size, value_size;
} attribute;

static const char *skip_blanks(const char *text)
{
  return text + strspn(text, " \t\n\r");
}

/* The next attribute of the tag, or false at its end. Blanks are allowed around the equals sign. */
static bool read_attribute(const char *text, attribute *a)
{
  a->name = skip_blanks(text);
  a->name_size = strcspn(a->name, "= \t\n\r>/");
  const char *equals = skip_blanks(a->name + a->name_size);
  const char *begin = *equals == '=' ? skip_blanks(equals + 1) : equals;
  if (a->name_size == 0 || begin == equals || (*begin != '"' && *begin != '\'')) {
    return false;
  }
  a->value = begin + 1;
  const char *quote = strchr(a->value, *begin);
  if (quote == NULL) {
    return false;
  }
  a->value_size = (size_t)(quote - a->value);
  a->end = quote + 1;
  return true;
}

static bool is_named(const attribute *a, const char *name)
{
  return strlen(name) == a->name_size && strncmp(a->name, name, a->name_size) == 0;
}

/* Ids and references to them: id="x", href="#x", url(#x), begin="x.click". */
static void put_value(FILE *out, const attribute *a, const char *prefix)
{
  const bool link = is_named(a, "href") || is_named(a, "xlink:href");
  if (is_named(a, "id")) {
    fprintf(out, "%s%.*s", prefix, (int)a->value_size, a->value);
  } else if (link && *a->value == '#') {
    fprintf(out, "#%s%.*s", prefix, (int)a->value_size - 1, a->value + 1);
  } else if (a->value_size > 5 && begins(a->value, "url(#")) {
    fprintf(out, "url(#%s%.*s", prefix, (int)a->value_size - 5, a->value + 5);
  } else {
    fwrite(a->value, 1, a->value_size, out);
  }
}

/* SVG 2 has href without namespace. */
static void put_attribute(FILE *out, const attribute *a, const char *prefix)
{
  const char quote = a->value[-1];
  const bool link = is_named(a, "xlink:href");
  fprintf(out, " %.*s=%c", link ? 4 : (int)a->name_size, link ? "href" : a->name, quote);
  put_value(out, a, prefix);
  fputc(quote, out);
}

static bool belongs_to_file(const attribute *a)
{
  return is_named(a, "width") || is_named(a, "height") || (a->name_size >= 5 && begins(a->name, "xmlns"));
}

/* A tag from its '<' on. @return what follows it */
static const char *put_tag(FILE *out, const char *tag, const char *prefix)
{
  const size_t name = strcspn(tag, " \t\n\r/>");
  const bool root = name == 4 && begins(tag, "<svg");
  attribute a;
  fwrite(tag, 1, name, out);
  const char *rest = tag + name;
  for (; read_attribute(rest, &a); rest = a.end) {
    if (!root || !belongs_to_file(&a)) {
      put_attribute(out, &a, prefix);
    }
  }
  const char *end = strchr(rest, '>');
  const size_t left = end == NULL ? strlen(rest) : (size_t)(end - rest);
  fputs(root ? " role=\"img\"" : "", out);
  rest += strspn(rest, " \t\n\r");
  fputs(*rest == '/' ? "/>" : ">", out);
  return end == NULL ? rest + left : end + 1;
}

/* Behind the element <name>...</name> that begins at `at`. */
static const char *skip_element(const char *at, const char *closing)
{
  const char *end = strstr(at, closing);
  return end == NULL ? at + strlen(at) : end + strlen(closing);
}

void dls_svg_inline(FILE *out, const char *svg, const char *prefix, const char *title)
{
  const char *at = strstr(svg, "<svg");
  const char *end = at;
  for (const char *next = at; next != NULL; next = strstr(next + 1, "</svg>")) {
    end = next;
  }
  at = put_tag(out, at, prefix);
  fputs("<title>", out);
  dls_markup_escape(out, title);
  fputs("</title>", out);
  while (at < end) {
    if (begins(at, "<title>")) {
      at = skip_element(at, "</title>");
    } else if (begins(at, "<desc>")) {
      at = skip_element(at, "</desc>");
    } else if (begins(at, "<!--")) {
      at = skip_element(at, "-->");
    } else if (*at == '<' && at[1] != '/') {
      at = put_tag(out, at, prefix);
    } else {
      fputc(*at++, out);
    }
  }
  fputs("</svg>", out);
}
