/* tests/experiments/test_report.c -- pages stand alone and are well-formed, whatever is put on them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "markup.h"
#include "scratch.h"

#include "experiments/show/report.h"
#include "experiments/show/report_study.h"
#include "experiments/show/report_svg.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char picture[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n<svg \n width=\"600\" height=\"480\"\n "
    "viewBox=\"0 0 600 480\"\n xmlns=\"http://www.w3.org/2000/svg\"\n "
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n>\n"
    "<title>Gnuplot</title><desc>made by it</desc><!-- a <remark> -->"
    "<defs><circle id='dot' r='0.5'/><clipPath id=\"window\"><rect width='3' height='2'/></clipPath></defs>"
    "<use xlink:href='#dot'/><g clip-path=\"url(#window)\"><text>a &lt; b</text></g>"
    "<polygon fill = 'grey'  points = '0,0 1,1 1,0'/></svg>\n";

static char path[DLS_TEST_PATH];

static int setup(void **state)
{
  (void)state;
  dls_test_file(dls_test_folder(NULL), "report.html", path);
  return 0;
}

static char *contents(void)
{
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char *text = calloc(1, 1000000);
  assert_non_null(text);
  assert_between((double)fread(text, 1, 999999, file), 100, 999998);
  fclose(file);
  return text;
}

static char *finished(dls_report *report)
{
  dls_error err = {0};
  char problem[200];
  assert_ok(dls_report_finish(report, path, &err), err);
  char *text = contents();
  const char *found = markup_problem(text, problem, sizeof problem);
  if (found != NULL) {
    fail_msg("%s", found);
  }
  return text;
}

static dls_report *begun(const char *title)
{
  dls_error err = {0};
  dls_report *report = NULL;
  assert_ok(dls_report_begin(title, &report, &err), err);
  return report;
}

static void assert_has(const char *text, const char *piece)
{
  if (strstr(text, piece) == NULL) {
    fail_msg("the page lacks: %s", piece);
  }
}

static void put_everything(dls_report *report)
{
  static const char *const headers[] = {"a & b", "number"};
  dls_error err = {0};
  dls_report_heading(report, "x < y");
  dls_report_paragraph(report, "%s", "\"p\" & <q>");
  dls_report_preformatted(report, "0 <= g _|_ p >= 0\n  indented");
  dls_report_folded(report, "more <", "a,b\n\"1,2\",3\n");
  dls_report_verdict(report, true, "agrees: 1 of 1");
  dls_report_warning(report, "careful & slow");
  dls_report_entry(report, "seed", "%d", 7);
  dls_report_entry(report, "cpu", "%s", "<unknown>");
  dls_report_table_begin(report, "1 < 2", 2, headers);
  dls_report_cell(report, "%s", "word");
  dls_report_cell(report, "%.2f", -1.25);
  dls_report_cell(report, "%s", "nan");
  dls_report_cell(report, "%s", "0.9 to 1.1");
  dls_report_table_end(report);
  assert_ok(dls_report_figure(report, picture, picture, "what & why", "caption <", &err), err);
}

DLS_TEST(everything_on_a_page_is_well_formed_and_escaped)
{
  dls_report *report = begun("h < 1 & more");
  dls_report_section(report, "One & two");
  put_everything(report);
  char *text = finished(report);
  assert_int_equal(strncmp(text, "<!DOCTYPE html>", 15), 0);
  assert_has(text, "<title>h &lt; 1 &amp; more</title>");
  assert_has(text, "<p>&quot;p&quot; &amp; &lt;q&gt;</p>");
  assert_has(text, "0 &lt;= g _|_ p &gt;= 0\n  indented</pre>");
  assert_has(text, "<dt>seed</dt><dd>7</dd>\n<dt>cpu</dt><dd>&lt;unknown&gt;</dd>\n</dl>");
  assert_has(text, "<p class=\"verdict yes\">");
  assert_has(
      text,
      "<tr><td>word</td><td class=\"n\">-1.25</td></tr>\n<tr><td>nan</td><td class=\"n\">0.9 to 1.1</td>");
  free(text);
}

/* No address, no script, nothing that is fetched: a page opens without network. */
DLS_TEST(a_page_refers_to_nothing_outside)
{
  dls_report *report = begun("t");
  put_everything(report);
  char *text = finished(report);
  static const char *const outside[] = {"http", "src=", "<script", "<link", "@import", "xlink", "<iframe"};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    assert_int_equal(markup_count(text, outside[i]), 0);
  }
  free(text);
}

