/* experiments/show/plot_energy.c -- energies over time, and what dissipates them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/pictures.h"
#include <math.h>
#include <string.h>

enum {
  WIDTH = 1100,
  HEAD_HEIGHT = 50,
  ENERGY_HEIGHT = 330,
  NARROW_ENERGY_HEIGHT = 240,
  AXIS_HEIGHT = 60, /* labels under the last panel of energies */
  GAP_HEIGHT = 20,
  DISSIPATION_HEIGHT = 180,
  TITLE_HEIGHT = 46, /* above a panel of dissipation */
  TICS_HEIGHT = 26,  /* between a narrow panel of dissipation and its key */
  MOST_CURVES = 12,  /* schemes in one picture */
};

enum { STATE_ENERGY = 3, STATE_SUPPLIED }; /* columns of a ledger's states */

/* Sums smaller than this part of the energy scale are not drawn: they are rounding or zero. */
static const double visible = 1e-12;
/* Of sums of work, in points; dots of the width of lines are faint. */
static const double width = 1.8, dotted_width = 3;

/* What a curve shows of a row: the sum of columns [first, past), less that of `minus` if it is not 0. */
typedef struct quantity {
  const dls_trajectory *rows;
  size_t first, past, minus;
} quantity;

/* One of the curves in a panel of dissipation. */
typedef struct drawn_sum {
  quantity what;
  char name[60];
  size_t colour; /* the same term has the same colour in all panels; 0 damping and drive, 1 impact, 6 sliding */
  int dash;      /* 1: what the model asks for, 2: what the scheme adds, 3: supplied from outside */
} drawn_sum;

typedef struct sum_list {
  size_t count;
  drawn_sum item[4 + DLS_BALANCE_MOST_TERMS];
} sum_list;

static double value_at(const quantity *what, size_t i)
{
  const double *row = what->rows->data + i * what->rows->columns;
  double sum = what->minus > 0 ? -row[what->minus] : 0;
  for (size_t column = what->first; column < what->past; column++) {
    sum += row[column];
  }
  return sum;
}

static void put_vertex(FILE *out, const quantity *what, size_t i)
{
  fprintf(out, "%.10g %.10g\n", dls_trajectory_at(what->rows, i, 0), value_at(what, i));
}

/* All rows, or those that are chosen of each bin, in their order. */
static void put_data(FILE *out, const dls_canvas *canvas, const quantity *what)
{
  const size_t count = what->rows->rows;
  const size_t most = dls_canvas_vertices(canvas);
  const size_t bins = count <= most ? count : most / 4;
  for (size_t bin = 0; bin < bins; bin++) {
    const size_t begin = count * bin / bins;
    const size_t end = count * (bin + 1) / bins;
    size_t low = begin;
    size_t high = begin;
    for (size_t i = begin; i < end; i++) {
      low = value_at(what, i) < value_at(what, low) ? i : low;
      high = value_at(what, i) > value_at(what, high) ? i : high;
    }
    const size_t chosen[] = {begin, low < high ? low : high, low < high ? high : low, end - 1};
    for (size_t i = 0; i < 4; i++) {
      if (i == 0 || chosen[i] != chosen[i - 1]) {
        put_vertex(out, what, chosen[i]);
      }
    }
  }
}

static void put_block(FILE *out, const dls_canvas *canvas, const char *name, size_t i, const quantity *what)
{
  fprintf(out, "$%s_%zu << EOD\n", name, i);
  put_data(out, canvas, what);
  fprintf(out, "EOD\n");
}

static double last_time(size_t count, const dls_energy_curve *curves)
{
  double end = 0;
  for (size_t i = 0; i < count; i++) {
    const dls_trajectory *rows = curves[i].ledger->rows;
    end = fmax(end, dls_trajectory_at(rows, rows->rows - 1, DLS_ENERGY_T));
  }
  return end;
}

