# test_cli_advise.sh -- advise: the command that it prints runs and has the error that was asked for; what is met is told; an error out of
# reach; wrong requests.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# command: what was advised, to be run with --out run.csv
command() { sed -n 's/^  delassus //p' out; }

try 0 advise bouncing-ball --set e=0.6 --end 5 --error 1e-2 --of q0 --scheme moreau-jean --scheme rk-moreau:method=rk4 \
  --scheme event-driven --norm grid-max --out table.csv
in_out "grid-max of q0 up to 0.01 in 24 runs" "the motion has an accumulation of impacts at t = " "evals" "cost" "remark"
advised=$(command)
[[ $advised == "run bouncing-ball --set e=0.6 --scheme "*" --end 5" ]] || fail "the command is '$advised'"
equal "header" "$(head -1 table.csv)" "scheme,outcome,step,tol,error,evals,penetration,drift,energy,depth,creep,hop"
equal "rows" "$(wc -l <table.csv)" 4
between "error of the first" "$(sed -n 2p table.csv | cut -d, -f5)" 0 0.008
# shellcheck disable=SC2086 # words
try 0 $advised --out run.csv
try 0 exact bouncing-ball --set e=0.6 --end 5 --out exact.csv
try 0 distance run.csv exact.csv --column q0 --norm grid-max
between "error of the advised run" "$(value distance)" 0 0.01

# the same question has the same answer
cp table.csv first.csv
try 0 advise bouncing-ball --set e=0.6 --end 5 --error 1e-2 --of q0 --scheme moreau-jean --scheme rk-moreau:method=rk4 \
  --scheme event-driven --norm grid-max --out table.csv
cmp -s table.csv first.csv || fail "another answer the second time"

# options of a scheme, a tolerance among them, stand in the command
try 0 advise impacting-oscillator --end 2 --error 1e-3 --of q0 --norm grid-max --scheme event-driven:method=erk
[[ $(command) == "run impacting-oscillator --scheme event-driven:method=erk,tol="*" --end 2" ]] || fail "command: $(command)"
in_out "no other reaches the error within 30 times its work"

# what nobody reaches
try 1 advise bouncing-ball --end 3 --error 1e-9 --of q0 --norm grid-max --scheme moreau-jean --scheme tdg-alpha --most-steps 200
in_out "not reached: " "was the least error, by moreau-jean:" "too expensive" "not for this model:" "--scheme moreau-jean --step "

in_err "no scheme reaches the error 1e-09"

# wrong requests
refused "--error is missing" -- advise bouncing-ball --of q0
refused "--of is missing" -- advise bouncing-ball --error 0.1
refused "--error" "-1" -- advise bouncing-ball --error -1 --of q0
refused "--of: one is needed, 2 are given" -- advise bouncing-ball --error 0.1 --of q0,v0
refused "--norm: one is needed, 2 are given" -- advise bouncing-ball --error 0.1 --of q0 --norm l1,l2
refused "unknown model 'ball'" -- advise ball --error 0.1 --of q0
refused "no quantity \"q7\"" -- advise bouncing-ball --error 0.1 --of q7
refused "unknown scheme" -- advise bouncing-ball --error 0.1 --of q0 --scheme moro
refused "3 steps at most are not allowed: at least 10" -- advise bouncing-ball --error 0.1 --of q0 --most-steps 3
[ $failures -eq 0 ]
