#!/bin/sh
# Draws the charts of docs/verification/fattah.md:  verification/fattah_pictures.sh PROGRAM FOLDER
set -e
lithe=$(realpath "$1")
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
run() { # name, model, further options
  name=$1 model=$2
  shift 2
  "$lithe" simulate "examples/fattah-$model.yaml" "$@" -o "$work/$name.h5" > /dev/null
}
draw() { # picture, columns, height of a panel, start of the time axis, results
  picture=$1 columns=$2 height=$3 from=$4
  shift 4
  files=""
  for name in "$@"; do files="$files $work/$name.h5"; done
  # shellcheck disable=SC2086
  "$lithe" plot $files --what "$columns" --height "$height" --from "$from" -o "$folder/fattah-$picture.svg" > /dev/null
}
run elastic two-arms --set run.every=0.001
cp "$work/elastic.h5" "$work/chord.h5"
run rigid two-arms --rigid --set run.every=0.001
run damped two-arms --set run.every=0.0005 --set run.until=0.7
run undamped two-arms --set run.every=0.0005 --set run.until=0.7 --set zeta=0
run tangent two-arms --set run.every=0.001 --set 'links.*.tip-rotation=tangent'
run defaults two-arms --set run.every=0.001 --set 'links.*.tip-rotation=tangent' --set 'links.*.stiffening=on'
draw e1-bar rot.object.origin.z,pos.object.origin.y 50 0 elastic rigid
draw e1-damping bending.link-1.tip.y,bending.link-3.tip.y 60 0.45 damped undamped
draw e1-conventions bending.link-1.tip.y 60 0 chord tangent defaults

run off 3rrr-fast --set run.every=0.0005 --set run.until=0.5
run on 3rrr-fast --set run.every=0.0005 --set run.until=0.5 --set 'links.*.stiffening=on'
draw e2-stiffening bending.link-1.tip.y,bending.link-4.tip.y 60 0 off on

run elastic 3rrr --set run.every=0.002
run rigid 3rrr --rigid --set run.every=0.002
draw e3-motors q.motor-1,q.motor-3,v.motor-1 50 0 elastic rigid

run slow 3rrs --set run.every=0.01
draw e5-tips bending.link-1.tip.y,bending.link-2.tip.y,bending.link-3.tip.y,bending.link-3.tip.z,bending.link-6.tip.z 70 0 slow
