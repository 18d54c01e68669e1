/* tests/experiments/test_animation.c -- what an animation shows is what the trajectory says.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "markup.h"
#include "models.h"
#include "runs.h"
#include "scratch.h"

#include "experiments/show/animation.h"
#include <delassus/catalogue.h>
#include <delassus/graph.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FRAMES = 41 };

static void draw(const dls_model_choice *choice, const dls_system *sys, const double *q, dls_sketch *out)
{
  *out = (dls_sketch){.reach = 1, .system = sys};
  choice->model->sketch(choice->parameters, q, out);
  assert_false(out->full);
}

/* One bead, one row of blocks or balls: the touch of a higher contact moves with the upper body alone. */
static const char *text_of(const dls_model *model)
{
  static const char *const small[] = {"bead-column:N=1", "block-column:rows=1", "block-wall:rows=1,columns=3",
                                      "block-pyramid:rows=1", "lattice-pile:rows=1"};
  for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
    if (strncmp(small[i], model->name, strlen(model->name)) == 0 && small[i][strlen(model->name)] == ':') {
      return small[i];
    }
  }
  return model->name;
}

/* Contacts, the first ones, whose other side rests: not those of two bodies that both move. */
static size_t at_rest(const char *model, const dls_system *sys)
{
  return strcmp(model, "ball-chain") == 0      ? 0
         : strcmp(model, "two-cylinders") == 0 ? sys->m - sys->m / 9 /* four walls of two rims; one rim */
         : strcmp(model, "rigid-discs") == 0   ? sys->m - 1
                                               : sys->m;
}

/* For every model that can be drawn: a touch for each contact, with a direction of length 1, and the point moves along
 * it with the velocity of the gap: (d/dt point) . direction = H^T v. */
DLS_TEST(contacts_act_where_the_gap_says)
{
  size_t drawn = 0;
  for (const dls_model *const *entry = dls_models(); *entry != NULL; entry++) {
    if ((*entry)->sketch == NULL) {
      continue;
    }
    dls_model_choice choice = dls_test_model(text_of(*entry));
    dls_system *sys = dls_test_system(text_of(*entry));
    double *q = calloc(3 * sys->n, sizeof *q), *g = calloc(2 * sys->m + 1, sizeof *g);
    assert_true(q != NULL && g != NULL);
    static dls_sketch before, after;
    const double small = 1e-6;
    for (size_t i = 0; i < sys->n; i++) {
      const bool held = sys->r > 0; /* by joints, which only the start is sure to fulfil */
      q[i] = sys->q0[i] + (held ? 0 : 0.3);
      q[sys->n + i] = q[i] + small * (held ? sys->v0[i] : i % 3 == 0 ? 1.0 : -0.7);
    }
    draw(&choice, sys, q, &before);
    draw(&choice, sys, q + sys->n, &after);
    dls_system_gap(sys, 0, q, g);
    dls_system_gap(sys, 0, q + sys->n, g + sys->m);
    assert_int_equal(before.touch_count, sys->m);
    assert_int_equal(before.shape_count, after.shape_count);
    for (size_t i = 0; i < at_rest((*entry)->name, sys); i++) {
      const dls_touch_point *a = &before.touches[i], *b = &after.touches[i];
      assert_close(hypot(a->dx, a->dy), 1, 1e-14);
      assert_close((b->x - a->x) * a->dx + (b->y - a->y) * a->dy, g[sys->m + i] - g[i], 1e-3 * small);
    }
    drawn++;
    free(q);
    free(g);
    dls_system_destroy(sys);
    dls_model_choice_release(&choice);
  }
  assert_between((double)drawn, 28, 60);
}

static dls_animation *animation_of(const test_run *run, const char *model, size_t frames)
{
  dls_error err = {0};
  dls_animation *animation = NULL;
  dls_model_choice choice = dls_test_model(model);
  assert_ok(dls_animation_make(choice.model, choice.parameters, run->traj, frames, &animation, &err), err);
  dls_model_choice_release(&choice);
  return animation;
}

