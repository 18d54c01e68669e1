/* tests/experiments/test_pgfplots.c -- scripts of gnuplot as pictures for TeX: text, data, places, what is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/show/pgfplots.h"
#include "experiments/show/pgfplots_text.h"
#include <stdlib.h>
#include <string.h>

static void text_is_tex(void **state)
{
  (void)state;
  static const struct {
    const char *text, *plain, *enhanced;
  } cases[] = {
      {"position q_{0} [m]", "position q\\_\\{0\\} [m]", "position $q_{0}$ [m]"},
      {"in L^1 [s^{1/2}·m]", "in L\\textasciicircum{}1 [s\\textasciicircum{}\\{1/2\\}$\\cdot$m]",
       "in $L^{1}$ [$\\mathrm{s}^{1/2}$$\\cdot$m]"},
      {"10^{-3}", "10\\textasciicircum{}\\{$-$3\\}", "$10^{-3}$"},
      {"±μλ_N", "$\\pm$$\\mu$$\\lambda$\\_N", "$\\pm$$\\mu$$\\lambda _{N}$"},
      {"a_b: -0.5 [-1, 2] 50 % #1 & $x", "a\\_b: $-$0.5 [$-$1, 2] 50 \\% \\#1 \\& \\$x",
       "$a_{b}$: $-$0.5 [$-$1, 2] 50 \\% \\#1 \\& \\$x"},
      {"error 3.7e-09, two-ball", "error $3.7\\cdot10^{-9}$, two-ball", "error $3.7\\cdot10^{-9}$, two-ball"},
      {"{\\x}", "\\{\\textbackslash{}x\\}", "\\{\\textbackslash{}x\\}"},
  };
  for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    dls_tex_text(out, cases[i / 2].text, i % 2 == 1);
    fclose(out);
    assert_string_equal(text, i % 2 == 1 ? cases[i / 2].enhanced : cases[i / 2].plain);
  }
}

/* What becomes of a script on a canvas of 444 pixels, 12 cm; to be freed. */
static char *write_script(const char *script, dls_status expected, dls_error *err)
{
  char *text = NULL;
  size_t size = 0;
  const dls_canvas canvas = dls_canvas_file("a.tex", DLS_PLOT_SCREEN);
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(dls_pgfplots_write(out, script, &canvas, 444, err), expected);
  fclose(out);
  return text;
}

static void assert_has(const char *text, const char *part)
{
  if (strstr(text, part) == NULL) {
    print_error("'%s' is not in\n%s\n", part, text);
    fail();
  }
}

static void a_script_is_an_axis_with_its_curves(void **state)
{
  (void)state;
  dls_error err = {0};
  char *text = write_script(
      "# a remark\n"
      "$a << EOD\n1 2 3\n2 4 NaN\n\n3 -1e9 0\nEOD\n"
      "$none << EOD\nNaN NaN\nEOD\n"
      "set xlabel 't''s [s]'\nset xrange [0:4]\nset yrange [0:10]\n"
      "set lmargin at screen 0.25\nset rmargin at screen 0.75\n"
      "set tmargin at screen 0.9\nset bmargin at screen 0.4\n"
      "set key at screen 0.25,0.4 left top noenhanced\n"
      "plot $a using 1:2 with lines linecolor rgb '#0072B2' dashtype 2 title 'q_0', \\\n"
      "  $a using 1:(-$2) with points pointtype 5 notitle, $none using 1:2 with lines title 'none', \\\n"
      "  $a using 1:2 every 1:1:0:1:0:1 with points title 'second'\n",
      DLS_OK, &err);
  assert_has(text, "at={(3cm,4.8cm)},width=6cm,height=6cm");
  assert_has(text, "xlabel={t's [s]}");
  assert_has(text, "xmin=0,xmax=4,enlarge x limits=false");
  assert_has(text, "legend style={at={(0,0)},anchor=north west}");
  assert_has(text,
             "color={rgb,255:red,0;green,114;blue,178},no marks,line width=0.4pt,dashed] table[row sep=\\\\]{\n"
             "1 2 \\\\\n2 4 \\\\\nnan nan \\\\\n3 -100 \\\\\n};\n\\addlegendentry{q\\_0}");
  assert_has(text, "mark=square*,mark options={solid}");
  assert_has(
      text,
      "1 -2 \\\\\n2 -4 \\\\\nnan nan \\\\\n3 110 \\\\\n};"); /* ten heights of the panel away, and no more */
  assert_has(text, "\\addlegendimage{color=black,no marks,line width=0.4pt,solid}\n\\addlegendentry{none}");
  assert_has(text, "table[row sep=\\\\]{\n3 -100 \\\\\n};\n\\addlegendentry{second}");
  free(text);
}

