/* experiments/request/keys.c -- the table of all keys of a request. A row for each key: long, because each key has its help.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/parallel.h"
#include "experiments/request/key.h"
#include "experiments/request/reader.h"

#include <string.h>

enum {
  ALL = DLS_STUDY_ALL,
  RUN = DLS_STUDY_RUN,
  COMPARE = DLS_STUDY_COMPARE,
  ORDER = DLS_STUDY_ORDER,
  ENERGY = DLS_STUDY_ENERGY,
  WORK = DLS_STUDY_WORK,
  SPECTRUM = DLS_STUDY_SPECTRUM,
  LOCAL = DLS_STUDY_LOCAL,
  FIT = DLS_STUDY_FIT,
  MODELS = ALL & ~SPECTRUM, /* kinds with a model */
  TIMED = MODELS & ~FIT,    /* that end at a given time */
  RUNS = TIMED & ~LOCAL,    /* that begin at t = 0 */
  ERRORS = ORDER | WORK,
  PATHS = RUN | COMPARE | ENERGY, /* one run of each scheme */
  SWEPT = PATHS | ERRORS,         /* over a parameter */
  PARTS = RUN | ENERGY | ERRORS,  /* with a journal, in parts */
  ADVISE = DLS_COMMAND_ADVISE,
  JUDGE = DLS_COMMAND_JUDGE,
  EXACT = DLS_COMMAND_EXACT,
  DISTANCE = DLS_COMMAND_DISTANCE,
  CHECK_MODEL = DLS_COMMAND_CHECK_MODEL,
  STUDY = DLS_COMMAND_STUDY,
  MERGE = DLS_COMMAND_MERGE,
  VERIFY = DLS_COMMAND_VERIFY,
  CONTACT = DLS_COMMAND_CONTACT,
  LESSON = DLS_COMMAND_LESSON,
  LEDGER = DLS_COMMAND_LEDGER,
  GRADIENT = DLS_COMMAND_GRADIENT,
  EXPLAIN = DLS_COMMAND_EXPLAIN,
  PLAYGROUND = DLS_COMMAND_PLAYGROUND,
  DRAWN = ALL | JUDGE | MERGE | STUDY | EXACT | CONTACT | LEDGER /* with pictures */
};

#define MOST_ROWS 1e15 /* that a size_t and a double can hold */
#define MOST_IMPACTS 1e6
static const char *const references[] = {"exact", "event-driven", "limit", NULL};
static const char *const progress_modes[] = {"auto", "always", "never", NULL};
static const char *const meanings[] = {"linear", "constant", NULL};

/* What a row says beside its first five members. */
#define MORE(...)                                                                                              \
  &(const struct dls_key_private)                                                                              \
  {                                                                                                            \
    __VA_ARGS__                                                                                                \
  }
/* The rows of an option. */
#define OPTION(name, ...)                                                                                      \
  .option = name, .options = (const dls_key_option[])                                                          \
  {                                                                                                            \
    __VA_ARGS__,                                                                                               \
    {                                                                                                          \
      0                                                                                                        \
    }                                                                                                          \
  }
#define COMPUTES .effect = DLS_KEY_EFFECT_COMPUTES
#define SHOWS .effect = DLS_KEY_EFFECT_SHOWS
#define SHOWS_RUN .effect = DLS_KEY_EFFECT_SHOWS_RUN
#define PROGRAM .effect = DLS_KEY_EFFECT_PROGRAM
#define READ(function) .type = {.kind = DLS_TYPE_READ, .read = function}
#define READ_ABSENT(function) .type = {.kind = DLS_TYPE_READ, .read = function, .absent = true}
#define READ_WORD(function, list) .type = {.kind = DLS_TYPE_READ, .read = function, .words = list}
#define TEXT(member) .type = {.kind = DLS_TYPE_TEXT, .offset = offsetof(dls_request, member)}
#define POSITIVE(member) .type = {.kind = DLS_TYPE_POSITIVE, .offset = offsetof(dls_request, member)}
#define NUMBER(member) .type = {.kind = DLS_TYPE_NUMBER, .offset = offsetof(dls_request, member)}
#define SWITCH(member) .type = {.kind = DLS_TYPE_SWITCH, .offset = offsetof(dls_request, member)}
#define COUNT(member, least, most)                                                                             \
  .type = {.kind = DLS_TYPE_COUNT, .offset = offsetof(dls_request, member), .low = least, .high = most}
#define CHOICE(member, list)                                                                                   \
  .type = {.kind = DLS_TYPE_CHOICE, .offset = offsetof(dls_request, member), .words = list}

