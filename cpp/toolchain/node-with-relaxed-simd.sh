#!/bin/sh
# Node for code with relaxed SIMD: Node 20 has it behind a flag that newer versions, which have it
# on, refuse.
flag=--experimental-wasm-relaxed-simd
node "$flag" --eval '' 2>/dev/null || flag=
exec node $flag "$@"