DLS_TEST(pictures_scale_and_keep_their_ids_to_themselves)
{
  dls_report *report = begun("t");
  put_everything(report);
  put_everything(report);
  char *text = finished(report); /* which checks that ids are unique and found */
  assert_int_equal(markup_count(text, "<svg viewBox=\"0 0 600 480\" role=\"img\">"), 4);
  assert_int_equal(markup_count(text, "Gnuplot"), 0);
  assert_int_equal(markup_count(text, "<title>what &amp; why</title>"), 4);
  assert_has(text, "<circle id='figure-1-dot' r='0.5'/>");
  assert_has(text, "<use href='#figure-1-dot'/>");
  assert_has(text, "<polygon fill='grey' points='0,0 1,1 1,0'/>"); /* blanks as gnuplot writes them */
  assert_has(text, "clip-path=\"url(#figure-2n-window)\"");
  assert_has(text, "<rect width='3' height='2'/>"); /* only the picture loses its size */
  assert_has(text, "<text>a &lt; b</text>");
  assert_int_equal(markup_count(text, "class=\"wide\""), 2);
  assert_int_equal(markup_count(text, "class=\"narrow\""), 2);
  free(text);
}

DLS_TEST(several_studies_have_one_table_of_contents)
{
  dls_report *report = begun("All studies");
  for (int i = 1; i <= 3; i++) {
    char title[20];
    snprintf(title, sizeof title, "Study %d", i);
    dls_report_part(report, title);
    dls_report_entry(report, "kind", "order"); /* a list is ended by the next heading */
    if (i != 2) {
      dls_report_section(report, "Orders");
      dls_report_section(report, "Model");
    }
  }
  char *text = finished(report);
  const char *end = strstr(text, "</nav>");
  assert_non_null(end);
  assert_int_equal(markup_count(text, "<li><a href=\"#part-"), 3);
  assert_int_equal(markup_count(text, "<li><a href=\"#section-"), 4);
  assert_int_equal(markup_count(end, "<h2 id=\"part-"), 3);
  assert_int_equal(markup_count(end, "<h3 id=\"section-"), 4);
  assert_int_equal(markup_count(end, "</dl>"), 3);
  free(text);
}

