# Completion of delassus for fish. The tool itself knows what a word could become: it has the tables.
# SPDX-License-Identifier: GPL-3.0-or-later

function __delassus_candidates
    set -l words (commandline -opc)
    command $words[1] --complete $words (commandline -ct) 2>/dev/null
end

complete -c delassus -a '(__delassus_candidates)'
