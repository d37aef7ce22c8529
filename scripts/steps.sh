# Sourced by the other scripts: how they report. Colour only on a terminal, and not where NO_COLOR is set.

if [[ -t 1 && -z "${NO_COLOR:-}" ]]; then
    bold=$'\e[1m' plain=$'\e[0m'
else
    bold="" plain=""
fi

# step TEXT: what is done next.
step() { printf '%s==> %s%s\n' "$bold" "$1" "$plain"; }

# note TEXT...: something the reader should know; the script goes on.
note() { printf '    %s\n' "$@"; }

# fail TEXT...: what is wrong and what to do; the script ends.
fail() {
    printf '%serror:%s %s\n' "$bold" "$plain" "$1" >&2
    shift
    [[ $# -eq 0 ]] || printf '       %s\n' "$@" >&2
    # 3: the environment, as in the program's own exit codes.
    exit 3
}

# has_openssl: whether the system's OpenSSL can be built against.
has_openssl() { pkg-config --exists libssl libcrypto 2>/dev/null; }

# has_program NAME: on the PATH, or where servers are, which the PATH of a user does not name.
has_program() { PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v "$1" >/dev/null; }

# What else a library or a worker can be built with.
has_cmake() { command -v cmake >/dev/null && command -v c++ >/dev/null; }
has_java() { command -v javac >/dev/null; }
has_node() { command -v node >/dev/null; }
# The version is that of workers/go/go.mod.
has_go() {
    local wanted have
    wanted="$(sed -n 's/^go //p' workers/go/go.mod)"
    have="$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//')" || return 1
    [[ -n "$have" && "$(printf '%s\n' "$have" "$wanted" | sort -V | head -n 1)" == "$wanted" ]]
}

# The features of workers/rustls, of which a build has one.
readonly rustls_providers="aws-lc ring graviola"
