#!/bin/bash
# Starts the worker: this file is a launcher with a jar behind it. README.md says why each flag is there.
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
command -v "$java" >/dev/null || { echo "no java: install a JRE (17 or later) or set JAVA_HOME" >&2; exit 1; }

flags=(-XX:+UseSerialGC -Xms256m -Xmx1g -Xmn64m -Xshare:auto -XX:-UsePerfData -XX:-UseDynamicNumberOfCompilerThreads)
for feature in ${TLSTAX_WITHOUT//,/ }; do
    case $feature in
        aes) flags+=(-XX:-UseAES) ;;
        clmul) flags+=(-XX:-UseCLMUL) ;;
        avx512) flags=(-XX:UseAVX=2 "${flags[@]}") ;;
        avx2) flags+=(-XX:UseAVX=1) ;;
    esac
done
exec "$java" "${flags[@]}" -jar "$0" "$@"
exit 1
