#!/usr/bin/env bash
# wheel.sh STAGE OUT: the wheel of what is laid out in STAGE: the program and its files in the environment's bin and share, and the Python
# package. Packed by the package "wheel", which goes into an environment of its own.
set -euo pipefail
readonly stage="$1" out="$2"
readonly tools=target/tools/python

[[ -x "$tools/bin/wheel" ]] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet wheel==0.45.1; }
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
glibc="$(scripts/package/glibc.sh "$stage"/bin/tlstax "$stage"/share/tlstax/target/workers/bin/*)"
tag="py3-none-manylinux_${glibc/./_}_$(uname -m)"

readonly root="$out/wheel"
readonly name="tlstax-$version"
rm -rf "$root"
mkdir -p "$root/$name.data/scripts" "$root/$name.data/data" "$root/$name.dist-info"
cp "$stage/bin/tlstax" "$root/$name.data/scripts/"
cp -r "$stage/share" "$root/$name.data/data/"
if [[ -d python/src/tlstax ]]; then
    git ls-files -z -- python/src/tlstax | tar --null --files-from=- --create | tar --extract --directory "$root" --strip-components 2
fi
cp LICENSE-APACHE LICENSE-MIT "$root/$name.dist-info/"
cat >"$root/$name.dist-info/METADATA" <<METADATA
Metadata-Version: 2.1
Name: tlstax
Version: $version
Summary: Tells what TLS costs: measures it, explains it, compares it
License: MIT OR Apache-2.0
Requires-Python: >=3.10
Project-URL: Source, https://github.com/tlstax/tlstax
Provides-Extra: pandas
Requires-Dist: pandas; extra == 'pandas'
Provides-Extra: polars
Requires-Dist: polars; extra == 'polars'
Provides-Extra: arrow
Requires-Dist: pyarrow; extra == 'arrow'
Provides-Extra: plot
Requires-Dist: altair; extra == 'plot'
METADATA
cat >"$root/$name.dist-info/WHEEL" <<WHEEL
Wheel-Version: 1.0
Generator: tlstax scripts/package/wheel.sh
Root-Is-Purelib: false
Tag: $tag
WHEEL
"$tools/bin/wheel" pack --dest-dir "$out" "$root" >/dev/null
rm -rf "$root"
