#!/usr/bin/env bash
# deb.sh STAGE OUT: the .deb of what is laid out in STAGE, by dpkg-deb.
set -euo pipefail
readonly stage="$1" out="$2"
readonly root="$out/deb"

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
architecture="$(dpkg --print-architecture)"
# The oldest glibc that has all that the programs ask for.
glibc="$(scripts/package/glibc.sh "$stage"/bin/tlstax "$stage"/share/tlstax/target/workers/bin/*)"

rm -rf "$root"
mkdir -p "$root/DEBIAN" "$root/usr/share/doc/tlstax"
cp -r "$stage"/* "$root/usr/"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$root/usr/share/doc/tlstax/"
cat >"$root/DEBIAN/control" <<CONTROL
Package: tlstax
Version: $version
Architecture: $architecture
Maintainer: tlstax <https://github.com/tlstax/tlstax/issues>
Section: net
Priority: optional
Depends: libc6 (>= $glibc), libgcc-s1
Recommends: libssl3 | libssl3t64
Suggests: libgnutls30 | libgnutls30t64, libnss3, nginx, apache2, haproxy, default-jre-headless, nodejs
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Homepage: https://github.com/tlstax/tlstax
Description: tells people what TLS costs them
 tlstax measures what TLS costs on this machine: ciphers, signatures, handshakes, bytes, requests over HTTP and
 HTTPS, with client and server told apart; finds it in running servers, predicts what a change will do, and
 checks the prediction.
CONTROL
dpkg-deb --root-owner-group -Zxz --build "$root" "$out" >/dev/null
rm -rf "$root"
