#!/usr/bin/env bash
# Builds the Debian packages and looks at their contents and dependencies. Arguments: cpack, build folder, version.
set -euo pipefail
cpack=$1 build=$2 version=$3
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# Not compressed: that is half of the time, and the same for every content.
(cd "$build" && "$cpack" -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=none -B "$scratch" >"$scratch/log" 2>&1) || { cat "$scratch/log"; exit 1; }
architecture=$(dpkg --print-architecture)
expect() {  # what, text, pattern
  grep -qE -- "$3" <<<"$2" || { echo "$1 lacks '$3':"; echo "$2"; exit 1; }
}

development=$scratch/liblithe-dev_${version}_$architecture.deb
contents=$(dpkg-deb --contents "$development")
expect "liblithe-dev" "$contents" '/usr/include/lithe/version\.hpp$'
expect "liblithe-dev" "$contents" '/usr/lib/.*liblithe\.a$'
expect "liblithe-dev" "$contents" '/cmake/lithe/lithe-config\.cmake$'
expect "liblithe-dev" "$contents" '/usr/include/lithe/lithe\.hpp$'
expect "liblithe-dev" "$contents" '/pkgconfig/lithe\.pc$'
expect "liblithe-dev" "$contents" '/usr/share/doc/liblithe-dev/copyright$'
expect "Recommends of liblithe-dev" "$(dpkg-deb --field "$development" Recommends)" '\bpkg-config\b'
depends=$(dpkg-deb --field "$development" Depends)
for package in libeigen3-dev libfmt-dev libyaml-cpp-dev libsundials-dev libhdf5-103-1 libtinyxml-dev liblapack3; do
  expect "Depends of liblithe-dev" "$depends" "\\b$package\\b"
done

program=$scratch/lithe_${version}_$architecture.deb
contents=$(dpkg-deb --contents "$program")
expect "lithe" "$contents" '/usr/bin/lithe$'
expect "lithe" "$contents" '/usr/share/lithe/examples/.*\.yaml$'
expect "lithe" "$contents" '/usr/share/bash-completion/completions/lithe$'
expect "lithe" "$contents" '/usr/share/zsh/vendor-completions/_lithe$'
expect "lithe" "$contents" '/usr/share/fish/vendor_completions\.d/lithe\.fish$'
expect "lithe" "$contents" '/usr/share/lithe/examples/starters/five-bar\.yaml$'
expect "lithe" "$contents" '/usr/share/man/man1/lithe\.1(\.gz)?$'
expect "lithe" "$contents" '/usr/share/doc/lithe/copyright$'
expect "Recommends of lithe" "$(dpkg-deb --field "$program" Recommends)" '\blibrsvg2-bin\b'
expect "Maintainer of lithe" "$(dpkg-deb --field "$program" Maintainer)" '^[^<]+ <[^@ ]+@[^@ ]+>$'
depends=$(dpkg-deb --field "$program" Depends)
for library in libc6 libstdc\\+\\+6 libfmt9 libyaml-cpp0 libhdf5 libsundials libtinyxml liblapack; do
  expect "Depends of lithe" "$depends" "\\b$library"
done

if grep -q '^LITHE_PYTHON_MODULE:BOOL=ON' "$build/CMakeCache.txt"; then
  module=$scratch/python3-lithe_${version}_$architecture.deb
  contents=$(dpkg-deb --contents "$module")
  expect "python3-lithe" "$contents" '/usr/lib/python3/dist-packages/lithe/_lithe\.cpython-.*\.so$'
  expect "python3-lithe" "$contents" '/usr/lib/python3/dist-packages/lithe/__init__\.pyi$'
  expect "python3-lithe" "$contents" '/usr/share/doc/python3-lithe/copyright$'
  depends=$(dpkg-deb --field "$module" Depends)
  for library in libc6 libfmt9 libhdf5 libsundials python3-numpy python3; do
    expect "Depends of python3-lithe" "$depends" "\\b$library"
  done
  dpkg-deb --extract "$module" "$scratch/python"
  PYTHONPATH=$scratch/python/usr/lib/python3/dist-packages /usr/bin/python3 -c \
    "import lithe; assert lithe.__version__ == '$version' and lithe.__file__.startswith('$scratch')"
fi

# The packaged program runs and knows its version.
dpkg-deb --extract "$program" "$scratch/root"
expect "lithe --version" "$("$scratch/root/usr/bin/lithe" --version)" "^lithe $version\$"
"$scratch/root/usr/bin/lithe" check "$scratch/root/usr/share/lithe/examples/four-bar.yaml" >/dev/null
"$scratch/root/usr/bin/lithe" new serial-arm -o "$scratch/arm.yaml" >/dev/null
"$scratch/root/usr/bin/lithe" check "$scratch/arm.yaml" >/dev/null
