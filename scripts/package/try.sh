#!/usr/bin/env bash
# As root: installs the packages in a clean Debian 12 without compilers, in a chroot, and measures there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/steps.sh

readonly packages=target/packages root=target/packages/root
# What a minimal system lacks: the library that is measured, and Python for the wheel.
readonly include=libssl3,python3,python3-venv

main() {
    [[ $EUID -eq 0 ]] || fail "a chroot needs root" "sudo scripts/package/try.sh"
    command -v debootstrap >/dev/null || { step "installing debootstrap"; apt-get install --quiet=2 --yes debootstrap; }
    step "a clean Debian 12"
    clean_root
    trap leave EXIT
    mount -t proc proc "$root/proc"
    mount -t sysfs sysfs "$root/sys"
    mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
    inside sh -c '! command -v cc cargo gcc'
    step "the .deb, installed and measured"
    cp "$packages"/*.deb "$root/tmp/tlstax.deb"
    local begun=$SECONDS
    inside dpkg --install /tmp/tlstax.deb
    inside tlstax measure quick --budget 30s --output /tmp/quick.json
    note "installed and measured in $((SECONDS - begun)) s"
    inside tlstax check || true
    inside tlstax libraries
    inside dpkg --purge tlstax
    step "the wheel, installed and measured"
    cp "$packages"/*.whl "$root/tmp/"
    inside sh -c 'python3 -m venv /tmp/env && /tmp/env/bin/pip install --quiet --no-index /tmp/tlstax-*.whl'
    inside /tmp/env/bin/tlstax speed sha256 --budget 5s --output /tmp/speed.json
    inside sh -c '! find /tmp/env -name "libssl*" -o -name "libcrypto*" | grep .'
    all_done "installed and measured in a clean root"
}

clean_root() {
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    local mirror
    mirror="$(apt-get indextargets --format '$(SITE)' | grep -v security | head -n 1)"
    debootstrap --variant=minbase --include="$include" bookworm "$root" "$mirror" >"$packages/debootstrap.log" ||
        fail "debootstrap failed" "its log is $packages/debootstrap.log"
}

inside() { chroot "$root" "$@"; }

leave() {
    local place
    for place in dev sys proc; do umount --lazy "$root/$place" 2>/dev/null || true; done
    rm -rf --one-file-system "$root"
}

main