/* Captions of studies are Markdown of their authors; what is wrong in them stays text. */
DLS_TEST(markdown_becomes_html)
{
  static const struct {
    const char *markdown, *html;
  } cases[] = {
      {"a *b* **c *d*** `e*f`", "<p>a <em>b</em> <strong>c <em>d</em></strong> <code>e*f</code></p>"},
      {"2 * 3 * 4, \\*a\\*, 5*, `", "<p>2 * 3 * 4, *a*, 5*, `</p>"},
      {"*a \\* b*", "<p><em>a * b</em></p>"},
      {"one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>"},
      {"```\nnever ended <", "<p>```\nnever ended &lt;</p>"},
      {"````\n```\n````", "<pre tabindex=\"0\">```</pre>"},
      {"```\n```", "<pre tabindex=\"0\"></pre>"},
      {"## h {#a\"b}", "<h2>h {#a&quot;b}</h2>"},
      {"::: {.a\" onclick=\"b}\nc", "<p class=\"a\">c</p>"},
      {"![a](figure-9)", "<figure>\n<figcaption>a</figcaption>\n</figure>"},
      {"![a](b.svg)", "<p>![a](b.svg)</p>"},
      {"</details>\n\nb", "<h1>t</h1>\n<p>b</p>"},
      {"<details><summary>s\n\nb", "<details><summary></summary>\n<p>b</p>\n</details>"},
      {"a\n:   b\n\nc", "<dl>\n<dt>a</dt><dd>b</dd>\n</dl>\n<p>c</p>"},
      {": c\n\n| a |\n| --- |\n| 1 \\| 2 |\n| 3 |",
       "<caption>c</caption>\n<thead><tr><th scope=\"col\">a</th></tr></thead>\n"
       "<tbody>\n<tr><td class=\"n\">1 | 2</td></tr>\n<tr><td class=\"n\">3</td></tr>"},
      {"# a", "<h1>a</h1>"},
      {"", "<h1>t</h1>\n</main>"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_report *report = begun("t");
    fputs(cases[i].markdown, dls_report_markdown(report));
    char *text = finished(report);
    assert_has(text, cases[i].html);
    free(text);
  }
}

DLS_TEST(text_is_not_taken_for_markdown)
{
  static const char *const texts[] = {"# a",       ": b",   "*c* `d` **e**", "![f](figure-1)", "\\", "::: {.g}",
                                      "<details>", "| h |", "a\nb"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    dls_report *report = begun("t");
    dls_report_paragraph(report, "%s", texts[i]);
    dls_report_entry(report, texts[i], "%s", texts[i]);
    dls_report_table_begin(report, texts[i], 1, &texts[i]);
    dls_report_cell(report, "%s", texts[i]);
    dls_report_table_end(report);
    dls_report_preformatted(report, texts[i]);
    char *text = finished(report);
    char kept[40] = "";
    FILE *out = fmemopen(kept, sizeof kept, "w");
    assert_non_null(out);
    dls_markup_escape(out, i + 1 < sizeof texts / sizeof texts[0] ? texts[i] : "a b");
    fclose(out);
    const char *const around[][2] = {{"<p>", "</p>"},
                                     {"<dt>", "</dt>"},
                                     {"<dd>", "</dd>"},
                                     {"<caption>", "</caption>"},
                                     {"<th scope=\"col\">", "</th>"},
                                     {"<td>", "</td>"}};
    for (size_t k = 0; k < sizeof around / sizeof around[0]; k++) {
      char piece[100];
      snprintf(piece, sizeof piece, "%s%s%s", around[k][0], kept, around[k][1]);
      assert_has(text, piece);
    }
    free(text);
  }
}

DLS_TEST(what_is_no_picture_is_refused_and_leaves_the_page_good)
{
  dls_error err = {0};
  dls_report *report = begun("t");
  assert_int_equal(dls_report_figure(report, "no picture", NULL, "curve", "c", &err), DLS_ERR_PARSE);
  assert_string_equal(err.text, "the picture 'curve' is not an SVG file");
  assert_int_equal(dls_report_figure(report, picture, "<svg>", "curve", "c", &err), DLS_ERR_PARSE);
  char *text = finished(report);
  assert_int_equal(markup_count(text, "<figure>"), 0);
  free(text);
}

DLS_TEST(a_page_that_cannot_be_written_leaves_nothing)
{
  dls_error err = {0};
  struct stat info;
  assert_int_equal(dls_report_finish(begun("t"), "/no/such/folder/a.html", &err), DLS_ERR_IO);
  assert_non_null(strstr(err.text, "/no/such/folder/a.html"));
  dls_report_abandon(begun("t"));
  assert_int_equal(stat(path, &info), -1);
}

DLS_TEST(the_checker_of_these_tests_sees_what_is_wrong)
{
  static const char *const wrong[] = {
      "<p>",          "<p><b></p></b>",   "<p a=b></p>", "<i id=\"x\"/><i id=\"x\"/>",
      "<p>a & b</p>", "<a href=\"#y\"/>", "</p>"};
  char problem[200];
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_non_null(markup_problem(wrong[i], problem, sizeof problem));
  }
  assert_null(markup_problem("<p id=\"x\">a &amp; <a href='#x'/></p>", problem, sizeof problem));
}

/* Entries made at run time may have a name only. */
DLS_TEST(entries_without_texts_have_shorter_sections)
{
  const dls_model model = {.name = "bare-model"};
  const dls_scheme scheme = {.name = "bare-scheme"};
  const dls_exact exact = {.model = &model};
  const dls_scheme_choice choice = {.scheme = &scheme};
  dls_report *report = begun("t");
  dls_report_model(report, &model, NULL, &exact);
  dls_report_schemes(report, 1, &choice);
  char *text = finished(report);
  assert_has(text, "bare-model");
  assert_has(text, "bare-scheme");
  static const char *const absent[] = {"<pre", "(null)", "source", "exact solution", "<dd></dd>", "<p></p>"};
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
    if (strstr(strstr(text, "<body>"), absent[i]) != NULL) {
      fail_msg("the page has %s", absent[i]);
    }
  }
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(everything_on_a_page_is_well_formed_and_escaped, setup, NULL),
      cmocka_unit_test_setup_teardown(a_page_refers_to_nothing_outside, setup, NULL),
      cmocka_unit_test_setup_teardown(pictures_scale_and_keep_their_ids_to_themselves, setup, NULL),
      cmocka_unit_test_setup_teardown(several_studies_have_one_table_of_contents, setup, NULL),
      cmocka_unit_test_setup_teardown(markdown_becomes_html, setup, NULL),
      cmocka_unit_test_setup_teardown(text_is_not_taken_for_markdown, setup, NULL),
      cmocka_unit_test_setup_teardown(what_is_no_picture_is_refused_and_leaves_the_page_good, setup, NULL),
      cmocka_unit_test_setup_teardown(a_page_that_cannot_be_written_leaves_nothing, setup, NULL),
      cmocka_unit_test_setup_teardown(entries_without_texts_have_shorter_sections, setup, NULL),
      cmocka_unit_test(the_checker_of_these_tests_sees_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
