# test_plugin.sh -- plugins: what is refused and how, two at once, an exact solution of a plugin's model.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/install/install_support.sh
source "$1/tests/install/install_support.sh"
tool=$build/bin/delassus
example=$source/docs/examples/plugin/falling.c

compile() { # FILE.so FILE.c...: the symbols of the library come from the tool that loads it
  local out=$1
  shift
  do_it "$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -fPIC -shared -I"$source/common" -I"$source/analytic" \
    -I"$source/experiments" -o "$out" "$@"
}
variant() { # FILE.so SED-EXPRESSION: the example, changed
  sed "$2" "$example" >variant.c
  ! cmp -s variant.c "$example" || fail "'$2' changes nothing"
  compile "$1" variant.c
}
refused() { # PLUGIN TEXT...: by every way to give it, with the texts, the command does not run
  local plugin=$1 code=0
  shift
  "$tool" list --plugin "$plugin" >out 2>err || code=$?
  [ "$code" -eq 2 ] || fail "list --plugin $plugin: exit status $code"
  [ ! -s out ] || fail "list --plugin $plugin: prints although it refuses"
  for text in "delassus list: " "$plugin" "$@"; do
    has "refusal of $plugin" "$text" err
  done
  code=0
  "$tool" --plugin="$plugin" list >out 2>err || code=$?
  [ "$code" -eq 2 ] && [ ! -s out ] || fail "--plugin=$plugin list: exit status $code"
}

cp "$example" falling.c
compile falling.so falling.c
do_it "$tool" list --plugin falling.so
has "list with a plugin" "ball-in-air" log
has "list with a plugin" "strang-impact" log
do_it "$tool" list
! grep -q ball-in-air log || fail "a plugin is known without being loaded"

# a law of contact: every scheme asks it, and nothing comes back although e = 0.8
variant wet.so '/^static void force/i static const dls_option nothing[] = {{0}};\
static void mixture(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c) { (void)sys, (void)j, (void)theta, (void)u_minus; c[0] = 0; }\
static const dls_law wet = {"wet", "nothing comes back", "test", "0 <= u+  _|_  p >= 0\\n", nothing, .block = DLS_HALF, .mixture = mixture};\
static const dls_law *const laws[] = {\&wet, NULL};
s/  sys->gap = gap;/&\n  sys->law[0] = \&wet;/
s/DLS_PLUGIN_HEAD,/& .laws = laws,/'
do_it "$tool" list laws --plugin wet.so
has "list laws" "newton" log
has "list laws" "nothing comes back" log
do_it "$tool" show wet --plugin wet.so
has "show of a law" "0 <= u+" log
for plugin in falling wet; do
  for scheme in event-driven moreau-jean schatzman-paoli nonsmooth-newmark tdg-d1-minus splitting-rkf45 strang-impact; do
    do_it "$tool" run ball-in-air --plugin $plugin.so --scheme $scheme $([ $scheme = event-driven ] || echo "--step 1e-3") --end 1 --columns v0 --out fall.csv
    awk -F, '!/^[#t]/ && $2 > most { most = $2 } END { print most + 0 }' fall.csv >most
    between "largest velocity of $scheme with $plugin.so" "$(cat most)" $([ $plugin = wet ] && echo "0 0.01" || echo "1 4")
  done
done
# a law that sees the approach speed: asked at each impact; schemes at position level refuse it by name
sed 's/c\[0\] = 0;/c[0] = u_minus[0] < -1 ? 0 : 1;/; s/"wet"/"speedy"/; s/\.block = DLS_HALF/& , .sees_speed = true/' variant.c >speedy.c && compile speedy.so speedy.c
do_it "$tool" run ball-in-air --plugin speedy.so --scheme event-driven --end 1 --columns v0 --out fall.csv
do_it "$tool" run ball-in-air --plugin speedy.so --scheme moreau-jean --step 1e-3 --end 1 --columns v0 --out fall.csv
code=0
"$tool" run ball-in-air --plugin speedy.so --scheme schatzman-paoli --step 1e-3 --end 1 >out 2>err || code=$?
[ "$code" -ne 0 ] || fail "schatzman-paoli runs a law of the approach speed"
has "refusal of a law of the approach speed" "law speedy at contact 0" err
sed 's/\.block = DLS_HALF/& , .expands = true/' speedy.c >both.c && compile both.so both.c
refused both.so "law 0 (speedy) has both expands and sees_speed"
sed 's/"wet"/"newton"/' variant.c >same.c && compile same.so same.c
refused same.so "law 'newton' is taken"
sed 's/.mixture = mixture}/.mixture = NULL}/' variant.c >none.c && compile none.so none.c
refused none.so "law 0 (wet) has no function mixture"
sed 's/\.block = DLS_HALF, //' variant.c >block.c && compile block.so block.c
refused block.so "law 0 (wet) has a block other than DLS_HALF and DLS_COULOMB"