static double value_of(const test_run *run, const char *column, double t)
{
  dls_error err = {0};
  dls_graph *graph = NULL;
  double x = 0;
  const size_t position = (size_t)dls_trajectory_column(run->traj, column);
  assert_ok(dls_graph_of(run->traj, 1, &position, &graph, &err), err);
  dls_graph_value(graph, t, 1, &x);
  dls_graph_destroy(graph);
  return x;
}

/* The ball is shape 1; one scale and one origin take its height to pixels at every key. */
DLS_TEST(positions_are_those_of_the_trajectory)
{
  test_run run = dls_test_run("bouncing-ball", "event-driven", 0, 2.6);
  dls_animation *a = animation_of(&run, "bouncing-ball", FRAMES);
  assert_int_equal(a->frames, FRAMES);
  assert_int_equal(a->keys, FRAMES + 3); /* impacts at 1, 2, 2.5 s; none of them is a frame */
  const double floor_y = a->shapes[0].y[0];
  const double scale = (floor_y - a->shapes[1].y[0] - a->shapes[1].radius) / 1; /* q = 1 m at the start */
  size_t frames = 0;
  for (size_t key = 0; key < a->keys; key++) {
    const dls_shape *ball = &a->shapes[key * a->shape_count + 1];
    const double q = value_of(&run, "q0", a->t[key]);
    assert_close(floor_y - ball->y[0] - ball->radius, scale * q, 1e-9 * a->height);
    assert_between(ball->y[0], 0, a->ground);
    if (a->is_frame[key]) {
      assert_close(a->t[key], 2.6 * (double)frames++ / (FRAMES - 1), 1e-12);
    }
  }
  assert_int_equal(frames, FRAMES);
  dls_animation_destroy(a);
  dls_test_free(&run);
}

/* Impulses m (1 + e) |u-| = 3, 1.5, 0.75 N s at 1, 2, 2.5 s, upward from the floor. */
DLS_TEST(impulses_are_arrows_in_proportion_where_they_act)
{
  test_run run = dls_test_run("bouncing-ball", "event-driven", 0, 2.6);
  dls_animation *a = animation_of(&run, "bouncing-ball", FRAMES);
  const double times[] = {1, 2, 2.5};
  assert_int_equal(a->flash_count, 3);
  assert_close(a->largest_pulse, 3, 1e-8);
  for (size_t i = 0; i < 3; i++) {
    assert_close(a->flashes[i].t, times[i], 1e-8);
    assert_close(a->flashes[i].y, a->shapes[0].y[0], 1e-6);
    assert_close(a->flashes[i].dx, 0, 1e-12);
    assert_close(a->flashes[i].dy / a->flashes[0].dy, pow(0.5, (double)i), 1e-7);
  }
  assert_true(a->flashes[0].dy < 0); /* y of the picture is downward */
  assert_close(a->largest_force, 0, 0);
  dls_animation_destroy(a);
  dls_test_free(&run);
}

/* At rest contact i carries (N - i) m g, by impulses of steps and by smooth forces alike; impacts are over. */
DLS_TEST(lasting_forces_are_those_of_the_weight)
{
  const struct {
    const char *scheme;
    double step;
  } runs[] = {{"moreau-jean", 2e-3}, {"event-driven", 0}};
  for (size_t k = 0; k < 2; k++) {
    test_run run = dls_test_run("bead-column:N=3,gap=0", runs[k].scheme, runs[k].step, 1);
    dls_animation *a = animation_of(&run, "bead-column:N=3,gap=0", FRAMES);
    assert_close(a->largest_force, 3 * 9.81, 1e-3 * 3 * 9.81);
    const dls_push *push = &a->pushes[(FRAMES / 2) * 3];
    assert_close(push[1].dy / push[0].dy, 2. / 3, 0.01);
    assert_close(push[2].dy / push[0].dy, 1. / 3, 0.01);
    dls_animation_destroy(a);
    dls_test_free(&run);
  }
}

