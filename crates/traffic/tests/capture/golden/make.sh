#!/bin/sh
# Makes the captures in this folder anew: real handshakes on the loopback, as tcpdump sees them.
# Needs openssl (3.0 or later), tcpdump, and the right to capture. Usage: make.sh [FOLDER OF pki]
set -eu
cd "$(dirname "$0")"
pki=${1:-../../../../../pki}
port=14433
work=$(mktemp -d)
server= tcpdump=

finish() {
    for process in $server $tcpdump; do kill "$process" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
# An input of the server that does not end.
mkfifo "$work/input"
exec 3<>"$work/input"

# capture NAME KEY "SERVER OPTIONS" "CLIENT OPTIONS" ["CLIENT OPTIONS" of a second connection]
# The server answers as one of files, but for early data, which it only takes when it is told nothing of HTTP.
capture() {
    name=$1 key=$2 server_options=$3
    shift 3
    printf 'answer' >"$work/answer.txt"
    # shellcheck disable=SC2086
    (cd "$work" && exec openssl s_server -quiet -accept $port -cert "$cert_folder/$key/server-1.pem" \
        -key "$cert_folder/$key/server.key" $server_options) <"$work/input" >"$work/server.log" 2>&1 &
    server=$!
    tcpdump -q -U --immediate-mode -i lo -w "$work/$name.pcap" "tcp port $port" 2>"$work/tcpdump.log" &
    tcpdump=$!
    sleep 1
    for client_options in "$@"; do
        # shellcheck disable=SC2086
        { printf 'GET /answer.txt HTTP/1.0\r\n\r\n'; sleep 0.5; } |
            (cd "$work" && openssl s_client -connect 127.0.0.1:$port -servername server.test -CAfile "$cert_folder/$key/root.pem" $client_options) \
                >"$work/client.log" 2>&1 || true
    done
    sleep 0.5
    kill "$tcpdump"; wait "$tcpdump" 2>/dev/null || true
    kill "$server" || cat "$work/server.log"; wait "$server" 2>/dev/null || true
    server= tcpdump=
    cp "$work/$name.pcap" .
}
cert_folder=$(cd "$pki" && pwd)

capture tls12_full rsa-2048 "-WWW -tls1_2" "-tls1_2 -cipher ECDHE-RSA-AES128-GCM-SHA256 -groups X25519"
capture tls12_ticket ecdsa-p256 "-WWW -tls1_2" "-tls1_2 -sess_out s12" "-tls1_2 -sess_in s12"
capture tls12_session_id ecdsa-p256 "-WWW -tls1_2 -no_ticket" "-tls1_2 -no_ticket -sess_out i12" "-tls1_2 -no_ticket -sess_in i12"
capture tls12_rsa_key_exchange rsa-2048 "-WWW -tls1_2" "-tls1_2 -cipher AES128-SHA256"
capture tls13_full ecdsa-p256 "-WWW -tls1_3" "-tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256 -groups X25519"
capture tls13_psk ecdsa-p256 "-WWW -tls1_3" "-tls1_3 -sess_out s13" "-tls1_3 -sess_in s13"
printf 'GET /answer.txt HTTP/1.0\r\n\r\n' >"$work/early"
capture tls13_early_data ecdsa-p256 "-tls1_3 -early_data" "-tls1_3 -sess_out e13" "-tls1_3 -sess_in e13 -early_data early"
capture tls13_retry ecdsa-p256 "-WWW -tls1_3 -groups P-384" "-tls1_3 -groups X25519:P-384"
capture failed rsa-2048 "-WWW -tls1_2" "-tls1_3"