static const dls_study_key keys[] = {
    [DLS_KEY_KIND] = {"kind", ALL, ALL,
                      "`run`, `compare`, `order`, `work`, `energy`, `spectrum`, `local` or `fit`",
                      "the command that the study is made with; `local` is `order --local`",
                      MORE(.option = NULL)},
    [DLS_KEY_NAME] = {"name", ALL, 0, "letters a-z, digits, hyphens",
                      "in a list of studies, where it must be given: the folder for the results",
                      MORE(READ(dls_study_read_name))},
    [DLS_KEY_TITLE] = {"title", ALL, ALL, "one line", "what the study is about",
                       MORE(READ(dls_study_read_title))},
    [DLS_KEY_SOURCE] = {"source", ALL, 0, "text", "where the figure comes from",
                        MORE(READ(dls_study_read_source))},
    [DLS_KEY_CAPTION] = {"caption", ALL, 0, "text", "what the source reports, and what came out",
                         MORE(READ(dls_study_read_caption))},
    [DLS_KEY_FOLDER] =
        {"folder", ALL, 0, "absolute path",
         "where relative paths of files and programs start, if not in the folder of the study file",
         MORE(READ(dls_study_read_folder))},
    [DLS_KEY_MODEL] = {"model", MODELS, 0, "a name of `delassus list models`",
                       "the mechanical system; must be given unless `bodies` are",
                       MORE(READ(dls_study_read_model))},
    [DLS_KEY_GRAVITY] = {"gravity", MODELS, 0, "`[GX, GY]`, in space `[GX, GY, GZ]`, in m/s^2",
                         "of a mechanism", MORE(READ(NULL))},
    [DLS_KEY_BODIES] = {"bodies", MODELS, 0, "a list of mappings, see [mechanisms](mechanisms.md)",
                        "in place of `model`: the bodies of a mechanism", MORE(READ(dls_study_read_bodies))},
    [DLS_KEY_JOINTS] = {"joints", MODELS, 0, "a list of mappings", "of a mechanism", MORE(READ(NULL))},
    [DLS_KEY_SPRINGS] = {"springs", MODELS, 0, "a list of mappings", "of a mechanism", MORE(READ(NULL))},
    [DLS_KEY_CONTACTS] = {"contacts", MODELS, 0, "a list of mappings", "of a mechanism", MORE(READ(NULL))},
    [DLS_KEY_PARAMETERS] = {"parameters", MODELS, 0, "`NAME: VALUE` for each",
                            "parameters of the model that differ from their defaults",
                            MORE(OPTION("set",
                                        {.commands = MODELS | ADVISE | JUDGE | EXACT | DISTANCE | CHECK_MODEL |
                                                     GRADIENT | EXPLAIN | PLAYGROUND,
                                         .argument = "P=V",
                                         .help = "set a parameter or a file of the model; may be repeated; "
                                                 "`delassus show MODEL` lists them",
                                         .repeat = true}),
                                 COMPUTES, READ(dls_study_read_parameters))},
    [DLS_KEY_LAW] = {"law", MODELS, 0, "`NAME` or `NAME:PAR=VALUE,...`",
                     "another law at all contacts, with coefficients in place of the model's; `delassus list "
                     "laws`",
                     MORE(OPTION("law", {.commands = MODELS | ADVISE | JUDGE | GRADIENT,
                                         .argument = "NAME[:PAR=VAL,...]"}),
                          COMPUTES, READ(dls_study_read_law))},
    [DLS_KEY_EXTERNAL] =
        {"external", ERRORS | COMPARE, 0, "`NAME: COMMAND` for each",
         "other programs as schemes, see [external](external.md): a study with them is run only with "
         "`--allow-run`",
         MORE(OPTION("external",
                     {.commands = ERRORS | LOCAL | COMPARE,
                      .argument = "NAME=COMMAND",
                      .help = "another program as scheme NAME: it is started for every run with the values "
                              "of {h}, {T}, {out} and the model's parameters, such as {e}, and writes a "
                              "table; no shell is run; may be repeated",
                      .repeat = true}),
              PROGRAM, READ(dls_study_read_external))},
    [DLS_KEY_MAP] =
        {"map", ERRORS | COMPARE | FIT, 0, "`OURS: THEIRS` for each, such as `q0: height`",
         "with `external`: the names of the columns of their tables; of `fit` those of the file `data`",
         MORE(OPTION("map", {.commands = ERRORS | LOCAL | COMPARE | JUDGE | DISTANCE | FIT | EXPLAIN,
                             .argument = "OURS=THEIRS,...",
                             .help = "columns of other programs' tables under other names, and in "
                                     "other units: t=time,q0=0.001*x_mm"}),
              PROGRAM, .separator = ',', READ(NULL))},
    [DLS_KEY_BETWEEN] =
        {"between", ERRORS | COMPARE, 0, "`linear` or `constant`",
         "with `external`: what holds between the rows of their tables",
         MORE(OPTION("between", {.commands = ERRORS | LOCAL | COMPARE | JUDGE | EXPLAIN,
                                 .argument = "linear|constant",
                                 .help = "interpolation between the rows of tables that do not state it: it "
                                         "must be given, it is never guessed"}),
              PROGRAM, READ_WORD(NULL, meanings))},
    [DLS_KEY_EXTERNAL_LIMIT] = {"external_limit", ERRORS | COMPARE, 0, "seconds > 0",
                                "with `external`: time limit of each run; 600 if not given",
                                MORE(OPTION("external-limit",
                                            {.commands = ERRORS | LOCAL | COMPARE, .argument = "SECONDS"}),
                                     PROGRAM, READ(NULL))},
    [DLS_KEY_SCHEMES] =
        {"schemes", ALL, ALL & ~FIT,
         "a list of `NAME`, `NAME:OPTION=VALUE,...` or `{scheme: NAME, options: {OPTION: VALUE}}`",
         "the time integrators; `run` and `fit` take one (`fit`: event-driven if not given), `compare` and "
         "`spectrum` up to 12",
         MORE(OPTION(
                  "scheme",
                  {.commands = RUN,
                   .argument = "S[:OPT=VAL,...]",
                   .help = "the time integrator, with options; `delassus list schemes` names them",
                   .needed = true},
                  {.commands = SWEPT | LOCAL,
                   .argument = "S[:OPT=VAL,...]",
                   .help = "a time integrator; repeat it to compare several (`delassus list schemes`)",
                   .repeat = true,
                   .needed = true},
                  {.commands = FIT,
                   .argument = "S[:OPT=VAL,...]",
                   .help =
                       "the time integrator (default event-driven, which computes derivatives along its run)"},
                  {.commands = ADVISE,
                   .argument = "S[:OPT=VAL,...]",
                   .help =
                       "a scheme to try; repeat it for several (default: all, with their default options, but "
                       "those for teaching)",
                   .repeat = true},
                  {.commands = LEDGER,
                   .argument = "S[:OPT=VAL,...]",
                   .help =
                       "a scheme to measure; repeat it for several (default: all step models, moreau-jean and "
                       "event-driven)",
                   .repeat = true}),
              .example = "moreau-jean", COMPUTES, READ(dls_study_read_schemes))},
    [DLS_KEY_END] =
        {"end", TIMED, 0, "seconds > 0",
         "simulate from t = 0 to this time in s; 10 if not given; of `local` events up to then",
         MORE(OPTION(
                  "end", {.commands = TIMED | ADVISE, .argument = "T"},
                  {.commands = JUDGE,
                   .argument = "T",
                   .help =
                       "what comes later does not count, in s (default: the median of the last times of the "
                       "files)"},
                  {.commands = EXACT,
                   .argument = "T",
                   .help = "without --at: rows from t = 0 to T in s (default 10)"}),
              COMPUTES, READ(dls_study_read_end))},
    [DLS_KEY_STEP] = {"step", PATHS | FIT, 0, "seconds > 0, at most `end`",
                      "time step in s, for schemes that do not choose their own",
                      MORE(OPTION("step", {.commands = PATHS | FIT, .argument = "H"}), .example = "0.01",
                           COMPUTES, READ_ABSENT(dls_study_read_step))},
    [DLS_KEY_STEPS] =
        {"steps", ERRORS | SPECTRUM | LOCAL, ORDER | LOCAL, "`{first: H0, last: H1, levels: N}`",
         "N mean time steps in geometric sequence; `work` needs them if a scheme does; of `spectrum` they are "
         "values of h/T, 0.01 to 100 in 121 levels if not given",
         MORE(OPTION(
                  "steps",
                  {.commands = ORDER | LOCAL,
                   .argument = "H0:H1:N",
                   .help = "N mean time steps in s from H0 to H1, in geometric sequence, e.g. 0.1:0.001:10",
                   .needed = true},
                  {.commands = WORK,
                   .argument = "H0:H1:N",
                   .help =
                       "N mean time steps in s from H0 to H1, in geometric sequence, e.g. 0.1:0.001:10; for "
                       "schemes that need a step"},
                  {.commands = LEDGER,
                   .argument = "H0:H1:N",
                   .help = "N mean time steps in s from H0 to H1 on every problem (default: steps of each "
                           "problem)"},
                  {.commands = SPECTRUM,
                   .argument = "R0:R1:N",
                   .help = "N values of h/T from R0 to R1, in geometric sequence (default 0.01:100:121)"}),
              .example = "0.1:0.001:10", .separator = ':', COMPUTES, READ_ABSENT(dls_study_read_steps))},
    [DLS_KEY_TOLERANCES] =
        {"tolerances", WORK, 0, "`{first: T0, last: T1, levels: N}`",
         "N mean tolerances in geometric sequence, for the option `tol` of schemes that choose their own steps",
         MORE(OPTION("tols", {.commands = WORK, .argument = "T0:T1:N"}), .example = "1e-3:1e-8:6",
              .separator = ':', COMPUTES, READ_ABSENT(dls_study_read_tolerances))},
    [DLS_KEY_AGAINST] =
        {"against", WORK, 0, "`steps`, `problems`, `evals` or `seconds`",
         "what counts as work: steps, problems (one-step problems), evals (force evaluations + LCP solves + "
         "factorizations) or seconds; rejected work counts; evals if not given",
         MORE(OPTION(
                  "against", {.commands = WORK, .argument = "WORK"},
                  {.commands = ADVISE,
                   .argument = "WORK",
                   .help =
                       "what is to be least: evals (default: force evaluations + LCP solves + factorizations), "
                       "steps, problems (one-step problems) or seconds"}),
              COMPUTES, READ_WORD(dls_study_read_against, dls_work_names))},
    [DLS_KEY_TIMINGS] =
        {"timings", WORK, 0, "an integer from 0",
         "how often every run is timed without its record; the median counts; 5 for `seconds` if not given, "
         "else the one run is timed with its record; let nothing else run meanwhile",
         MORE(OPTION("timings", {.commands = WORK, .argument = "N"}), COMPUTES,
              COUNT(spec.timings, 0, DLS_REQUEST_MOST_TIMINGS))},
    [DLS_KEY_NORMS] =
        {"norms", ERRORS, 0, "a name of `delassus list norms`, or a list",
         "measures of the error; `[hausdorff, l1]` if not given",
         MORE(OPTION("norm", {.commands = ERRORS | ADVISE | JUDGE,
                              .argument = "L[,L...]",
                              .help = "measures of the error (default hausdorff,l1; `delassus list norms`); "
                                      "may be repeated",
                              .repeat = true}),
              COMPUTES, .separator = ',', READ(dls_study_read_norms))},
    [DLS_KEY_OF] =
        {"of", ERRORS | RUN | COMPARE | SPECTRUM | FIT, FIT,
         "a column such as `q0`, or a list; for errors also `q`, `v`, `impulse` and derivatives such as "
         "`dq0/de`; of `spectrum` `radius`, "
         "`period`, `damping`, `response`",
         "what is compared; `[q0, v0]` for `compare`, `[q, v]` for `order` and `work` if not given; for "
         "`run` with `over`, or with `sweep`: what is kept of each run, `X`, `least:X`, `largest:X`, `mean:X`, "
         "`impacts`, `penetration`, `steps`, `evals`; `[radius, period, damping]` for `spectrum`; for `fit` "
         "the "
         "columns of the data that are fitted",
         MORE(OPTION(
                  "of",
                  {.commands = ERRORS | ADVISE | JUDGE,
                   .argument = "X[,X...]",
                   .help =
                       "what is compared (default q,v): q, v for all components as one vector, impulse (what "
                       "contacts have transmitted so far), a column such as q0, or its derivative by a "
                       "parameter such as dq0/de, "
                       "by default at the end; may be repeated",
                   .repeat = true},
                  {.commands = COMPARE,
                   .argument = "X,X,...",
                   .help =
                       "columns to draw, a panel each (default q0,v0); also force0, ...: p/h of steps, else "
                       "lambda; slip0, drag0, ...: mean slip of an impulse in the plane, and p_T/(mu p_N) of "
                       "it; "
                       "kinetic; of models that have them energy, potential and momenta px, py, L; "
                       "work_normal, "
                       "work_friction: of contact, from t = 0 on"},
                  {.commands = RUN,
                   .argument = "X,X,...",
                   .help = "with --over: the columns to draw, a panel each (default: the velocity of its "
                           "position); "
                           "mesh: the deformed mesh; with --sweep: what is kept of each run, X, least:X, "
                           "largest:X or "
                           "mean:X of a column X, impacts, penetration, steps, evals (default: the state at "
                           "the end, "
                           "impacts, penetration, steps)"},
                  {.commands = SPECTRUM,
                   .argument = "X[,X...]",
                   .help =
                       "what is printed and drawn (default radius,period,damping): radius, the largest modulus "
                       "of "
                       "an eigenvalue of one step; period, the relative error of the period; damping, the "
                       "ratio "
                       "that the scheme adds; response, the amplitude under a harmonic load over the exact one",
                   .repeat = true},
                  {.commands = FIT,
                   .argument = "X[,X...]",
                   .help = "the columns of the file to be fitted: q0, q1, ..., v0, v1, ...",
                   .needed = true}),
              SHOWS_RUN, .separator = ',', READ(dls_study_read_of))},
    [DLS_KEY_BY] = {"by", FIT, FIT, "a parameter of the model, or a list",
                    "the parameters of the model to be estimated, initial data included; they start at their "
                    "values by `parameters`",
                    MORE(OPTION("by", {.commands = FIT,
                                       .argument = "P[,P...]",
                                       .help = "the parameters of the model to be estimated, initial data "
                                               "included; they start at their values by --set",
                                       .needed = true}),
                         COMPUTES, .separator = ',', READ(dls_study_read_by))},
    [DLS_KEY_RANGE] = {"range", FIT, 0, "`P: A:B` for each, e.g. `{e: 0.5:0.9}`",
                       "keep a parameter in [A, B], inside the range of the model; A or B may be missing",
                       MORE(OPTION("range", {.commands = FIT, .argument = "P=A:B", .repeat = true}), COMPUTES,
                            READ_ABSENT(dls_study_read_range))},
    [DLS_KEY_SIGMA] = {"sigma", FIT, 0, "a number > 0, or `X: S` for each column",
                       "standard deviation of the noise, of all columns or of each; estimated from the "
                       "residuals if not given",
                       MORE(OPTION("sigma", {.commands = FIT, .argument = "S|X=S,..."}), COMPUTES,
                            .separator = ',', READ(dls_study_read_sigma))},
    [DLS_KEY_UNTIL] = {"until", FIT, 0, "seconds > 0", "leave out rows of the data after this time in s",
                       MORE(OPTION("until", {.commands = FIT, .argument = "T"}), COMPUTES,
                            POSITIVE(fit.until))},
    [DLS_KEY_DATA] =
        {"data", FIT, FIT, "a file, or `{parameters: {P: V, ...}, end: T, rows: N, noise: S, seed: K}`",
         "the measured motion; or data that the study makes: N rows up to T of a run with these parameters in "
         "place of the start values, with normal noise of the standard deviation S (0 if not given)",
         MORE(READ(dls_study_read_data))},
    [DLS_KEY_LEVEL] = {"level", FIT, 0, "a number in (0, 1)",
                       "level of confidence of the intervals; 0.95 if not given",
                       MORE(OPTION("level", {.commands = FIT, .argument = "L"}), COMPUTES,
                            POSITIVE(fit.spec.level))},
    [DLS_KEY_STARTS] = {"starts", FIT, 0, "an integer from 1",
                        "start from N points, the values of the model's parameters and others spread over the "
                        "ranges; 1 if not "
                        "given",
                        MORE(OPTION("starts", {.commands = FIT, .argument = "N"}), COMPUTES,
                             COUNT(fit.spec.starts, 1, 1e4))},
    [DLS_KEY_ITERATIONS] = {"iterations", FIT, 0, "an integer from 1",
                            "most iterations from one start; 50 if not given",
                            MORE(OPTION("iterations", {.commands = FIT, .argument = "N"}), COMPUTES,
                                 COUNT(fit.spec.iterations, 1, 1e6))},
    [DLS_KEY_TOL] = {"tol", FIT, 0, "a number in (0, 1)",
                     "numerical error at which iterations end, in standard errors; 1e-4 if not given",
                     MORE(OPTION("tol", {.commands = FIT, .argument = "TOL"}), COMPUTES,
                          POSITIVE(fit.spec.tol))},
    [DLS_KEY_METHOD] =
        {"method", FIT, 0, "`forward` or `difference:relative=D`",
         "derivatives: forward (if not given): along each run, through all events; difference:relative=D: "
         "central differences of runs, with D times the size of each parameter",
         MORE(OPTION("method", {.commands = FIT, .argument = "M"}), COMPUTES, READ(dls_study_read_method))},
    [DLS_KEY_AT] = {"at", SPECTRUM, 0, "a number > 0, or a list",
                    "more values of h/T, which are printed; 0.1 if not given",
                    MORE(OPTION("at", {.commands = SPECTRUM, .argument = "R[,R...]", .repeat = true}), COMPUTES,
                         .separator = ',', READ(dls_study_read_at))},
    [DLS_KEY_DAMPING] = {"damping", SPECTRUM, 0, "a number in [0, 1)",
                         "damping ratio of the oscillator; 0 if not given",
                         MORE(OPTION("damping", {.commands = SPECTRUM, .argument = "ZETA"}), COMPUTES,
                              NUMBER(spectrum.oscillator.damping))},
    [DLS_KEY_FREQUENCY] = {"frequency", SPECTRUM, 0, "a number > 0",
                           "of the load over that of the oscillator; 0.5 if not given",
                           MORE(OPTION("frequency", {.commands = SPECTRUM, .argument = "R"}), COMPUTES,
                                NUMBER(spectrum.oscillator.frequency))},
    [DLS_KEY_IMPACT] = {"impact", LOCAL, 0, "an integer from 1",
                        "the number of the impact; the first if not given",
                        MORE(OPTION("impact",
                                    {.commands = LOCAL,
                                     .argument = "K",
                                     .help = "with --local: the number of the impact, from 1 (default 1)"}),
                             COMPUTES, COUNT(impact, 1, MOST_IMPACTS))},
    [DLS_KEY_OVER] =
        {"over", RUN | COMPARE, 0, "a column such as `q0`",
         "what is drawn over it instead of time: `of`, or the velocity of a position",
         MORE(OPTION("over", {.commands = RUN | COMPARE,
                              .argument = "X",
                              .help = "draw over this column instead of time: q0 with --of v0 (its default "
                                      "then) is a phase portrait"}),
              SHOWS_RUN, READ(dls_study_read_over))},
    [DLS_KEY_CYCLE] =
        {"cycle", RUN, 0, "`EVENT:CONTACT`",
         "run the limit cycle on which this event (`impact`, `landing`, `stick`) returns, once; looked for "
         "from its last one before `end`",
         MORE(OPTION("cycle",
                     {.commands = RUN,
                      .argument =
                          "EVENT:CONTACT",
                      .help = "find the limit cycle on which this event returns, from its last one before "
                              "--end, print its Floquet multipliers and run it once, e.g. stick:0"}),
              COMPUTES, READ(dls_study_read_cycle))},
    [DLS_KEY_DRIFT] = {"drift", RUN, 0, "`q0` or `q0,q1,...`",
                       "with `cycle`: positions that change from cycle to cycle, e.g. the height of a body "
                       "that descends",
                       MORE(OPTION("drift", {.commands = RUN, .argument = "X,X,..."}), COMPUTES,
                            READ(dls_study_read_drift))},
    [DLS_KEY_SWEEP] =
        {"sweep", SWEPT, 0, "`P=A:B:N`, `P=A:B:N:log` or `P=X,Y,...`; a list of two but for `compare`",
         "repeat everything at N values of parameter P, or of two; of `order` P can also be an option of its "
         "schemes, or `step` in place of `steps`; of `compare` drawn is where the columns "
         "turn "
         "over it",
         MORE(OPTION(
                  "sweep",
                  {.commands = ORDER | LOCAL,
                   .argument = "P=A:B:N",
                   .help =
                       "repeat everything at N values of P from A to B (P=A:B:N:log: in geometric sequence; "
                       "P=X,Y,...: at those), a parameter of the model, an option of all schemes, or step, in "
                       "place of --steps; twice: over two. A table sweep.csv, curves, heat maps",
                   .repeat = true},
                  {.commands = RUN | ENERGY | WORK,
                   .argument = "P=A:B:N",
                   .help =
                       "repeat everything at N values of parameter P from A to B (P=A:B:N:log: in geometric "
                       "sequence; P=X,Y,...: at those); twice: over two parameters. A table sweep.csv, curves, "
                       "heat maps",
                   .repeat = true},
                  {.commands = COMPARE,
                   .argument = "P=A:B:N",
                   .help =
                       "repeat everything at N values of parameter P from A to B (P=A:B:N:log: in geometric "
                       "sequence; P=X,Y,...: at those), and draw where the columns turn over it; --of impact0: "
                       "velocities before impacts"}),
              COMPUTES, READ(dls_study_read_sweep))},
    [DLS_KEY_CURVES] = {"curves", COMPARE, 0, "`P=X,Y,...`",
                        "with `sweep`: a curve for each value of another parameter",
                        MORE(OPTION("curves", {.commands = COMPARE, .argument = "P=X,Y,..."}), COMPUTES,
                             READ(dls_study_read_curves))},
    [DLS_KEY_FROM] =
        {"from", RUN | COMPARE, 0, "seconds from 0, below `end`",
         "with `sweep`: what comes before is left out, of `run` by least, largest and mean; 0 if not given",
         MORE(OPTION("from", {.commands = RUN | COMPARE, .argument = "T"}), COMPUTES, NUMBER(sweep.from))},
    [DLS_KEY_START_TOLERANCE] =
        {"start_tolerance", RUNS, 0, "a number > 0",
         "systems with joints: start data that are farther from them than this are refused, in the model's "
         "scales of length and velocity; 1e-6 if not given; what is nearer is projected",
         MORE(OPTION("start-tolerance", {.commands = RUNS | ADVISE | JUDGE, .argument = "TOL"}), COMPUTES,
              POSITIVE(spec.start.tolerance))},
    [DLS_KEY_PROJECT_START] = {"project_start", RUNS, 0, "`yes` or `no`",
                               "systems with joints: project the start data onto them however far they are",
                               MORE(OPTION("project-start", {.commands = RUNS | ADVISE | JUDGE}), COMPUTES,
                                    SWITCH(spec.start.project))},
    [DLS_KEY_HALVE] = {"halve", RUN | COMPARE, 0, "an integer from 0 to 30",
                       "a step that cannot be solved is replaced by two half steps, recursively up to N times; "
                       "0 if not given",
                       MORE(OPTION("halve", {.commands = RUN | COMPARE, .argument = "N"}), COMPUTES,
                            COUNT(halvings, 0, DLS_REQUEST_MOST_HALVINGS))},
    [DLS_KEY_REFERENCE] =
        {"reference", ERRORS, 0, "`exact`, `event-driven` or `limit`",
         "what errors are measured against: exact (if not given; event-driven where there is no exact "
         "solution), event-driven, which for a model that is discrete in space leaves the error in time, or "
         "limit (`order`): also the limit model of each scheme for h -> 0, and its distance from rigid contact",
         MORE(OPTION("reference", {.commands = ERRORS | ADVISE | JUDGE, .argument = "KIND"}), COMPUTES,
              CHOICE(spec.reference, references))},
    [DLS_KEY_CHECK_REFERENCE] =
        {"check_reference", ERRORS, 0, "`yes` or `no`",
         "compare a computed reference with a run of another integrator, and end with exit status 1 if they "
         "differ; always done if the system may depend on time explicitly",
         MORE(OPTION("check-reference", {.commands = ERRORS | ADVISE | JUDGE}), COMPUTES,
              SWITCH(spec.check_reference))},
    [DLS_KEY_TANGENT] =
        {"tangent", ORDER, 0, "`saltation`, `plain` or `difference:delta=D`",
         "derivatives of schemes by step: saltation (default), of the motion, with the saltation "
         "matrix at events; plain: of the steps, with their active sets fixed; "
         "difference:delta=D: of two runs at P - D and P + D",
         MORE(OPTION("tangent", {.commands = RUN | ORDER, .argument = "K"}), COMPUTES, TEXT(tangent))},
    [DLS_KEY_REPEATS] =
        {"repeats", ERRORS | LOCAL, 0, "an integer from 1",
         "runs at each mean step or tolerance, drawn around it so that impacts do not fall on the grid; 8 if "
         "not given, 30 for derivatives; 1 runs at the means; of `local` places of the impact in the "
         "step",
         MORE(OPTION(
                  "repeats", {.commands = ERRORS | LOCAL, .argument = "R"},
                  {.commands = LEDGER,
                   .argument = "R",
                   .help = "runs at each mean step, drawn around it so that impacts do not fall on the grid; "
                           "8 if not given, 4 with --quick"}),
              COMPUTES, COUNT(spec.repeats, 1, DLS_REQUEST_MOST_REPEATS))},
    [DLS_KEY_SEED] = {"seed", ERRORS, 0, "an integer from 0", "start of the random numbers; 1 if not given",
                      MORE(OPTION("seed", {.commands = ERRORS | ADVISE | LEDGER, .argument = "S"}), COMPUTES,
                           COUNT(spec.seed, 0, DLS_REQUEST_MOST_SEED))},
    [DLS_KEY_PICTURES] =
        {"pictures", ALL, 0, "`png`, `svg`, `pdf`, `tex` or `none`",
         "format of pictures; `png` if not given, with `style: journal` `pdf`; `tex` is pgfplots",
         MORE(OPTION("plot-format",
                     {.commands = PARTS | LOCAL | SPECTRUM | FIT | JUDGE | MERGE | LEDGER,
                      .argument = "FORMAT",
                      .help = "pictures in DIR: png (default), svg, pdf (default with --style journal), tex "
                              "(pgfplots) or "
                              "none"},
                     {.commands = CONTACT,
                      .argument = "FORMAT",
                      .help = "picture in FOLDER: png (default), svg, pdf (default with --style journal), tex "
                              "or none"},
                     {.commands = STUDY,
                      .argument = "FORMAT",
                      .help = "pictures, whatever the file says: png, svg, pdf, tex (pgfplots) or none"}),
              SHOWS, READ_WORD(dls_study_read_pictures, dls_plot_formats))},
    [DLS_KEY_STYLE] =
        {"style", ALL, 0, "`screen`, `journal` or `slides`",
         "what pictures are for: screen (if not given), journal (a column of 8.5 cm, fine lines, no title) or "
         "slides (large letters, thick lines)",
         MORE(OPTION("style", {.commands = DRAWN, .argument = "STYLE"}), SHOWS,
              CHOICE(form.style, dls_plot_style_names))},
    [DLS_KEY_SIZE] = {"size", ALL, 0, "`WIDTHxHEIGHT` with `cm` or `px`, e.g. `8.5x6cm`",
                      "size of pictures; numbers without unit are pixels; if not given, that of the style",
                      MORE(OPTION("size", {.commands = DRAWN, .argument = "WxH[cm|px]"}), SHOWS,
                           READ(dls_request_read_size))},
    [DLS_KEY_KEY_PLACE] =
        {"key", ALL, 0, "`auto`, `none`, `below` or `inside`",
         "place of the key of pictures: none, below the panels, or inside the frame where no curve runs; auto "
         "(if not given): beside, above or below the frames",
         MORE(OPTION("key", {.commands = DRAWN, .argument = "PLACE"}), SHOWS,
              CHOICE(form.key, dls_picture_key_names))},
    [DLS_KEY_EXPECT] = {"expect", ALL, 0, "a list of mappings, see below",
                        "expected values, compared with the results", MORE(READ(dls_study_read_expect))},
    [DLS_KEY_FILE_END] = {0},

    [DLS_KEY_LOCAL] =
        {"local", 0, 0, "",
         "errors of one step from the exact state, in q and v: before, across and after an impact, with and "
         "without an impulse in the step, and over an accumulation",
         MORE(OPTION("local", {.commands = ORDER | LOCAL}), COMPUTES, SWITCH(local))},
    [DLS_KEY_COLUMNS] =
        {"columns", 0, 0, "",
         "record these columns only, e.g. q0,v0,g: the name of a column or of a kind (default all), and the "
         "slopes that cubic ones need; also energy, potential, kinetic and momenta px, py, L, where the model "
         "has them; work_normal, work_friction: of contact, from t = 0 on",
         MORE(OPTION("columns", {.commands = RUN, .argument = "X,X,..."}), COMPUTES, .separator = ',',
              READ(dls_request_read_columns))},
    [DLS_KEY_SENSITIVITY] =
        {"sensitivity", 0, 0, "",
         "derivatives by these parameters along the run, dX/dP of each recorded q and v",
         MORE(OPTION("sensitivity", {.commands = RUN, .argument = "P,P,..."},
                     {.commands = EXACT,
                      .argument = "P,P,...",
                      .help = "derivatives by these parameters at fixed t: columns dX/dP of "
                              "q and v, and dt/dP of the times of events; enclosed with --rigorous"}),
              COMPUTES, TEXT(sensitivity))},
    [DLS_KEY_EVERY] =
        {"every", 0, 0, "",
         "record one of every N nodes, the largest jump between two of them, and the last node; of the events "
         "between, the first, the last and the largest",
         MORE(OPTION("every", {.commands = RUN | COMPARE, .argument = "N"}), COMPUTES,
              COUNT(recording.every, 1, MOST_ROWS))},
    [DLS_KEY_TIMES] =
        {"at", 0, 0, "", "record at these times only, in s, increasing; two rows where v jumps",
         MORE(OPTION("at", {.commands = RUN | COMPARE, .argument = "T1,T2,..."},
                     {.commands = EXACT,
                      .argument = "T1,T2,...",
                      .help = "rows at these times only, in s, increasing; two rows where one is an event"}),
              COMPUTES, .separator = ',', READ(dls_request_read_times))},
    [DLS_KEY_MAX_ROWS] =
        {"max-rows", 0, 0, "",
         "end a run that would record more rows, or events (default 1e7): kept, marked, exit 1",
         MORE(OPTION("max-rows", {.commands = PATHS, .argument = "N"}), COMPUTES,
              COUNT(recording.max_rows, 1, MOST_ROWS))},
    [DLS_KEY_OUT] =
        {"out", 0, 0, "", "folder for the results",
         MORE(OPTION(
                  "out",
                  {.commands = RUN,
                   .argument = "FILE.csv|FILE.vtu|DIR",
                   .help = "write the trajectory as CSV, that of a long run to FILE.csv.part until it ends; "
                           "- is "
                           "standard output; or a series of meshes for ParaView; with --sweep a folder for "
                           "sweep.csv, "
                           "runs.csv (every run as soon as it is finished) and pictures"},
                  {.commands = COMPARE,
                   .argument = "DIR",
                   .help = "write the trajectory of every scheme, run_SCHEME.csv"},
                  {.commands = ORDER | LOCAL,
                   .argument = "DIR",
                   .help = "write errors.csv, orders.csv, quality.csv, study.txt, runs.csv (every run as soon "
                           "as it is "
                           "finished) and the pictures with their gnuplot scripts"},
                  {.commands = WORK,
                   .argument = "DIR",
                   .help = "write work.csv, slopes.csv, study.txt, runs.csv (every run as soon as it is "
                           "finished) and "
                           "the pictures with their gnuplot scripts"},
                  {.commands = ENERGY,
                   .argument = "DIR",
                   .help =
                       "write energy_SCHEME.csv with a row for every step, and the pictures energies, parts "
                       "(kinetic, potential), dissipation and, of models that have them, momenta with their "
                       "gnuplot scripts"},
                  {.commands = SPECTRUM,
                   .argument = "DIR",
                   .help = "write spectrum.csv and the picture with its gnuplot script"},
                  {.commands = FIT,
                   .argument = "FILE.csv|DIR",
                   .help = "write data, fitted motion and half width of its confidence band; into a folder as "
                           "fit.csv, with estimates.csv and the picture"},
                  {.commands = JUDGE,
                   .argument = "DIR",
                   .help = "write errors.csv, orders.csv, contacts.csv, study.txt and the pictures with their "
                           "scripts"},
                  {.commands = LEDGER,
                   .argument = "DIR",
                   .help = "write ledger.csv, ledger.md and the picture with its gnuplot script, and of each "
                           "problem runs.csv (every run as soon as it is finished)"},
                  {.commands = ADVISE, .argument = "FILE.csv", .help = "write the table"},
                  {.commands = EXACT,
                   .argument = "FILE.csv",
                   .help = "write to a file; - or nothing, without --plot, is standard output"},
                  {.commands = STUDY,
                   .argument = "DIR",
                   .help = "folder for the results (default: the name of the study; for all: studies)"}),
              TEXT(out))},
    [DLS_KEY_PLOT] =
        {"plot", 0, 0, "", "draw into FILE: .png, .svg, .pdf or (pgfplots) .tex; - draws in the terminal",
         MORE(OPTION(
                  "plot",
                  {.commands = RUN,
                   .argument = "FILE",
                   .help = "draw gap and velocity: FILE.png, .svg, .pdf or (pgfplots) .tex; - draws in the "
                           "terminal"},
                  {.commands = COMPARE | SPECTRUM, .argument = "FILE"},
                  {.commands = FIT,
                   .argument = "FILE",
                   .help = "draw data, fitted motion, bands and residuals: FILE.png, .svg, .pdf or (pgfplots) "
                           ".tex; - is the terminal"},
                  {.commands = EXACT,
                   .argument = "FILE",
                   .help =
                       "draw the motion: FILE.png, .svg, .pdf, with its gnuplot script FILE.gp; or (pgfplots) "
                       "FILE.tex; - is the terminal"}),
              TEXT(plot))},
    [DLS_KEY_ANIMATE] = {"animate", 0, 0, "", "the moving system with its contact forces: FILE.svg or FILE.gif",
                         MORE(OPTION("animate", {.commands = RUN, .argument = "FILE"}), TEXT(animation))},
    [DLS_KEY_REPORT] =
        {"report", 0, 0, "",
         "write one self-contained page: question, pictures, tables, model, schemes, provenance",
         MORE(OPTION(
                  "report", {.commands = ALL | JUDGE, .argument = "FILE.html"},
                  {.commands = LEDGER,
                   .argument = "FILE.html",
                   .help = "write one self-contained page: question, picture, tables, commands, provenance"},
                  {.commands = MERGE,
                   .argument = "FILE.html",
                   .help = "write one self-contained page with the results"},
                  {.commands = STUDY,
                   .argument = "FILE.html",
                   .help = "write one self-contained page with every study, its pictures, tables and verdict"}),
              TEXT(report))},
    [DLS_KEY_PROBLEMS] =
        {"dump-problems", 0, 0, "",
         "write the contact problems with friction that were met, the 100 hardest, as files for `delassus "
         "contact`",
         MORE(OPTION("dump-problems", {.commands = RUN, .argument = "DIR"}), TEXT(problems))},
    [DLS_KEY_STATS] = {"stats", 0, 0, "", "print work counters as key=value lines",
                       MORE(OPTION("stats", {.commands = RUN}), SHOWS_RUN, SWITCH(stats))},
    [DLS_KEY_LEVELS] = {"levels", 0, 0, "",
                        "print the errors of every level and what each fit says, behind the summary",
                        MORE(OPTION("levels", {.commands = DLS_STUDY_ORDER}), SWITCH(levels))},
    [DLS_KEY_RESUME] = {"resume", 0, 0, "",
                        "continue the study that was interrupted in DIR: runs that are in DIR/runs.csv are not "
                        "made again; what "
                        "the runs depend on must be the same",
                        MORE(OPTION("resume", {.commands = PARTS},
                                    {.commands = LEDGER,
                                     .help = "continue what was interrupted in DIR: finished runs are not made "
                                             "again"},
                                    {.commands = STUDY,
                                     .help = "continue what was interrupted in DIR: finished runs of order and "
                                             "work are not made again"}),
                             SWITCH(resume))},
    [DLS_KEY_OVERWRITE] = {"overwrite", 0, 0, "", "start again although DIR has an interrupted study",
                           MORE(OPTION("overwrite", {.commands = PARTS | STUDY | LEDGER}), SWITCH(overwrite))},
    [DLS_KEY_SHARD] = {"shard", 0, 0, "",
                       "make only part K of N of the runs, the longest first, and keep them in DIR; `delassus "
                       "merge DIR` makes the tables of all parts. auto: K/N from Slurm's job array or from "
                       "MPI. Implies --resume",
                       MORE(OPTION("shard", {.commands = PARTS, .argument = "K/N|auto"}),
                            READ(dls_request_read_shard))},
    [DLS_KEY_TIME_LIMIT] =
        {"time-limit", 0, 0, "",
         "stop after that time with exit status 75, if runs are left; started again, it continues. Implies "
         "--resume",
         MORE(OPTION("time-limit", {.commands = PARTS | LEDGER, .argument = "SECONDS"},
                     {.commands = EXACT | DISTANCE,
                      .argument = "SECONDS",
                      .help = "of --rigorous: end after this time, with exit status 75 and without a result"}),
              POSITIVE(time_limit))},
    [DLS_KEY_JOBS] =
        {"jobs", 0, 0, "",
         "runs that are made at the same time (default 1; 0: as many as there are processors); the results are "
         "the same to the last bit, but such runs have no wall_seconds",
         MORE(OPTION("jobs", {.commands = PARTS | LOCAL | LEDGER, .argument = "N"},
                     {.commands = STUDY,
                      .argument = "N",
                      .help = "for studies of kind order and work and for sweeps: runs that are made at the "
                              "same time, as "
                              "for `delassus order`"}),
              READ(dls_request_read_jobs))},
    [DLS_KEY_STRICT] =
        {"strict", 0, 0, "", "exit status 3 if a check does not hold",
         MORE(OPTION(
                  "strict", {.commands = STUDY, .help = "exit status 3 if an expectation is not met"},
                  {.commands = JUDGE,
                   .help = "exit status 3 if a program is not shown to converge: no positive order, and errors "
                           "above "
                           "rounding"},
                  {.commands = VERIFY,
                   .help =
                       "exit status 3 instead of 1 if a number differs; 1 then means that the command failed"},
                  {.commands = CHECK_MODEL,
                   .help =
                       "exit status 3 instead of 1 if a callback does not agree; 1 then means that the command "
                       "failed"}),
              SWITCH(strict))},
    [DLS_KEY_ALLOW_RUN] = {"allow-run", 0, 0, "", "run the external programs that the file names",
                           MORE(OPTION("allow-run", {.commands = STUDY | MERGE | VERIFY}), READ(NULL))},
    [DLS_KEY_PROGRESS] = {"progress", 0, 0, "",
                          "progress on stderr: auto (default: on a terminal), always or never",
                          MORE(OPTION("progress", {.commands = ALL | ADVISE | JUDGE | EXACT | DISTANCE | STUDY |
                                                               MERGE | VERIFY | LEDGER,
                                                   .argument = "WHEN"}),
                               CHOICE(progress, progress_modes))},
    [DLS_KEY_PLUGIN] = {"plugin", 0, 0, "", "load models and schemes from a shared object; may be repeated",
                        MORE(OPTION("plugin",
                                    {.commands = DLS_COMMAND_ANY, .argument = "FILE.so", .repeat = true}),
                             READ(dls_request_read_plugin))},
};

const dls_study_key *dls_study_keys(void)
{
  return keys;
}

const dls_study_key *dls_key(dls_key_id id)
{
  return &keys[id];
}

static bool has_name(dls_key_id id, const char *option, size_t length)
{
  const char *own = keys[id].name != NULL ? keys[id].more->option : NULL;
  return own != NULL && strlen(own) == length && strncmp(own, option, length) == 0;
}

dls_key_id dls_key_find(unsigned command, const char *option, size_t length)
{
  dls_key_id id = 0;
  while (id < DLS_KEY_COUNT &&
         !(has_name(id, option, length) && dls_key_option_of(&keys[id], command) != NULL)) {
    id++;
  }
  return id;
}

dls_key_effect dls_key_effect_of(const char *option, size_t length)
{
  for (dls_key_id id = 0; id < DLS_KEY_COUNT; id++) {
    if (has_name(id, option, length)) {
      return keys[id].more->effect;
    }
  }
  return DLS_KEY_EFFECT_OTHER;
}