DLS_TEST(time_passes_in_five_to_ten_seconds)
{
  const struct {
    double end, seconds;
    const char *speed;
  } cases[] = {{1, 5, "0.2 × real time"}, {8, 8, "real time"}, {40, 10, "4 × real time"}};
  for (size_t i = 0; i < 3; i++) {
    char text[40];
    test_run run = dls_test_run("impacting-oscillator", "moreau-jean", cases[i].end / 100, cases[i].end);
    dls_animation *a = animation_of(&run, "impacting-oscillator", FRAMES);
    dls_animation_speed(a, text, sizeof text);
    assert_close(a->seconds, cases[i].seconds, 1e-12);
    assert_string_equal(text, cases[i].speed);
    dls_animation_destroy(a);
    dls_test_free(&run);
  }
}

/* Numbers of a list "1;2;3" */
static size_t list_length(const char *list)
{
  size_t count = 1;
  for (; *list != '"'; list++) {
    count += *list == ';';
  }
  return count;
}

/* In every animation as many values as times; the times begin with 0, never decrease, and end with 1 where values are
 * interpolated: otherwise browsers leave the animation out. */
static void check_lists(const char *svg)
{
  for (const char *at = strstr(svg, "keyTimes=\""); at != NULL; at = strstr(at + 1, "keyTimes=\"")) {
    const char *times = at + strlen("keyTimes=\""), *values = strstr(times, "values=\"") + strlen("values=\"");
    assert_int_equal(list_length(times), list_length(values));
    const char linear[] = "calcMode=\"linear\" ";
    const bool interpolated = strncmp(at - strlen(linear), linear, strlen(linear)) == 0;
    double last = 0;
    char *end = NULL;
    for (const char *number = times; number[-1] != '"' || number == times; number = end + 1) {
      const double t = strtod(number, &end);
      assert_between(t, last, 1);
      last = t;
    }
    assert_close(strtod(times, NULL), 0, 0);
    assert_between(last, interpolated ? 1 : 0, 1);
  }
}

DLS_TEST(every_small_model_gives_a_good_file)
{
  const struct {
    const char *model, *scheme;
    double step, end;
  } runs[] = {
      {"bouncing-ball", "moreau-jean", 0.02, 4},          {"impacting-oscillator", "event-driven", 0, 5},
      {"two-ball-oscillator", "event-driven", 0, 1},      {"bead-column:N=4", "moreau-jean", 1e-3, 0.5},
      {"ball-between-walls", "schatzman-paoli", 0.02, 4}, {"bouncing-pendulum", "event-driven", 0, 2},
      {"wedge:g1=0.2,g2=0.1", "event-driven", 0, 1.5},    {"elastic-bar:n=20", "moreau-jean", 0.01, 2},
      {"rod-impact:n=10", "moreau-jean", 0.01, 3}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    dls_error err = {0};
    char problem[200], *svg = NULL;
    size_t size = 0;
    test_run run = dls_test_run(runs[i].model, runs[i].scheme, runs[i].step, runs[i].end);
    dls_animation *a = animation_of(&run, runs[i].model, FRAMES);
    FILE *stream = open_memstream(&svg, &size);
    assert_non_null(stream);
    assert_ok(dls_animation_write_svg(a, stream, &err), err);
    fclose(stream);
    const char *found = markup_problem(svg, problem, sizeof problem);
    if (found != NULL) {
      fail_msg("%s: %s", runs[i].model, found);
    }
    check_lists(svg);
    assert_int_equal(markup_count(svg, "<text x=\"14\""), FRAMES); /* times of the clock */
    assert_int_equal(markup_count(svg, "nan") + markup_count(svg, "inf"), 0);
    assert_int_equal(markup_count(svg, "<script") + markup_count(svg, "href"), 0);
    free(svg);
    dls_animation_destroy(a);
    dls_test_free(&run);
  }
}