/* A page has the title. */
static void put_title(FILE *out, const dls_canvas *canvas, const char *title, size_t drawn, size_t count)
{
  char text[400];
  fprintf(out, "set multiplot");
  snprintf(text, sizeof text, "%.300s", title);
  if (drawn < count) {
    dls_text_append(text, sizeof text, " (drawn: %zu of %zu schemes)", drawn, count);
  }
  if (canvas->path == NULL && drawn < count) { /* a page does not say it */
    fprintf(out, " title ");
    dls_gnuplot_quote(out, text);
    fprintf(out, " noenhanced\n");
  } else {
    dls_gnuplot_end_titled(out, canvas, text);
  }
}

static void put_style(FILE *out, const dls_canvas *canvas, double end)
{
  fprintf(
      out,
      "set lmargin %d\nset rmargin %d\nset xrange [0:%.10g]\nset xzeroaxis linecolor rgb '#808080' linetype 1\n"
      "set format y '%%6g'\nset format x ''\nset offsets 0,0,graph 0.06,graph 0.06\n",
      canvas->narrow ? 10 : 12, canvas->narrow ? 2 : 4, end);
}

static dls_status check(size_t count, const dls_energy_curve *curves, const dls_canvas *canvas, dls_error *err)
{
  const char *path = canvas->path != NULL ? canvas->path : "for a page";
  if (count == 0) {
    return dls_fail(err, DLS_ERR_ARG, "plot %s: there is no energy ledger to draw", path);
  }
  for (size_t i = 0; i < count; i++) {
    if (curves[i].ledger->rows->rows < 2) {
      return dls_fail(err, DLS_ERR_ARG, "plot %s: the ledger of %s has %zu rows, a picture needs 2", path,
                      curves[i].label, curves[i].ledger->rows->rows);
    }
  }
  return DLS_OK;
}

/* A panel from `top` pixels below the upper edge of a picture of height `whole`. */
static void put_place(FILE *out, double top, double height, double whole)
{
  fprintf(out, "set tmargin at screen %.6g\nset bmargin at screen %.6g\n", 1 - top / whole,
          1 - (top + height) / whole);
}

/* A page has the title. */
static int head_height(const dls_canvas *canvas)
{
  return dls_canvas_titled(canvas) ? HEAD_HEIGHT : HEAD_HEIGHT / 5;
}

static int energy_height(const dls_canvas *canvas)
{
  return canvas->narrow ? NARROW_ENERGY_HEIGHT : ENERGY_HEIGHT;
}

/* Panel 0 is on top. Widths fall from curve to curve, so that those that agree are all seen; the key is given
 * once, under the last panel. */
static void put_energy_panel(FILE *out, const dls_canvas *canvas, bool last, const char *block,
                             const char *label, size_t count, const dls_energy_curve *curves)
{
  fprintf(out, "set ylabel '%s'\nplot ", label);
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "%s$%s_%zu using 1:2 with lines linecolor rgb '%s' dashtype %d linewidth %g ",
            i > 0 ? ", \\\n  " : "", block, i, dls_gnuplot_colour(i), dls_gnuplot_dash_type(i),
            dls_gnuplot_curve_width(i, count));
    if (last) {
      dls_gnuplot_title(out, canvas, curves[i].label);
    } else {
      fprintf(out, "notitle");
    }
  }
  fprintf(out, "\n");
}

static bool any_supply(size_t count, const dls_energy_curve *curves)
{
  for (size_t i = 0; i < count; i++) {
    if (curves[i].ledger->external != 0 || curves[i].ledger->drive != 0) {
      return true;
    }
  }
  return false;
}

static int energies_key(const dls_canvas *canvas, size_t drawn, const dls_energy_curve *curves)
{
  int lines = 0;
  for (size_t i = 0; i < drawn; i++) {
    lines += dls_gnuplot_title_lines(canvas, curves[i].label);
  }
  return DLS_KEY_LINE_HEIGHT * lines;
}

