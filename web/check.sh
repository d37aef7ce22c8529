#!/bin/sh
# Opens a report page in a headless Chromium and checks that its charts were drawn and nothing was asked of a network; of a page
# with claims also what claims.mjs checks, and of one with a slider what slider.mjs checks, where there is a Node.js.
#   web/check.sh PAGE.html
# Without a Chromium there is nothing to check with: it says so and exits with 0.
set -eu

page=${1:?usage: web/check.sh PAGE.html}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "web/check.sh: no Chromium here, the page was not opened (apt-get install chromium)"
    exit 0
fi

profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
page=$(cd "$(dirname "$page")" && pwd)/$(basename "$page")
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$profile" --virtual-time-budget=5000 --window-size=1280,2000 \
    --dump-dom "file://$page" >"$profile/dom.html" 2>"$profile/log"

charts=$(grep -c 'class="chart"' "$page" || true)
drawn=$(grep -o '<div class="chart"[^>]*_echarts_instance_' "$profile/dom.html" | wc -l)
hidden=$(grep -c 'class="chart"[^>]* hidden' "$profile/dom.html" || true)
bars=$(grep -o '<path' "$profile/dom.html" | wc -l)
echo "$charts charts in the page, $drawn drawn, $hidden still hidden, $bars paths"
if grep -q 'Uncaught' "$profile/log"; then
    grep 'Uncaught' "$profile/log" >&2
    exit 1
fi
if grep -q '<section id="claims">' "$page" && command -v node >/dev/null; then
    node "$(dirname "$0")/check/claims.mjs" "$browser" "$page"
fi
if grep -q '<form class="slider"' "$page" && command -v node >/dev/null; then
    node "$(dirname "$0")/check/slider.mjs" "$browser" "$page"
fi
[ "$charts" -eq "$drawn" ] && [ "$hidden" -eq 0 ] && { [ "$charts" -eq 0 ] || [ "$bars" -gt "$charts" ]; }
