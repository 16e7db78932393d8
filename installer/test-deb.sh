#!/usr/bin/env bash
# Builds the .deb, installs it, uses it as a user would, removes it again. Needs root, or sudo without a password.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
installer/package.sh
deb=$(ls "$PWD"/installer/target/*.deb)
root=
[ "$(id -u)" = 0 ] || root="sudo -n"

fail() { echo "installer: $*" >&2; exit 1; }
cleanup() { $root dpkg --purge lacuna >/dev/null 2>&1 || true; }
trap cleanup EXIT

$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$deb" </dev/null >/dev/null || fail "the package does not install"
[ -x "$(command -v lacuna)" ] || fail "lacuna is not on the PATH"
[ -s /usr/share/applications/lacuna.desktop ] || fail "there is no desktop entry"
[ -s /usr/share/icons/hicolor/256x256/apps/lacuna.png ] || fail "there is no icon"

work=$(mktemp -d)
cd "$work"
lacuna --version | grep -q '^lacuna ' || fail "--version says nothing"
seed='RuntimeError: NPU out of memory. Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)'
echo "$seed" | lacuna diagnose --json - | grep -q '"cause":"fragmentation"' || fail "diagnose gives no verdict"
lacuna demo --no-window --workload builtin --steps 3 >samples.jsonl 2>demo.err || { cat demo.err >&2; fail "demo failed"; }
[ "$(wc -l <samples.jsonl)" -ge 2 ] || fail "demo printed no samples"

# The window must draw: an empty screen holds one colour, a drawn window many.
xvfb-run -a -s "-screen 0 1440x900x24" bash -c '
    lacuna >window.log 2>&1 & pid=$!
    for i in $(seq 1 60); do
        sleep 0.5
        import -window root shot.png 2>/dev/null || xwd -root -silent 2>/dev/null | convert xwd:- shot.png
        [ "$(identify -format %k shot.png)" -gt 50 ] && { kill $pid; wait $pid; exit 0; }
    done
    kill $pid; exit 1' || { cat window.log >&2; fail "the window was not drawn within 30 s"; }
echo "installer: the package installs, works and draws its window"
echo "1 passed, 0 failed"