static int energies_height(const dls_canvas *canvas, size_t panels, int key)
{
  return head_height(canvas) + (int)panels * (energy_height(canvas) + GAP_HEIGHT) + AXIS_HEIGHT + key;
}

static void put_energies(FILE *out, const dls_canvas *canvas, size_t panels, size_t drawn,
                         const dls_energy_curve *curves)
{
  const bool potential = curves[0].ledger->potential;
  const int key = energies_key(canvas, drawn, curves);
  const double height = energies_height(canvas, panels, key);
  const char *const blocks[] = {"energy", "rest"};
  const char *const labels[] = {potential ? "E = T + V [J]" : "T [J]",
                                potential ? "E − work supplied [J]" : "T − work of the forces [J]"};
  fprintf(out, "set key at screen %g,%.6g left top vertical maxcols 1 Left reverse noenhanced\n",
          canvas->narrow ? 0 : 0.09, (key + 10) / height);
  for (size_t i = 0; i < panels; i++) {
    if (i + 1 == panels) {
      fprintf(out, "set xlabel 't [s]' offset 0,0.5\nset format x '%%g'\n");
    }
    put_place(out, head_height(canvas) + (double)i * (energy_height(canvas) + GAP_HEIGHT),
              energy_height(canvas), height);
    put_energy_panel(out, canvas, i + 1 == panels, blocks[i], labels[i], drawn, curves);
  }
  fprintf(out, "unset multiplot\n");
}

dls_status dls_plot_energies(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                             dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, DLS_PLOT_SCREEN);
  return dls_draw_energies(count, curves, title, &canvas, err);
}

dls_status dls_draw_energies(size_t count, const dls_energy_curve *curves, const char *title,
                             const dls_canvas *canvas, dls_error *err)
{
  const size_t drawn = count < MOST_CURVES ? count : MOST_CURVES;
  const bool load = any_supply(drawn, curves);
  const size_t panels = load ? 2 : 1;
  dls_gnuplot *plot = NULL;
  dls_status status = check(count, curves, canvas, err);
  if (status == DLS_OK) {
    const int height = energies_height(canvas, panels, energies_key(canvas, drawn, curves));
    status = dls_gnuplot_begin(canvas, WIDTH, height, &plot, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(plot);
  for (size_t i = 0; i < drawn; i++) {
    quantity energy = {curves[i].ledger->states, STATE_ENERGY, STATE_ENERGY + 1, 0};
    put_block(out, canvas, "energy", i, &energy);
    energy.minus = STATE_SUPPLIED;
    if (load) {
      put_block(out, canvas, "rest", i, &energy);
    }
  }
  put_title(out, canvas, title, drawn, count);
  put_style(out, canvas, last_time(drawn, curves));
  put_energies(out, canvas, panels, drawn, curves);
  return dls_gnuplot_finish(plot, err);
}

/* Terms that never meet in one panel share a colour. */
static size_t term_colour(const char *name)
{
  static const struct {
    const char *name;
    size_t colour;
  } known[] = {{"stiffness", 2}, {"inertia", 3},     {"filter", 4},
               {"load_lag", 5},  {"damping_lag", 6}, {"numerical", 2}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i].name, name) == 0) {
      return known[i].colour;
    }
  }
  return 2;
}

static bool is_visible(const dls_energy_ledger *ledger, const quantity *what)
{
  for (size_t i = 0; i < what->rows->rows; i++) {
    if (fabs(value_at(what, i)) > visible * ledger->scale) {
      return true;
    }
  }
  return false;
}

