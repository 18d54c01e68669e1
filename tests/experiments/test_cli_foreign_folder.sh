# test_cli_foreign_folder.sh -- a folder from elsewhere is worked in, and opened with every command: nothing that lies in it is loaded
# or started, and nothing outside of --out changes. With a third argument `strace` every system call is looked at, too:
# tests/soak/foreign_folder.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2086 # lists of words
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
source=$(realpath "$2")
data=$source/tests/data/matrix-model
calls=
[ "${3:-}" != strace ] || calls="$(command -v strace) -f -qq -y -s 4096 -e trace=file,network -o $work/calls"
limited="$(command -v timeout) 20"
environment=$(command -v env)
mkdir outside home tmp cache trap
export TMPDIR=$work/tmp HOME=$work/home XDG_CACHE_HOME=$work/cache

state() { # of what is not the folder; temporary files come and go
  find outside home -printf '%p %m %s %T@ %l\n' | sort
  find tmp -mindepth 1
}

untouched() { # WHAT: no marker, and the files beside the folder are as they were
  local found
  found=$(find "$work" -name 'marker-*')
  [ -z "$found" ] || fail "$1: ${found##*/}: something of the folder was run"
  rm -f $found
  state >now
  cmp -s then now || fail "$1: changed outside of the folder: $(diff then now | head -4)"
}

# opens CODES ARGUMENT...: in the folder, with the current folder in PATH
opens() {
  local codes=$1 code=0
  shift
  last="delassus $*"
  (cd trap && exec $limited $calls "$environment" PATH=":.:bin:$PATH" "$tool" "$@") >out 2>err </dev/null || code=$?
  [[ " $codes " == *" $code "* ]] || fail "$last: exit status $code, expected one of $codes: $(head -3 err)"
  untouched "$last"
  [ -z "$calls" ] || python3 "$source/tests/soak/inside.py" calls "$work/trap" "$TMPDIR" "$XDG_CACHE_HOME" || fail "$last: see above"
}

# --- libraries, programs and scripts of gnuplot in the current folder ---

cc=${CC:-cc}
cd trap || exit 1
if command -v "$cc" >/dev/null && command -v readelf >/dev/null; then
  printf '#include <fcntl.h>\n__attribute__((constructor)) static void act(void) { creat("%s", 0600); }\n' "$work/marker-library" >act.c
  "$cc" -shared -fPIC -o act.so act.c || fail "act.c cannot be compiled"
  libraries="$(readelf -d "$binary" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p') $(grep -aoE 'lib(cholmod|umfpack|hdf5[a-z_]*)\.so\.[0-9]+' "$binary" | sort -u)"
  mkdir lib glibc-hwcaps x86_64
  for name in $libraries delassus-rigorous.so libdelassus.so.0.2 libblas.so.3 liblapack.so.3 libgomp.so.1 libz.so.1; do
    for place in . lib x86_64; do cp act.so "$place/$name"; done
  done
  between "libraries in the folder" "$(find . -name '*.so*' | wc -l)" 40 200
fi
mkdir bin
for program in gnuplot cc gcc as ld python3 sh env timeout latex sbatch delassus; do
  printf '#!/bin/sh\n: >%s\n' "$work/marker-$program" >"$program"
  chmod +x "$program"
  cp "$program" bin
done
for name in .gnuplot gnuplotrc .gnuplotrc ball.gp; do
  printf 'system ": >%s"\n' "$work/marker-gnuplot" >"$name"
done
cp -r .gnuplot gnuplotrc .gnuplotrc ../home
cd ..
state >then

ball="bouncing-ball --scheme moreau-jean --step 0.1 --end 2"
steps="bouncing-ball --scheme moreau-jean --steps 0.1:0.02:3 --norm l1 --of q --end 2 --repeats 1"
opens 0 --version
opens 0 run $ball --out ball.csv --plot ball.svg
opens 0 compare $ball --plot ball.png --report ball.html
opens 0 run $ball --animate ball.svg
opens 0 run matrix-model --set M="$data/M.mtx" --set K="$data/K.mtx" --set HT="$data/HT.mtx" --scheme moreau-jean --step 1e-2 --end 0.1 --stats
opens 0 run elastic-block --set nx=120 --set ny=60 --scheme moreau-jean --step 1e-4 --end 2e-4 --stats
opens "0 2" exact bouncing-ball --rigorous --at 1 --digits 3
opens 0 exact bouncing-ball --end 2 --out exact.csv
opens 0 distance ball.csv exact.csv
opens 0 order $steps --out orders
opens 0 work $steps --against steps --out costs
opens 0 energy $ball --out ledger
opens 0 spectrum nonsmooth-newmark --steps 0.1:1:3 --at 0.1 --out spectra
opens 0 judge bouncing-ball ball.csv --out judged
printf 'dim 1\ncontacts 1\nq -1\nW 1\n0 0 2\n' >trap/one.dat
opens "0 2" contact one.dat --out one.hdf5 # 2: built without HDF5
opens 0 contact one.dat --all-methods --out profile
opens 0 verify ball.csv orders
opens 0 cite moreau-jean
opens 0 advise bouncing-ball --error 1e-1 --of q0 --end 1 --scheme moreau-jean
opens 0 lesson kane --out lesson.html
opens "0 2" list

# --- files that ask for more than to be read; each command opens each ---