/* Strict readers refuse a picture with a pixel beyond its colours: every frame has a table of its own for its code size. */
static void assert_colours(const unsigned char *bytes, size_t size)
{
  size_t at = 13 + 3 * ((size_t)2 << (bytes[10] & 7)), frames = 0;
  assert_true((bytes[10] & 0x80) != 0);
  while (at + 10 < size && bytes[at] != 0x3b) {
    if (bytes[at] == 0x2c) { /* image: table, code size */
      const unsigned flags = bytes[at + 9];
      assert_true((flags & 0x80) != 0);
      at += 10 + 3 * ((size_t)2 << (flags & 7));
      assert_true(1u << bytes[at] <= 2u << (flags & 7));
      at += 1;
      frames++;
    } else { /* extension */
      assert_int_equal(bytes[at], 0x21);
      at += 2;
    }
    while (at < size && bytes[at] != 0) { /* blocks of data */
      at += 1 + (size_t)bytes[at];
    }
    at++;
  }
  assert_int_equal(bytes[at], 0x3b);
  assert_between((double)frames, 85, 95);
}

DLS_TEST(a_gif_has_its_frames_and_repeats)
{
  dls_error err = {0};
  char name[DLS_TEST_PATH];
  dls_test_file(dls_test_folder(NULL), "a.gif", name);
  test_run run = dls_test_run("impacting-oscillator", "event-driven", 0, 5);
  dls_model_choice choice = dls_test_model("impacting-oscillator");
  assert_ok(dls_animate(choice.model, choice.parameters, run.traj, name, &err), err);
  FILE *file = fopen(name, "rb");
  assert_non_null(file);
  unsigned char *bytes = calloc(1, 4000000);
  assert_non_null(bytes);
  const size_t size = fread(bytes, 1, 4000000, file);
  fclose(file);
  assert_between((double)size, 5000, 1e6);
  assert_memory_equal(bytes, "GIF89a", 6);
  assert_int_equal(bytes[6] + 256 * bytes[7], 366);
  size_t frames = 0, loops = 0;
  for (size_t i = 0; i + 11 < size; i++) {
    frames += memcmp(bytes + i, "\x21\xf9\x04", 3) == 0; /* graphic control extension */
    loops += memcmp(bytes + i, "NETSCAPE2.0", 11) == 0;
  }
  assert_between((double)frames, 85,
                 95); /* three bytes may also be there by chance, equal frames may be joined */
  assert_int_equal(loops, 1);
  assert_colours(bytes, size);
  free(bytes);
  dls_model_choice_release(&choice);
  dls_test_free(&run);
}

DLS_TEST(what_cannot_be_drawn_is_refused)
{
  dls_error err = {0};
  dls_animation *animation = NULL;
  dls_model_choice many = dls_test_model("bead-column:N=1000"), ball = dls_test_model("bouncing-ball");
  dls_model_choice random = dls_test_model("random-linear");
  assert_int_equal(dls_animate_check(random.model, random.parameters, "a.svg", dls_models(), &err),
                   DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "model random-linear has no sketch; these have: bouncing-ball, "));
  assert_int_equal(dls_animate_check(many.model, many.parameters, "a.svg", dls_models(), &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "bead-column has too many bodies"));
  assert_int_equal(dls_animate_check(ball.model, ball.parameters, "a.mp4", NULL, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "must end in .svg or .gif"));
  dls_trajectory *empty = dls_trajectory_create(1, 1, false);
  assert_int_equal(dls_animation_make(ball.model, ball.parameters, empty, FRAMES, &animation, &err),
                   DLS_ERR_ARG);
  assert_null(animation);
  dls_trajectory_destroy(empty);
  dls_model_choice_release(&many);
  dls_model_choice_release(&ball);
  dls_model_choice_release(&random);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_act_where_the_gap_says),
      cmocka_unit_test(positions_are_those_of_the_trajectory),
      cmocka_unit_test(impulses_are_arrows_in_proportion_where_they_act),
      cmocka_unit_test(lasting_forces_are_those_of_the_weight),
      cmocka_unit_test(time_passes_in_five_to_ten_seconds),
      cmocka_unit_test(every_small_model_gives_a_good_file),
      cmocka_unit_test(a_gif_has_its_frames_and_repeats),
      cmocka_unit_test(what_cannot_be_drawn_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
