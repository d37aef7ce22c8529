#!/usr/bin/env bash
# Makes the test certificates and keys in pki/ anew: all of them, or the parts that are named (`pki/make.sh ml-dsa-65
# ca-bundle`). Needs the openssl command line, 3.0 or later, and for ML-DSA 3.5 or later; OPENSSL names another program.
# Private keys of the root and the intermediates live in a temporary directory and are gone when the script ends.
set -euo pipefail
export LC_ALL=C

readonly pki="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly roots=144
readonly mark="tlstax TEST KEY - public, never use it for anything"
readonly program="${OPENSSL:-openssl}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# The system's program may be older than ML-DSA.
openssl() { command "$program" "$@"; }

main() {
    local parts=("$@") part
    [[ $# -gt 0 ]] || parts=(rsa-2048 rsa-3072 rsa-4096 ecdsa-p256 ecdsa-p384 ed25519 ml-dsa-44 ml-dsa-65 ml-dsa-87
        ca-bundle)
    for part in "${parts[@]}"; do
        # ML-DSA and Ed25519 hash by themselves; "default" makes openssl pass no digest.
        case "$part" in
        rsa-*) make_folder "$part" sha256 -algorithm RSA -pkeyopt "rsa_keygen_bits:${part#rsa-}" ;;
        ecdsa-p256) make_folder "$part" sha256 -algorithm EC -pkeyopt ec_paramgen_curve:P-256 ;;
        ecdsa-p384) make_folder "$part" sha384 -algorithm EC -pkeyopt ec_paramgen_curve:P-384 ;;
        ed25519) make_folder "$part" default -algorithm ED25519 ;;
        ml-dsa-*) make_folder "$part" default -algorithm "${part^^}" ;;
        ca-bundle) make_bundle ;;
        *) echo "there is no part $part" >&2; exit 2 ;;
        esac
    done
}

# Roots as a client has them: as many as Mozilla's list had in 2025, and its mixture of keys. A key is used for several
# names, each with a key identifier of its own, by which some libraries tell roots apart.
make_bundle() {
    local kinds=(rsa-4096 rsa-4096 rsa-4096 ecdsa-p384 rsa-2048 rsa-4096 ecdsa-p384 rsa-2048 rsa-4096 ecdsa-p256)
    local number kind name=ca-bundle
    work="$scratch/$name"
    mkdir -p "$work"
    write_configuration sha256
    openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:4096 -out "$work/rsa-4096.key" 2>/dev/null
    openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/rsa-2048.key" 2>/dev/null
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out "$work/ecdsa-p384.key" 2>/dev/null
    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/ecdsa-p256.key" 2>/dev/null
    : >"$scratch/bundle.pem"
    for ((number = 1; number <= roots; number++)); do
        kind="${kinds[number % ${#kinds[@]}]}"
        cp "$work/$kind.key" "$work/root.key"
        sed -i "/^\[root\]/,/^\[/ s/^subjectKeyIdentifier = .*/subjectKeyIdentifier = $(printf '%040x' "$number")/" "$work/ca.cnf"
        certify root root root "bundled root $number" -selfsign
        cat "$work/root.pem" >>"$scratch/bundle.pem"
    done
    cp "$scratch/bundle.pem" "$pki/ca-bundle.pem"
    openssl x509 -in "$pki/ecdsa-p256/server-2.pem" -outform DER -out "$pki/certificate.der"
    chmod 644 "$pki/ca-bundle.pem" "$pki/certificate.der"
    echo "made ca-bundle"
}

# make_folder NAME DIGEST GENPKEY-ARGUMENTS...: all files of one kind of key.
make_folder() {
    local name="$1" digest="$2" out="$pki/$1"
    shift 2
    work="$scratch/$name"
    mkdir -p "$work" "$out"
    write_configuration "$digest"

    local who
    for who in root intermediate-1 intermediate-2 server client; do
        openssl genpkey "$@" -out "$work/$who.key" 2>/dev/null
    done

    certify root root root "root $name" -selfsign
    certify intermediate-1 intermediate-1 root "intermediate 1 $name"
    certify intermediate-2 intermediate-2 intermediate-1 "intermediate 2 $name"
    # The three leaves share one key, so that chains differ in nothing but their length.
    certify server-1 server root "server $name"
    certify server-2 server intermediate-1 "server $name"
    certify server-3 server intermediate-2 "server $name"
    certify client client root "client $name"

    cp "$work/root.pem" "$work/client.pem" "$work/server-1.pem" "$out/"
    cat "$work/server-2.pem" "$work/intermediate-1.pem" >"$out/server-2.pem"
    cat "$work/server-3.pem" "$work/intermediate-2.pem" "$work/intermediate-1.pem" >"$out/server-3.pem"
    for who in server client; do
        { echo "$mark"; cat "$work/$who.key"; } >"$out/$who.key"
    done
    chmod 644 "$out"/*
    echo "made $name"
}

# certify FILE SUBJECT ISSUER NAME [ARGUMENTS...]: FILE.pem for SUBJECT.key, signed with ISSUER's key.
# `openssl ca`, because `x509` cannot set the first day of validity before OpenSSL 3.4.
certify() {
    local file="$1" subject="$2" issuer="$3" name="$4"
    shift 4
    openssl req -new -config "$work/ca.cnf" -key "$work/$subject.key" -subj "/CN=tlstax TEST ONLY $name" \
        -out "$work/request.pem"
    local signer=(-keyfile "$work/$issuer.key")
    # A self-signed certificate has no issuer's certificate to read.
    [[ "$subject" == "$issuer" ]] || signer+=(-cert "$work/$issuer.pem")
    openssl ca -batch -notext -config "$work/ca.cnf" -extensions "$subject" "${signer[@]}" "$@" \
        -startdate 20200101000000Z -enddate 20991231235959Z -in "$work/request.pem" -out "$work/$file.pem" \
        2>"$work/log" || { cat "$work/log" >&2; exit 1; }
}

# write_configuration DIGEST: what `openssl ca` needs; one section of extensions for each subject.
write_configuration() {
    mkdir "$work/issued"
    : >"$work/index"
    cat >"$work/ca.cnf" <<CONFIGURATION
[ca]
default_ca = test
[test]
database = $work/index
new_certs_dir = $work/issued
default_md = $1
unique_subject = no
rand_serial = yes
policy = any
[any]
commonName = supplied
[req]
distinguished_name = empty
[empty]
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[intermediate-1]
basicConstraints = critical, CA:true, pathlen:1
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[intermediate-2]
basicConstraints = critical, CA:true, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[server]
basicConstraints = critical, CA:false
keyUsage = critical, $(server_usage)
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:server.test, DNS:localhost, IP:127.0.0.1
[client]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = clientAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
CONFIGURATION
}

# RSA key transport (TLS_RSA_*) is refused by strict peers unless the key may encipher keys.
server_usage() {
    case "$work" in
    */rsa-*) echo "digitalSignature, keyEncipherment" ;;
    *) echo "digitalSignature" ;;
    esac
}

main "$@"