cd trap || exit 1
rm -rf ./*.so* lib x86_64 act.c
evil="../outside/evil"
mkdir tricks
cat >tricks/external.yaml <<Y
title: programs
studies:
  - {name: a, kind: order, title: t, model: bouncing-ball, end: 1, norms: l1, of: q, pictures: none, repeats: 1,
     external: {x: "touch $work/marker-external"}, schemes: [x], steps: {first: 0.1, last: 0.05, levels: 2}}
Y
cat >tricks/names.yaml <<Y
title: paths in names
studies:
  - {name: ../../outside/evil, kind: run, title: t, model: bouncing-ball, schemes: [moreau-jean], step: 0.1, end: 1}
Y
cat >tricks/keys.yaml <<Y
title: keys
studies:
  - {name: a, kind: run, title: t, model: bouncing-ball, schemes: [moreau-jean], step: 0.1, end: 1, out: $evil, plot: $evil.svg,
     report: $evil.html, plugin: ./act.so}
Y
printf 'title: !!python/object/apply:os.system ["touch %s"]\nstudies: *a\n' "$work/marker-yaml" >tricks/tags.yaml
printf 'title: "a\\e]0;b\\a`touch %s`"\nstudies: []\n' "$work/marker-title" >tricks/escapes.yaml
{ # a thousand million values, by anchors
  echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
  for i in 1 2 3 4 5 6 7 8 9; do echo "a$i: &a$i [$(printf "*a$((i - 1)), %.0s" 1 2 3 4 5 6 7 8 9)*a$((i - 1))]"; done
} >tricks/anchors.yaml
cat >tricks/mechanism.yaml <<Y
gravity: [0, -9.81]
bodies:
  - {name: "../../outside/evil", mass: 1, position: [0, 1], include: /etc/passwd}
Y
sed "s|^# model:.*|# plugin: act 1.0, ./act.so, FNV-1a 0123456789abcdef\n&|; s|^# options:.*|&\n# out: $evil\n# command: touch $work/marker-command|" ball.csv >tricks/metadata.csv
sed 's|^# model:.*|# model: multibody|; s|^# parameters:.*|# parameters: mechanism=../../outside/secret.yaml|' ball.csv >tricks/path.csv
sed 's|^# scheme:.*|# scheme: `touch marker-scheme`|; s|^t,q0|t,"=cmd()|' ball.csv >tricks/formula.csv
printf '%%%%MatrixMarket matrix array real general\n999999999 999999999\n1\n' >tricks/huge.mtx
printf 'dim 3\ncontacts 99999999999\nmu 1\n' >tricks/huge.dat
printf '\211HDF\r\n\032\n garbage' >tricks/problem.hdf5
printf '#!/bin/sh\n: >%s\n' "$work/marker-script" >tricks/plain.csv
printf '\177ELF garbage' >tricks/object.so
head -c 300000 /dev/zero >tricks/zeros.csv
mkfifo tricks/pipe.csv
ln -s ../../outside/secret tricks/link.csv
mkdir tricks/orders tricks/parts tricks/linked tricks/piped tricks/study
cp orders/* tricks/orders
sed -i "s|^# input: .*|&\n# input: --out=$evil\n# input: --report=$evil.html\n# input: --plugin=./act.so|" tricks/orders/runs.csv
printf 'files: M=../../outside/secret\nwork: $(touch %s)\n' "$work/marker-work" >>tricks/orders/study.txt
printf 'system ": >%s"\n' "$work/marker-gp" >tricks/orders/a.gp
cp -r orders/. tricks/linked
ln -sf ../../../outside/secret tricks/linked/orders.csv
ln -sf ../../../outside tricks/linked/again
cp -r orders/. tricks/piped
rm tricks/piped/study.txt && mkfifo tricks/piped/study.txt tricks/piped/x.gp
cp tricks/external.yaml tricks/study/study.yaml
cd ..
echo secret >outside/secret
(cd trap && "$tool" order $steps --out tricks/parts --shard 1/1) >out 2>err || fail "no part: $(cat err)"
printf '%s\n' "--report=$evil.html" "--out=$evil" "--plugin=./act.so" "--external=x=touch $work/marker-part" >>trap/tricks/parts/command.txt
cp -r trap/tricks kept
state >then

all="0 1 2" pair=0
for file in trap/tricks/*; do
  file=${file#trap/}
  [ "$file" != tricks/pipe.csv ] || continue # an input that nobody writes into: test_cli_signals.sh
  for command in distance verify merge contact study "study --check" "study --plan -" "judge bouncing-ball" check-model \
    "run matrix-model --scheme moreau-jean --step 0.1 --end 1 --set K=$file --set M=$file --out o.csv --set HT" \
    "run multibody --scheme moreau-jean --step 0.1 --end 1 --out o.csv --set" "list --plugin"; do
    pair=$((pair + 1))
    case $command in # a third of the others, but all below strace
      verify | merge | study) ;;
      *) [ -n "$calls" ] || [ $((pair % 3)) -eq 0 ] || continue ;;
    esac
    case $command in
      distance) opens "$all" distance ball.csv "$file" ;;
      *"--set") opens "$all" $command "mechanism=$file" ;;
      *"--set HT") opens "$all" $command="$file" ;;
      study) opens "$all" study "$file" --out again --overwrite ;;
      *) opens "$all" $command "$file" ;;
    esac
  done
done
for folder in orders linked piped study; do
  opens "$all" order $steps --out "tricks/$folder" --resume --plot-format none
  opens "$all" order $steps --out "tricks/$folder" --overwrite --plot-format none
done
finish
