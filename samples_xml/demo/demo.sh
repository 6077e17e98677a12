#!/bin/sh
# The four jobs of ovgather on one small model: a table of words, positions, a TopK whose indices reorder the tokens.
# `good.xml` is sound; `broken.xml` is the same model with six faults put in by hand, of which the demo shows three.
set -u
here=$(dirname "$0")
color=auto
[ -t 1 ] && color=always
failed=0

step() {
    printf '\n\033[1m%s\033[0m\n' "$1" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi
}

try() {
    expected=$1
    shift
    printf '$ %s\n\n' "$*"
    "$@"
    code=$?
    if [ "$code" != "$expected" ]; then
        printf 'exit code %s, expected %s\n' "$code" "$expected"
        failed=1
    fi
}

step "1. validate: what is wrong, where, and what OpenVINO would do with it"
try 1 ovgather validate "$here/broken.xml" --select OVG102,OVG203,OVG402 --color "$color"

step "2. infer: the output shape of each Gather layer, and where every dim comes from"
try 0 ovgather infer "$here/good.xml" --why --color "$color"

step "3. run: one layer, on the file's own constants and seeded random indices"
try 0 ovgather run "$here/good.xml" --layer sorted_tokens --color "$color"

step "4. crosscheck: every Gather layer as OpenVINO computes it, alone and inside the model, bit for bit"
try 0 ovgather crosscheck "$here/good.xml" "$here/nested.xml" --color "$color"

exit $failed
