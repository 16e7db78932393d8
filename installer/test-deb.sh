#!/usr/bin/env bash
# Builds the .deb, installs it, uses it as a user would, removes it again. Needs root, or sudo without a password.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
source scripts/setup.sh
need test pictures package
installer/package.sh
deb=$(ls "$PWD"/installer/target/*.deb)
root=
[ "$(id -u)" = 0 ] || root="sudo -n"
work=$(mktemp -d)
export XDG_CONFIG_HOME=$work/config # What this opens is not what the user had open last.

fail() { echo "installer: $*" >&2; exit 1; }
cleanup() {
    $root dpkg --purge lacuna >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap cleanup EXIT

$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$deb" </dev/null >/dev/null || fail "the package does not install"
[ -x "$(command -v lacuna)" ] || fail "lacuna is not on the PATH"
[ -s /usr/share/applications/lacuna.desktop ] || fail "there is no desktop entry"
for notice in copyright THIRD-PARTY-NOTICES lacuna.cdx.json; do
    [ -s "/usr/share/doc/lacuna/$notice" ] || fail "there is no $notice"
done
found=$(lintian --allow-root "$deb" 2>&1 | grep '^[EW]:' || true)
[ -z "$found" ] || fail "lintian finds what installer/resources/lintian-overrides does not explain: $found"
python3 -c 'import json; assert len(json.load(open("/usr/share/doc/lacuna/lacuna.cdx.json"))["components"]) > 10' || fail "the bill of materials lists nothing"
dpkg-query -W -f '${Description}' lacuna | grep -q fragments || fail "the package does not describe itself"
[ -s /usr/share/icons/hicolor/256x256/apps/lacuna.png ] || fail "there is no icon"

cd "$work"
lacuna --version | grep -q '^lacuna ' || fail "--version says nothing"
seed='RuntimeError: NPU out of memory. Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)'
echo "$seed" >seed.log
lacuna diagnose --json - <seed.log | grep -q '"cause":"fragmentation"' || fail "diagnose gives no verdict"
for page in lacuna lacuna-run lacuna-diagnose; do
    man -w "$page" >/dev/null 2>&1 || [ -s /usr/share/man/man1/$page.1.gz ] || fail "there is no manual page of $page"
done
bash -c 'source /usr/share/bash-completion/completions/lacuna && complete -p lacuna' >/dev/null || fail "bash does not complete it"
[ ! -x "$(command -v desktop-file-validate)" ] || desktop-file-validate /usr/share/applications/lacuna.desktop || fail "the desktop entry is not valid"

# A training under `lacuna run`, without anything of ours in the environment; where this machine has PyTorch.
status=0
lacuna run -- sh -c 'exit 7' 2>run.err || status=$?
[ "$status" = 7 ] || { cat run.err; fail "lacuna run ends with status $status, not 7"; }
if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
    echo 'import torch; kept = torch.ones(1 << 20); print(len(kept))' >train.py
    env -u PYTHONPATH lacuna run --capacity 1GiB -- /usr/bin/python3 train.py >run.out 2>run.err || { cat run.err; fail "a training fails under lacuna run"; }
    [ "$(cat run.out)" = 1048576 ] && grep -q 'allocated 4 MiB' run.err || { cat run.out run.err; fail "lacuna run does not find its libraries"; }
fi
lacuna demo --no-window --workload builtin --steps 3 >samples.jsonl 2>demo.err || { cat demo.err >&2; fail "demo failed"; }
[ "$(wc -l <samples.jsonl)" -ge 2 ] || fail "demo printed no samples"

# The window must draw: an empty screen holds one colour, a drawn window many.
xvfb-run -a -s "-screen 0 1440x900x24" bash -c '
    lacuna seed.log >window.log 2>&1 & pid=$!
    for i in $(seq 1 60); do
        sleep 0.5
        import -window root shot.png 2>/dev/null || xwd -root -silent 2>/dev/null | convert xwd:- shot.png
        [ "$(identify -format %k shot.png)" -gt 50 ] && { kill $pid; wait $pid; exit 0; }
    done
    kill $pid; exit 1' || { cat window.log >&2; fail "the window was not drawn within 30 s"; }
echo "installer: the package installs, works and draws its window"
echo "1 passed, 0 failed"
