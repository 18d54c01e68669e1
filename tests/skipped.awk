# skipped.awk -- from ctest's LastTest.log: a line for each test that was skipped, with the last line of its output, which says why.
# SPDX-License-Identifier: GPL-3.0-or-later
/^[0-9]+\/[0-9]+ Testing: / { name = $3 }
/^Output:$/ { inside = 1; last = ""; next }
/^<end of output>$/ { inside = 0 }
inside && NF && !/^-+$/ { last = $0 }
/^Test Skipped\.$/ { print "  " name ": " last }
