#!/usr/bin/env bash
# Checks the files in pki/: marks, key format, validity, names, usages, chain lengths, signatures. Prints one line for
# each folder and ends non-zero at the first thing that is wrong. Needs the openssl command line, 3.0 or later.
set -euo pipefail
export LC_ALL=C

readonly pki="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly kinds=(rsa-2048 rsa-3072 rsa-4096 ecdsa-p256 ecdsa-p384 ed25519 ml-dsa-44 ml-dsa-65 ml-dsa-87)
readonly files="client.key client.pem root.pem server-1.pem server-2.pem server-3.pem server.key"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

main() {
    local kind
    for kind in "${kinds[@]}"; do
        here="$pki/$kind"
        [[ "$(cd "$here" && echo *)" == "$files" ]] || wrong "should hold exactly: $files"
        if ! known "$kind"; then
            echo "not checked: $kind, which this openssl does not know"
            continue
        fi
        check_key server
        check_key client
        check_algorithm "$kind"
        local certificates
        for certificates in 1 2 3; do
            check_chain "$certificates"
        done
        openssl verify -x509_strict -purpose sslclient -CAfile "$here/root.pem" "$here/client.pem" >/dev/null ||
            wrong "client.pem does not verify"
        same_key "$here/client.pem" client
        echo "fine $kind"
    done
    check_bundle
}

# Whether the openssl command line, which may be older than the key's kind, can read it.
known() { openssl pkey -in "$pki/$1/server.key" -noout 2>/dev/null; }

check_bundle() {
    here="$pki/ca-bundle.pem"
    [[ "$(openssl crl2pkcs7 -nocrl -certfile "$here" | openssl pkcs7 -print_certs | grep -c '^subject')" == 144 ]] ||
        wrong "does not hold 144 certificates"
    cmp -s <(openssl x509 -in "$pki/ecdsa-p256/server-2.pem" -outform DER) "$pki/certificate.der" ||
        wrong "certificate.der is not the first of ecdsa-p256/server-2.pem"
    echo "fine ca-bundle"
}

check_key() {
    local key="$here/$1.key"
    [[ "$(head -n 1 "$key")" == "tlstax TEST KEY - public, never use it for anything" ]] || wrong "$1.key has no mark"
    grep -q -- '-----BEGIN PRIVATE KEY-----' "$key" || wrong "$1.key is not PKCS#8"
    openssl pkey -in "$key" -check -noout >/dev/null || wrong "$1.key is not a sound key"
}

# Every certificate of a folder, whoever it belongs to, has a key of the folder's kind.
check_algorithm() {
    local expected pem part
    case "$1" in
    rsa-*) expected="Public-Key: (${1#rsa-} bit)" ;;
    ecdsa-p256) expected="NIST CURVE: P-256" ;;
    ecdsa-p384) expected="NIST CURVE: P-384" ;;
    ed25519) expected="ED25519 Public-Key" ;;
    ml-dsa-*) expected="${1^^} Public-Key" ;;
    esac
    for pem in "$here"/*.pem; do
        split "$pem"
        for part in "$scratch"/part-*; do
            openssl x509 -in "$part" -noout -text | grep -qF "$expected" || wrong "${pem##*/}: a key is not $1"
            check_certificate "$part" "${pem##*/}"
        done
    done
}

check_certificate() {
    local text
    text="$(openssl x509 -in "$1" -noout -text -dates)"
    local line
    for line in "Version: 3 (0x2)" "CN = tlstax TEST ONLY" "notBefore=Jan  1 00:00:00 2020 GMT" \
        "notAfter=Dec 31 23:59:59 2099 GMT" "X509v3 Basic Constraints: critical" "X509v3 Key Usage: critical"; do
        # OpenSSL 3.2 and later print the name without spaces around the sign.
        grep -qF -e "$line" -e "${line/CN = /CN=}" <<<"$text" || wrong "$2: no \"$line\""
    done
}

# check_chain N: server-N.pem has N certificates, in order, without the root, for the names, and with the server's key.
check_chain() {
    local chain="$here/server-$1.pem" name
    [[ "$(grep -c 'BEGIN CERTIFICATE' "$chain")" == "$1" ]] || wrong "server-$1.pem has not $1 certificate(s)"
    for name in "-verify_hostname server.test" "-verify_hostname localhost" "-verify_ip 127.0.0.1"; do
        # shellcheck disable=SC2086 # an option and its value
        openssl verify -x509_strict -purpose sslserver $name -CAfile "$here/root.pem" -untrusted "$chain" "$chain" \
            >/dev/null || wrong "server-$1.pem does not verify with $name"
    done
    same_key "$chain" server
    check_order "$chain"
}

# `openssl verify` finds issuers in any order; TLS stacks expect each certificate to be signed by the next.
check_order() {
    split "$1"
    local part wanted=""
    for part in "$scratch"/part-* "$here/root.pem"; do
        local subject
        subject="$(openssl x509 -in "$part" -noout -subject | cut -d= -f2-)"
        [[ -z "$wanted" || "$subject" == "$wanted" ]] || wrong "${1##*/}: out of order at $subject"
        wanted="$(openssl x509 -in "$part" -noout -issuer | cut -d= -f2-)"
    done
}

same_key() {
    [[ "$(openssl x509 -in "$1" -noout -pubkey)" == "$(openssl pkey -in "$here/$2.key" -pubout)" ]] ||
        wrong "${1##*/} is not for $2.key"
}

split() {
    rm -f "$scratch"/part-*
    awk -v into="$scratch/part-" '/BEGIN CERTIFICATE/ { n++ } n { print > (into n) }' "$1"
}

wrong() {
    echo "pki: ${here##*/}: $1; run pki/make.sh to make it anew" >&2
    exit 1
}

main