/* Sliding and drive, of ledgers that have them. */
static void add_contact_sums(const dls_energy_ledger *ledger, sum_list *list)
{
  const size_t columns = ledger->rows->columns, drive = dls_energy_momentum_column(ledger) - 1;
  const drawn_sum sums[] = {{{ledger->rows, columns - 1, columns, 0}, "sliding", 6, 1},
                            {{ledger->rows, drive, drive + 1, 0}, "drive", 0, 3}};
  for (size_t i = 0; ledger->apart && i < (ledger->contacts ? 2 : 1); i++) {
    if (is_visible(ledger, &sums[i].what)) {
      list->item[list->count++] = sums[i];
    }
  }
}

/* Damping, impact, and the numerical terms; those that are joined with the one before go into one sum. */
static sum_list choose_sums(const dls_energy_ledger *ledger)
{
  sum_list list = {0};
  for (size_t i = 1; i < 3 + ledger->term_count; i++) {
    const size_t column = dls_energy_sum_column(ledger, DLS_ENERGY_EXTERNAL + i);
    const dls_balance_term *term = i < 3 ? NULL : &ledger->terms[i - 3];
    drawn_sum item = {.what = {ledger->rows, column, column + 1, 0},
                      .colour = term == NULL ? i - 1 : term_colour(term->name),
                      .dash = term == NULL ? 1 : 2};
    snprintf(item.name, sizeof item.name, "%s%s", term == NULL || ledger->balance == NULL ? "" : "num. ",
             term != NULL ? term->name
             : i == 1     ? "damping"
                          : "impact");
    for (; term != NULL && term[1].joined; i++, term++) {
      item.what.past++;
      dls_text_append(item.name, sizeof item.name, " + %s", term[1].name);
    }
    if (is_visible(ledger, &item.what)) {
      list.item[list.count++] = item;
    }
  }
  add_contact_sums(ledger, &list);
  return list;
}

/* A panel of dissipation, its title above; in a narrow picture its key below. */
typedef struct panel {
  const dls_energy_curve *curve;
  sum_list list;
  double title, below; /* pixels */
} panel;

enum { SUM_TITLE_ROOM = 120 };

static void write_sum_title(const drawn_sum *item, char text[SUM_TITLE_ROOM])
{
  snprintf(text, SUM_TITLE_ROOM, "%s: %.3g J", item->name, value_at(&item->what, item->what.rows->rows - 1));
}

static void put_sum_title(FILE *out, const dls_canvas *canvas, const drawn_sum *item)
{
  char text[SUM_TITLE_ROOM];
  write_sum_title(item, text);
  dls_gnuplot_title(out, canvas, text);
}

static void put_dissipation_panel(FILE *out, const dls_canvas *canvas, size_t index, const panel *p)
{
  fprintf(out, "set title ");
  dls_gnuplot_heading(out, canvas, p->curve->label);
  fprintf(out, " noenhanced offset 0,-0.5\nset ylabel 'sum of work [J]'\nplot ");
  for (size_t i = 0; i < p->list.count; i++) {
    const drawn_sum *item = &p->list.item[i];
    fprintf(out, "%s$sums_%zu_%zu using 1:2 with lines linecolor rgb '%s' linewidth %g dashtype %d ",
            i > 0 ? ", \\\n  " : "", index, i, dls_gnuplot_colour(item->colour),
            item->dash == 3 ? dotted_width : width, item->dash);
    put_sum_title(out, canvas, item);
  }
  if (p->list.count == 0) {
    fprintf(out, "0 with lines linecolor rgb '#808080' title 'nothing dissipates'");
  }
  fprintf(out, "\n");
}

static panel make_panel(const dls_canvas *canvas, const dls_energy_curve *curve)
{
  panel p = {.curve = curve, .list = choose_sums(curve->ledger), .title = TITLE_HEIGHT};
  if (canvas->narrow) {
    p.title += (dls_gnuplot_title_lines(canvas, curve->label) - 1) * DLS_KEY_LINE_HEIGHT;
    p.below = TICS_HEIGHT + DLS_KEY_LINE_HEIGHT * (double)(p.list.count > 0 ? p.list.count : 1);
  }
  return p;
}

