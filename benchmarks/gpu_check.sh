#!/usr/bin/env bash
# Checks the ChatTTS engine on a GPU, in less than 8 minutes: the codes of the processor, a real shortage of memory, and
# the speed against the ChatTTS package. Prints a short table; the whole log is ${OUT:-build/gpu_check}/log.
# Without a GPU it runs the same on the processor, with tiny sizes, and says so: that proves the script, not the engine.
#
#     benchmarks/gpu_check.sh                     with .venv/bin/python
#     PYTHON=python3 benchmarks/gpu_check.sh      with another that has the dependencies
set -uo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-.venv/bin/python}
command -v "$python" >/dev/null || { echo "gpu_check: no $python; run \`make env\` or set PYTHON" >&2; exit 2; }
out=${OUT:-build/gpu_check}
mkdir -p "$out"
log=$out/log
table=$out/table
: >"$log"
: >"$table"
export PYTHONUNBUFFERED=1 PYTHONPATH=$PWD${PYTHONPATH:+:$PYTHONPATH}
failed=0

# step LIMIT NAME COMMAND…: what it prints goes into the table, what it reports on the way into the log
step() {
    local limit=$1 name=$2 code=0
    shift 2
    echo "== $name" | tee -a "$log" >>"$table"
    echo "gpu_check: $name, at most $limit s" >&2
    timeout "$limit" "$@" 2>>"$log" | tee -a "$log" >>"$table" || code=$?
    if [ "$code" -ne 0 ]; then
        failed=1
        echo "FAIL  exit code $code$([ "$code" -eq 124 ] && echo ", over the time limit")" | tee -a "$log" >>"$table"
    fi
}

if "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>>"$log"; then
    step 120 "parity and memory, tiny model, on the GPU" "$python" benchmarks/parity.py --device cuda
    step 180 "speed, 16 rows, on the GPU" "$python" benchmarks/decode.py --device cuda --rows 16 --model "$out/model"
    step 150 "speed, 64 rows, on the GPU" "$python" benchmarks/decode.py --device cuda --rows 64 --model "$out/model"
    rm -rf "$out/model"
else
    echo "no GPU here: the same on the processor with tiny sizes; the numbers say nothing about a GPU" | tee -a "$log" >>"$table"
    step 180 "parity and memory, tiny model, on the processor" "$python" benchmarks/parity.py --device cpu
    step 120 "speed, tiny model, on the processor" "$python" benchmarks/decode.py --size tiny --repeats 1
fi

cat "$table"
echo "whole log: $log"
exit "$failed"
