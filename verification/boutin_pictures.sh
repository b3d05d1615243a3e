#!/bin/sh
# Draws the charts of docs/verification/boutin.md:  verification/boutin_pictures.sh PROGRAM FOLDER
set -e
lithe=$(realpath "$1")
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
examples=$(realpath examples)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
run() { # name, verb, model, further options
  name=$1 verb=$2 model=$3
  shift 3
  "$lithe" "$verb" "$model" "$@" -o "$work/$name.h5" > /dev/null
}
draw() { # picture, columns, height of a panel, start and end of the time axis, results
  picture=$1 columns=$2 height=$3 from=$4 until=$5
  shift 5
  files=""
  for name in "$@"; do files="$files $work/$name.h5"; done
  # shellcheck disable=SC2086
  "$lithe" plot $files --what "$columns" --height "$height" --from "$from" --until "$until" \
    -o "$folder/boutin-$picture.svg" > /dev/null
}
crane=$examples/boutin-crane.yaml single=$examples/boutin-crane-single.yaml

run forces inverse "$examples/boutin-crane-full.yaml" --every 0.1
draw forces 'tau.actuator-*' 70 0 20 forces

run wanted kinematics "$crane" --set modes=0 --until 5
for sample in 0.1 0.01; do # force tables, played back without feedback
  "$lithe" inverse "$crane" --set modes=0 --until 5 --every $sample --csv "$work/forces.csv" > /dev/null
  {
    echo "lithe: 1"
    echo "include: $crane"
    echo "parameters: {modes: 0}"
    echo "drives:"
    for k in 1 2; do echo "  actuator-$k: {force: {table: {file: forces.csv, column: tau.actuator-$k}}}"; done
  } > "$work/open-loop.yaml"
  until=3.8
  [ $sample = 0.01 ] && until=4.6
  run "table-$sample" simulate "$work/open-loop.yaml" --until $until
done
draw divergence v.actuator-1,v.actuator-2 60 2 4.6 wanted table-0.1 table-0.01

run feedback simulate "$crane" --every 0.02
run imposed simulate "$examples/reference/boutin-crane-imposed.yaml" --every 0.02
draw modes q.boom.e1,q.boom.e2 60 0 30 feedback imposed

run alone simulate "$single" --every 0.02
run springs simulate "$single" --every 0.02 --set kp=5000 --set kd=5000
run material simulate "$single" --every 0.02 --set damping=0.0012
draw single v.boom.e1 70 18 30 alone springs material