static double panel_height(const panel *p)
{
  return p->title + DISSIPATION_HEIGHT + p->below;
}

static int dissipation_height(const dls_canvas *canvas, size_t count, const panel *panels)
{
  double height = (dls_canvas_titled(canvas) ? HEAD_HEIGHT : 0) + AXIS_HEIGHT;
  for (size_t i = 0; i < count; i++) {
    height += panel_height(&panels[i]);
  }
  return (int)height;
}

/* Characters of the keys beside the panels, no more than their longest line needs. */
static int key_width(size_t count, const panel *panels)
{
  size_t longest = strlen("nothing dissipates");
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < panels[i].list.count; j++) {
      char text[SUM_TITLE_ROOM];
      write_sum_title(&panels[i].list.item[j], text);
      longest = strlen(text) > longest ? strlen(text) : longest;
    }
  }
  return (int)(longest > 32 ? 32 : longest) + 6;
}

static void put_dissipation_panels(FILE *out, const dls_canvas *canvas, size_t count, const panel *panels)
{
  const int height = dissipation_height(canvas, count, panels);
  double top = dls_canvas_titled(canvas) ? HEAD_HEIGHT - TITLE_HEIGHT / 2. : 0;
  if (canvas->narrow) {
    fprintf(out, "set format x '%%g'\n");
  } else {
    fprintf(out, "set rmargin %d\n", key_width(count, panels));
  }
  for (size_t i = 0; i < count; i++) {
    const double bottom = top + panels[i].title + DISSIPATION_HEIGHT;
    put_place(out, top + panels[i].title, DISSIPATION_HEIGHT, height);
    if (i + 1 == count) {
      fprintf(out, "set xlabel 't [s]' offset 0,0.5\nset format x '%%g'\n");
    }
    if (canvas->narrow) {
      const double axis = i + 1 == count ? AXIS_HEIGHT / 2. : 0; /* the label of the last panel */
      fprintf(out, "set key at screen 0,%.6g left top vertical maxcols 1 Left reverse samplen 2 noenhanced\n",
              1 - (bottom + TICS_HEIGHT + axis) / height);
    } else {
      fprintf(out, "set key at graph 1.015,1 left top Left reverse samplen 1.5 noenhanced\n");
    }
    put_dissipation_panel(out, canvas, i, &panels[i]);
    top += panel_height(&panels[i]);
  }
  fprintf(out, "unset multiplot\n");
}

dls_status dls_plot_dissipation(size_t count, const dls_energy_curve *curves, const char *title,
                                const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, DLS_PLOT_SCREEN);
  return dls_draw_dissipation(count, curves, title, &canvas, err);
}

dls_status dls_draw_dissipation(size_t count, const dls_energy_curve *curves, const char *title,
                                const dls_canvas *canvas, dls_error *err)
{
  const size_t drawn = count < MOST_CURVES ? count : MOST_CURVES;
  panel panels[MOST_CURVES];
  dls_gnuplot *plot = NULL;
  dls_status status = check(count, curves, canvas, err);
  for (size_t i = 0; i < drawn && status == DLS_OK; i++) {
    panels[i] = make_panel(canvas, &curves[i]);
  }
  status = status != DLS_OK
               ? status
               : dls_gnuplot_begin(canvas, WIDTH, dissipation_height(canvas, drawn, panels), &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(plot);
  for (size_t i = 0; i < drawn; i++) {
    char name[40];
    snprintf(name, sizeof name, "sums_%zu", i);
    for (size_t j = 0; j < panels[i].list.count; j++) {
      put_block(out, canvas, name, j, &panels[i].list.item[j].what);
    }
  }
  put_title(out, canvas, title, drawn, count);
  put_style(out, canvas, last_time(drawn, curves));
  put_dissipation_panels(out, canvas, drawn, panels);
  return dls_gnuplot_finish(plot, err);
}