static void bands_are_areas_and_ticks_are_written_out(void **state)
{
  (void)state;
  dls_error err = {0};
  char *text = write_script(
      "$band_0 << EOD\n1 2 3\n2 4 6\nEOD\nset lmargin 10\nset rmargin 2\n"
      "set logscale x\nset xtics ('10^{0}' 1e0, '' 2e0 1, '10^{1}' 1e1)\n"
      "set label '3.7e-09' at graph 0.1,0.2 left front textcolor rgb '#D55E00'\n"
      "set arrow from graph 0.1,0.1 to graph 0.1,0 linecolor rgb '#009E73' nofilled\n"
      "plot $band_0 using 1:2:3 with filledcurves linecolor rgb '#D00072B2' fillstyle solid noborder notitle\n",
      DLS_OK, &err);
  assert_has(text, "fill={rgb,255:red,0;green,114;blue,178},opacity=0.184,draw=none");
  assert_has(text, "{\n1 2 \\\\\n2 4 \\\\\n2 6 \\\\\n1 3 \\\\\n};");
  assert_has(text, "xmode=log");
  assert_has(text, "at={(2.108cm,"); /* letters of 7.8 of 444 pixels */
  assert_has(text, "width=9.47cm");
  assert_has(text, "xtick={1e0,1e1},\n  xticklabels={$10^{0}$,$10^{1}$},\n  minor xtick={2e0}");
  assert_has(
      text,
      "anchor=west,text={rgb,255:red,213;green,94;blue,0}] at (rel axis cs:0.1,0.2) {$3.7\\cdot10^{-9}$};");
  assert_has(text, "(rel axis cs:0.1,0.1) -- (rel axis cs:0.1,0);");
  free(text);
}

/* Keys that are off in all panels but the last one are not written there. */
static void panels_stand_where_the_layout_says(void **state)
{
  (void)state;
  dls_error err = {0};
  char *text =
      write_script("$a << EOD\n1 2\nEOD\n"
                   "set multiplot layout 2,1 margins 0.2,0.8,0.1,0.9 spacing 0.2\nunset key\n"
                   "plot $a using 1:2 with lines title 'a'\n"
                   "set key at screen 0,0 left top\nplot $a using 1:2 with lines title 'a'\nunset multiplot\n",
                   DLS_OK, &err);
  assert_has(text, "at={(2.4cm,7.2cm)},width=7.2cm,height=3.6cm");
  assert_has(text, "at={(2.4cm,1.2cm)},width=7.2cm,height=3.6cm");
  assert_has(text, "{\n1 2 \\\\\n};\n\\end{axis}\n\\begin{axis}"); /* the first one has no entry */
  assert_has(text, "{\n1 2 \\\\\n};\n\\addlegendentry{a}\n\\end{axis}\n\\end{tikzpicture}");
  free(text);
}

static void what_is_not_known_is_refused(void **state)
{
  (void)state;
  static const char *const scripts[] = {"set ztics 1\n",
                                        "splot x\n",
                                        "plot $a using 1:2 with boxes\n",
                                        "plot $b using 1:2 with lines\n",
                                        "plot $a using 1:2 with lines smooth unique\n",
                                        "unset border\n"};
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
    dls_error err = {0};
    char script[200];
    snprintf(script, sizeof script, "$a << EOD\n1 2\nEOD\n%s", scripts[i]);
    free(write_script(script, DLS_ERR_ARG, &err));
    assert_has(err.text, "a picture for TeX: ");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_tex), cmocka_unit_test(a_script_is_an_axis_with_its_curves),
      cmocka_unit_test(bands_are_areas_and_ticks_are_written_out),
      cmocka_unit_test(panels_stand_where_the_layout_says), cmocka_unit_test(what_is_not_known_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
