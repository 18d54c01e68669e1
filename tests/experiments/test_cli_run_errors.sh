# test_cli_run_errors.sh -- requests that are wrong: exit status 2, a message that says what, where, the value and
# what is allowed, and no file.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
ball="run bouncing-ball"
good="--scheme moreau-jean --step 0.1"

# shellcheck disable=SC2086
{
  refused "unknown model 'bouncing-bal'" "did you mean 'bouncing-ball'" "impacting-oscillator" -- \
    run bouncing-bal $good --out x.csv
  refused "--scheme is missing" "moreau-jean" -- $ball --step 0.1 --out x.csv
  refused "unknown scheme 'moreau-jaen'" "did you mean 'moreau-jean'" "schatzman-paoli" -- \
    $ball --scheme moreau-jaen --step 0.1 --out x.csv
  refused "moreau-jean" "thta" "theta" -- $ball --scheme moreau-jean:thta=1 --step 0.1 --out x.csv
  refused "theta" "0.4" "[0.5, 1]" -- $ball --scheme moreau-jean:theta=0.4 --step 0.1 --out x.csv
  refused "theta" "nan" -- $ball --scheme moreau-jean:theta=nan --step 0.1 --out x.csv
  refused "theta" "abc" -- $ball --scheme moreau-jean:theta=abc --step 0.1 --out x.csv
  refused "theta" -- $ball --scheme moreau-jean:theta --step 0.1 --out x.csv
  refused "moreau-jean" -- $ball --scheme moreau-jean: --step 0.1 --out x.csv

  refused "--step is missing" "moreau-jean" -- $ball --scheme moreau-jean --out x.csv
  refused "--step = 0.1" "choose their own steps" -- $ball --scheme event-driven --step 0.1 --out x.csv
  refused "--step = 0 " "> 0" -- $ball --scheme moreau-jean --step 0 --out x.csv
  refused "--step = -1 " "> 0" -- $ball --scheme moreau-jean --step -1 --out x.csv
  refused "--step = 'nan'" "finite" -- $ball --scheme moreau-jean --step nan --out x.csv
  refused "--step = 'inf'" "finite" -- $ball --scheme moreau-jean --step inf --out x.csv
  refused "--step = '0.1s'" -- $ball --scheme moreau-jean --step 0.1s --out x.csv
  refused "--step = ''" -- $ball --scheme moreau-jean --step "" --out x.csv
  refused "--step = 5" "--end = 4" -- $ball --scheme moreau-jean --step 5 --end 4 --out x.csv
  refused "--step = 1e-300" "steps" -- $ball --scheme moreau-jean --step 1e-300 --end 4 --out x.csv
  refused "--end = 0 " "> 0" -- $ball $good --end 0 --out x.csv
  refused "--end = 'nan'" -- $ball $good --end nan --out x.csv
  refused "--end = '1e999'" -- $ball $good --end 1e999 --out x.csv

  refused "mass" "m, f, e, q0, v0" "bouncing-ball" -- $ball $good --set mass=1 --out x.csv
  refused "e = 1.5" "[0, 1]" -- $ball $good --set e=1.5 --out x.csv
  refused "m = 0" "(0, inf)" -- $ball $good --set m=0 --out x.csv
  refused "'nan'" -- $ball $good --set q0=nan --out x.csv
  refused "'1,5'" -- $ball $good --set q0=1,5 --out x.csv
  refused "'e'" "name=value" -- $ball $good --set e --out x.csv
  refused "N" "integer" -- run bead-column $good --set N=2.5 --out x.csv

  refused "cannot write 'nowhere/x.csv'" "No such file or directory" -- $ball $good --out nowhere/x.csv
  refused "cannot write ''" "empty" -- $ball $good --out ""
  refused "--out -" "standard output" -- $ball $good --out - --stats
  refused "--progress = 'often'" "auto, always, never" -- $ball $good --progress often --out x.csv
  mkdir folder
  refused "cannot write 'folder'" "folder" -- $ball $good --out folder
  refused "cannot write 'folder/'" -- $ball $good --out folder/
  refused "x.jpg" ".png" ".svg" ".pdf" -- $ball $good --plot x.jpg --out x.csv
  refused "nowhere/x.png" -- $ball $good --plot nowhere/x.png --out x.csv
}

# an output that cannot be written is found before a long computation
start=$SECONDS
refused "cannot write 'nowhere/x.csv'" -- \
  run bouncing-ball --scheme moreau-jean --step 1e-9 --end 1000 --out nowhere/x.csv
between "seconds until the refusal" $((SECONDS - start)) 0 5

if [ "$(id -u)" -ne 0 ]; then # root may write everywhere
  mkdir closed
  chmod a-w closed
  refused "cannot write 'closed/x.csv'" "Permission denied" -- run bouncing-ball --scheme moreau-jean --step 0.1 \
    --out closed/x.csv
  echo precious >mine.csv
  chmod a-w mine.csv
  refused "cannot write 'mine.csv'" "Permission denied" -- run bouncing-ball --scheme moreau-jean --step 0.1 \
    --out mine.csv
  equal "a protected file" "$(cat mine.csv)" precious
fi

# a refused request leaves an old file alone
echo old >x.csv
refused "e = 2" -- run bouncing-ball --scheme moreau-jean --step 0.1 --set e=2 --out x.csv
equal "the old file" "$(cat x.csv)" old
rm x.csv

# without gnuplot a picture is refused before anything is computed, and nothing is written
mkdir none
PATH=$PWD/none "$tool" run bouncing-ball --scheme moreau-jean --step 0.1 --plot x.png --out x.csv >out 2>err
equal "exit status without gnuplot" $? 1
last="delassus run --plot without gnuplot"
in_err "gnuplot not found" "gnuplot-nox"
[ ! -e x.png ] && [ ! -e x.gp ] && [ ! -e x.csv ] || fail "$last left files"
# steps a hundred times too long for the spring end in overflow, and end: the search for zeros of the gap did not
try 1 run two-ball-oscillator --scheme rk-moreau:bracket=0.215 --step 20 --end 1000 --set k=440.20540840662755 --set l=0 \
  --set g=3.4184453811141684 --set v2=1 --stats
in_err "events in one step" "the motion has grown without bound"
try 1 run two-ball-oscillator --scheme rk-moreau --step 0.5 --end 500 --set k=1e12 --stats
in_err "the motion has grown without bound"
# a long name is cut where there is no more room
refused "there is no law '$(printf 'a%.0s' {1..59})'" -- run bouncing-ball --scheme moreau-jean --step 0.1 --law "$(printf 'a%.0s' {1..80})"
# what the scheme does not treat, and which schemes do
refused "does not treat joints" "\`delassus list schemes joints\` lists those that do" -- run slider-crank --scheme schatzman-paoli --step 0.01
finish