# no plugin at all
refused nothing.so "cannot be loaded" "No such file"
echo "text" >text.so
refused text.so "cannot be loaded" "file too short"
echo "int x;" >other.c && compile other.so other.c
refused other.so "is not a plugin of delassus" "dls_plugin_entry"
# libraries that come and go with it keep what their constructors allocated
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
refused "$(find "$build" -maxdepth 1 -name 'libdelassus.so.?.?')" "is not a plugin of delassus"
export ASAN_OPTIONS="${ASAN_OPTIONS%detect_leaks=0}"

# another interface: both numbers
variant abi.so 's/DLS_PLUGIN_HEAD,/DLS_PLUGIN_HEAD, .abi = 99,/;1i #pragma GCC diagnostic ignored "-Woverride-init"'
number=$(sed -n 's/^#define DLS_PLUGIN_ABI \([0-9]*\)$/\1/p' "$source/experiments/delassus/plugin.h")
refused abi.so "plugin interface 99" "has interface $number" "build it again"
variant size.so 's/DLS_PLUGIN_HEAD,/.abi = DLS_PLUGIN_ABI, .sizes = {sizeof(dls_plugin), sizeof(dls_option), 8},/'
refused size.so "a dls_model of 8 bytes" "build it again"
# it is told even where a symbol is missing, which alone is refused too
old='/#include <delassus\/plugin.h>/a dls_system *dls_system_create_of_old(size_t n, size_t m);
  s/= dls_system_create(/= dls_system_create_of_old(/'
variant missing.so "$old"
refused missing.so "cannot be loaded" "undefined symbol: dls_system_create_of_old"
variant both.so "$old"';s/DLS_PLUGIN_HEAD,/.abi = 98,/'
refused both.so "plugin interface 98"

# names
for taken in bouncing-ball moreau-jean hausdorff lemke strang-impact; do
  variant taken.so "s/\"ball-in-air\"/\"$taken\"/"
  refused taken.so "model '$taken' is taken"
done
variant taken.so 's/"strang-impact"/"ball-in-air"/'
refused taken.so "model 'ball-in-air' is taken"
variant taken.so 's/"strang-impact"/"moreau-jean"/'
refused taken.so "scheme 'moreau-jean' is taken"
for name in '"Ball"' '"ball:in:air"' '"1-ball"' '"ball in air"' '""' NULL; do
  variant name.so "s/\"ball-in-air\"/$name/"
  refused name.so "model 0" "no proper name"
done

# incomplete entries
variant part.so 's/\.source = "example of a plugin",//'
refused part.so "model 0 (ball-in-air) has no source"
variant part.so 's/\.create = create,//'
refused part.so "model 0 (ball-in-air) has no function create"
variant part.so 's/\.advance = advance,//'
refused part.so "scheme 0 (strang-impact) has no function advance"
variant part.so 's/\.handles = DLS_HANDLES_MOVING_GAPS/& | DLS_HANDLES_NO_CONTACT/'
refused part.so "DLS_HANDLES_NO_CONTACT together with friction, moving gaps or laws of the approach speed"
# a scheme without options, and one that declares friction and reports p only: the driver completes p_t and status
variant bare.so '/^static const dls_option options/,/^};/d; s/sim->opt\[0\]/0/; s/    \.options = options,//; /^static const dls_scheme/,/^};/s/\.remarks = .*//
  s/\.handles = DLS_HANDLES_MOVING_GAPS/& | DLS_HANDLES_FRICTION/'
do_it "$tool" show strang-impact --plugin bare.so
has "show of a scheme without options" "  none" log
do_it "$tool" order ball-in-air --plugin bare.so --scheme strang-impact --steps 1e-2:1e-3:5 --end 0.4 --norm l1 --of q
do_it "$tool" run incline --plugin bare.so --scheme strang-impact --step 0.01 --end 0.2 --out slide.csv
grep -q "^# options: *$" slide.csv || fail "options of a scheme without them: $(grep options slide.csv)"
awk -F, '/^t,/ { for (i = 1; i <= NF; i++) column[$i] = i; next }
  !/^#/ && $1 > 0 { if ($column["status0"] != 2 || !($column["p0t"] / $column["p0"] < -0.29999)) exit 1; rows++ }
  END { exit !(rows == 20) }' slide.csv || fail "a block that slides has no friction in the record: $(tail -3 slide.csv)"
variant part.so 's/"restitution coefficient", 0.8/"restitution coefficient", 1.8/'
refused part.so "the default of an option is not allowed" "e = 1.8 is outside [0, 1]"
variant part.so 's/"restitution coefficient"/NULL/'
refused part.so "an option without help or unit"

# an exact solution: the files of docs/adding.md
awk '/^```c file=/ { sub(/^```c file=/, ""); gsub("/", "_"); out = $0; next } /^```/ { out = "" } out != "" { print > out }' \
  "$source/docs/adding.md"
cat >puck.c <<'END'
#include <delassus/plugin.h>
extern const dls_model dls_model_sliding_puck;
extern const dls_exact dls_exact_sliding_puck;
static const dls_model *const models[] = {&dls_model_sliding_puck, NULL};
static const dls_exact *const exacts[] = {&dls_exact_sliding_puck, NULL};
const dls_plugin dls_plugin_entry = {DLS_PLUGIN_HEAD, .name = "puck", .models = models, .exacts = exacts};
END
puck=(common_models_sliding_puck.c analytic_exact_sliding_puck.c)
compile puck.so puck.c "${puck[@]}"
do_it "$tool" exact sliding-puck --plugin puck.so --at 0.5,1,2
has "exact solution of a plugin" "0.5,0.5,-1," log
do_it "$tool" exact sliding-puck --plugin puck.so --end 2 --out exact.csv
# two plugins: the scheme of one on the model of the other, measured against its exact solution
do_it "$tool" order sliding-puck --plugin puck.so --plugin falling.so --scheme strang-impact --scheme moreau-jean \
  --steps 1e-1:1e-3:6 --end 3 --norm l1 --of v --out study --plot-format none
has "the reference" "straight lines, one impact" study/study.txt
for file in study/orders.csv study/study.txt; do
  has "provenance in $file" "plugin: puck, puck.so, FNV-1a " "$file"
  has "provenance in $file" "plugin: falling 1.0, falling.so, FNV-1a " "$file"
done
has "provenance of an exact solution" "# plugin: puck, puck.so, FNV-1a " exact.csv
between "order" "$(awk -F, 'NR == 2 { print $5 }' study/orders.csv)" 0.8 1.2
do_it "$tool" compare ball-in-air --plugin falling.so --scheme strang-impact --scheme event-driven --step 1e-2 --end 1 \
  --plot two.svg
do_it "$tool" energy ball-in-air --plugin falling.so --scheme strang-impact --step 1e-2 --end 1
cat >falling.yaml <<'END'
kind: order
title: The scheme of a plugin on the model of a plugin
model: ball-in-air
schemes: [strang-impact]
steps: {first: 1e-2, last: 1e-3, levels: 5}
end: 0.4
norms: [l1]
of: [q]
pictures: none
END
do_it "$tool" study falling.yaml --plugin falling.so --out falling-study
has "study with a plugin" "strang-impact" falling-study/orders.csv
! "$tool" study falling.yaml --out falling-study 2>err || fail "a study without its plugin runs"
has "study without its plugin" "unknown model 'ball-in-air'" err
refused_pair() {
  ! "$tool" --plugin "$1" list --plugin "$2" >out 2>err || fail "$1 and $2 together are accepted"
  has "$1 and $2" "$3" err
}
refused_pair falling.so ./falling.so "is taken"
sed -i 's/, .models = models//' puck.c
compile exact.so puck.c "${puck[@]}"
refused exact.so "an exact solution of model 'sliding-puck', which is not there"
refused_pair puck.so exact.so "which has one already"
sed -i 's/\.value = value,//' analytic_exact_sliding_puck.c
compile part.so puck.c "${puck[@]}"
refused part.so "exact solution 0 (sliding-puck) has not all of its functions: create, destroy, gap, value"

# everywhere by name: completion, guesses
"$tool" --complete delassus run --plugin falling.so ball-in >log
has "completion with a plugin" "ball-in-air" log
! "$tool" run ball-in-ai --plugin falling.so --scheme strang-impact 2>err || fail "an unknown name runs"
has "guess with a plugin" "did you mean 'ball-in-air'?" err
! "$tool" list --plugin 2>err || fail "--plugin without a value is accepted"
has "--plugin without a value" "--plugin needs a value" err
! "$tool" --plugin 2>err || fail "--plugin without a value is accepted"
has "--plugin without a value" "--plugin needs a value" err

# the page
mkdir page
cp falling.so page
cp abi.so page/other-interface.so
cp other.so page/no-plugin.so
bash "$source/tests/docs/run_page.sh" "$tool" "$source/docs/reference/plugins.md" page >log || fail "docs/reference/plugins.md: $(cat log)"
has "docs/reference/plugins.md" "8 commands, 0 failed" log
grep -qxF "    $(sed -n 's/^ \*   \(cc .*\)$/\1/p' "$example")" "$source/docs/reference/plugins.md" ||
  fail "the example and docs/reference/plugins.md differ in how it is built"

# no command looks names up in the built-in catalogue behind the back of the plugins
! grep -nE 'dls_(models|schemes|exacts|model_find|scheme_find|exact_find|scheme_choose|study_read)\(' "$source"/experiments/cli/*.c ||
  fail "these lines do not know plugins: use the dls_catalogue_ functions with args->catalogue"
# wrong derivatives are found, in the example and in the models that are written by hand
wrong() { # PLUGIN TEXT...: check-model exits 1 and says so
  local plugin=$1 code=0
  shift
  "$tool" check-model "./$plugin" >out 2>err || code=$?
  [ "$code" -eq 1 ] || fail "check-model $plugin: exit status $code: $(cat out err)"
  for text in "$@"; do
    has "check-model $plugin" "$text" err
  done
}
do_it "$tool" check-model ./falling.so --strict
has "check-model" "ball-in-air: callbacks against difference quotients" log
variant wrong.so 's/2 \* p\[DRAG\] \* fabs/3 * p[DRAG] * fabs/'
wrong wrong.so "delassus check-model: ball-in-air: damping (-dF/dv): row 0, column 0 is "
code=0
"$tool" check-model ./wrong.so --strict >out 2>err || code=$?
[ "$code" -eq 3 ] || fail "check-model --strict of a wrong model: exit status $code"
example=$source/tests/install/plugin_by_hand.c
compile by_hand.so "$example"
do_it "$tool" check-model by_hand.so --states 20
has "check-model" "dimer-by-hand" log
has "check-model" "cart-by-hand" log
variant wrong.so 's/c\[j\] = plate - side\[j\] \* bend;/c[j] = plate + side[j] * bend;/'
wrong wrong.so "dimer-by-hand: curvature (u' where v' = 0): row "
variant wrong.so 's/^  sys->slip_curvature = .*//; s/^static void dimer_slip_curv/__attribute__((unused)) &/'
wrong wrong.so "dimer-by-hand: slip_curvature"
has "a callback that is missing" "NO: it is missing" out
variant wrong.so 's/dls_matrix_set(M, 1, 0, coupling)/dls_matrix_set(M, 1, 0, 2 * coupling)/'
wrong wrong.so "cart-by-hand: mass: entry (1, 0) = "
variant wrong.so 's/dls_matrix_set(M, 1, 1, p\[C_M\]/dls_matrix_set(M, 1, 1, -p[C_M]/'
wrong wrong.so "cart-by-hand: mass: entry (1, 1) = -0.25"
variant wrong.so 's/dls_matrix_set(K, 0, 1, -p\[C_M\]/dls_matrix_set(K, 0, 1, p[C_M]/'
wrong wrong.so "cart-by-hand: stiffness (-dF/dq): row 0, column 1 is "
finish
