# Sourced by the other scripts: how they report. Colour only on a terminal, and not where NO_COLOR is set.

if [[ -t 1 && -z "${NO_COLOR:-}" ]]; then
    bold=$'\e[1m' plain=$'\e[0m'
else
    bold="" plain=""
fi

# What each step took: lines of tenths of a second and the step, in the order of steps.
steps_taken=""
step_name=""

# step TEXT: what is done next.
step() {
    end_step
    step_name="$1" step_begun="${EPOCHREALTIME/[.,]/}"
    printf '%s==> %s%s\n' "$bold" "$1" "$plain"
}

end_step() {
    [[ -n "$step_name" ]] || return 0
    steps_taken+="$(((${EPOCHREALTIME/[.,]/} - step_begun) / 100000))"$'\t'"$step_name"$'\n'
    step_name=""
}

# all_done TEXT: the last word of a script, and what each of its steps took, slowest first.
all_done() {
    end_step
    printf '%s==> %s%s\n' "$bold" "$1" "$plain"
    printf '%s' "$steps_taken" | sort -s -rn -k 1,1 |
        awk -F '\t' '{ total += $1; printf "%8.1f s  %s\n", $1 / 10, $2 } END { printf "%8.1f s  in all\n", total / 10 }'
}

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
has_python() { python3 -c "import sys; sys.exit(sys.version_info < (3, 10))" 2>/dev/null; }
# The version is that of workers/go/go.mod.
has_go() {
    local wanted have
    wanted="$(sed -n 's/^go //p' workers/go/go.mod)"
    have="$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//')" || return 1
    [[ -n "$have" && "$(printf '%s\n' "$have" "$wanted" | sort -V | head -n 1)" == "$wanted" ]]
}

# The features of workers/rustls, of which a build has one.
readonly rustls_providers="aws-lc ring graviola"
