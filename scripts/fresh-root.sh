#!/usr/bin/env bash
# Goes a new user's way in a fresh Debian: makes a root with nothing in it, clones this repository's HEAD there, does what
# README.md says, and waits for the first sample of a training. Needs root and debootstrap; some 5 GB and 10 minutes.
#   scripts/fresh-root.sh RELEASE     bookworm, trixie or testing
#     --keep       leave the root where it is, and say where
#     --reuse      copy this machine's Maven repository into it: quicker, and silent on whether Maven can fetch what it needs
#     --in DIR     make the root in this folder (/var/tmp)
#     --deb FILE   install this package there instead (installer/package.sh makes it), and train under `lacuna run`
# Packages come from $MIRROR, or from where this machine's apt has its own. Ends with 0 when the sample came, 1 when it did
# not, 77 (and one line that says why) when this machine or its mirror cannot be asked.
set -uo pipefail
top=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
release='' keep=no reuse=no folder=/var/tmp deb=''
root='' child=''

say() { printf 'fresh root %s: %s\n' "$release" "$*"; }
fail() { say "FAILED: $*"; exit 1; }
skip() { say "skipped: $*"; exit 77; }

# Nothing is mounted outside the mount namespace of inside(): what is removed here is the root's own files. Looked at all
# the same, since what a mount leads to would go too.
finish() {
    if [ -n "$child" ]; then
        kill -KILL "$child" 2>/dev/null && wait "$child" 2>/dev/null
    fi
    [ -n "$root" ] && [ -d "$root" ] || return 0
    rm -f "$root.log"
    if [ "$keep" = yes ]; then
        say "kept in $root"
    elif grep -qF " $root" /proc/self/mounts; then
        say "something is mounted below $root: it stays"
    else
        rm -rf --one-file-system "$root"
    fi
}

mirror_of_this_machine() {
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n 's/^Debian Debian //p' | head -n 1
}

# What this machine needs in order to reach anything: names, authorities, proxies, and mirrors that stand still.
settle() {
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    apt-config dump | grep -E '^Acquire::(Check-|https?::|Retries|ForceIPv)' >"$root/etc/apt/apt.conf.d/90host"
    mkdir -p "$root/usr/local/share/ca-certificates" "$root/root/.m2"
    find /usr/local/share/ca-certificates -name '*.crt' -exec cp -t "$root/usr/local/share/ca-certificates" {} +
    [ ! -f ~/.m2/settings.xml ] || cp ~/.m2/settings.xml "$root/root/.m2/"
    [ ! -f ~/.mavenrc ] || cp ~/.mavenrc "$root/root/"
    [ "$reuse" = no ] || cp -r --reflink=auto ~/.m2/repository "$root/root/.m2/"
}

# A user's environment in a fresh root: no locale, nothing set but what leads out of the machine.
in_root() {
    local name carried=()
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY MAVEN_OPTS; do
        [ -z "${!name:-}" ] || carried+=("$name=${!name}")
    done
    chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${carried[@]}" \
        bash -c 'cd /root/lacuna && "$@"' in_root "$@"
}

# The demo's first line is the trainer's process id, every further one a sample.
first_sample() {
    local demo trainer program parent
    : >"$root/samples" # on a busy machine it is asked for before the demo has begun
    # shellcheck disable=SC2086 # the README's words
    in_root $command >"$root/samples" 2> >(tee "$root/said" | grep --line-buffered -E '^(lacuna|E|WARNING):' >&2) </dev/null &
    demo=$!
    while [ "$(wc -l <"$root/samples")" -lt 2 ]; do
        kill -0 "$demo" 2>/dev/null || break
        sleep 0.5
    done
    trainer=$(head -n 1 "$root/samples")
    program=$(readlink "/proc/$trainer/exe")
    parent=$(sed -n 's/^PPid:\t//p' "/proc/$trainer/status" 2>/dev/null)
    kill -TERM "${parent:-$demo}" 2>/dev/null
    wait "$demo"
    if ! sed -n 2p "$root/samples" | grep -q '^{.*"reserved_bytes":[0-9]'; then
        if grep -m 1 -E 'Failed to fetch|Unable to fetch|Could not transfer artifact|Temporary failure resolving' "$root/said"; then
            skip "the network does not give what the build fetches"
        fi
        tail -n 40 "$root/said"
        fail "no sample came"
    fi
    say "process $trainer runs ${program#"$root"}; its first sample is"
    sed -n 2p "$root/samples"
    case ${program##*/} in
        python3*) ;;
        *) grep -q 'without PyTorch' "$root/said" || fail "it trained without PyTorch, and did not say why" ;;
    esac
    ! grep -E '^(WARNING|OpenJDK .*warning)' "$root/said" || fail "the Java runtime talks on stderr"
}

versions() {
    in_root bash -c '. scripts/setup.sh; choose_java; . /etc/os-release; echo "$PRETTY_NAME"; java -version 2>&1 | head -n 1
        gcc --version | head -n 1; mvn --version | head -n 1; python3 --version
        python3 -c "import torch; print(\"PyTorch\", torch.__version__)" 2>&1 | tail -n 1'
}

# A user who has the package and a training of his own, and nothing else of ours: no path, no variable, no display.
packaged() {
    mkdir -p "$root/root/lacuna"
    cp "$deb" "$root/root/lacuna.deb"
    say "installing $(basename "$deb") and python3-torch"
    chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        /root/lacuna.deb python3-torch libopenblas0-pthread </dev/null >"$root.log" 2>&1 ||
        { tail -n 20 "$root.log"; fail "the package does not install"; }
    cat >"$root/root/lacuna/train.py" <<'END'
import torch
model = torch.nn.Linear(512, 512)
optimizer = torch.optim.AdamW(model.parameters())
for step in range(5):
    optimizer.zero_grad()
    model(torch.randn(256, 512)).square().mean().backward()
    optimizer.step()
print("trained", step + 1)
END
    in_root lacuna run --capacity 1GiB -- python3 train.py >"$root/out" 2>"$root/err" </dev/null ||
        { cat "$root/out" "$root/err"; fail "a training fails under lacuna run"; }
    grep -q '^trained 5$' "$root/out" || { cat "$root/out"; fail "it did not train"; }
    grep -qE '^lacuna: peak reserved [1-9]' "$root/err" || { cat "$root/err"; fail "lacuna run does not find its libraries"; }
    tail -n 1 "$root/err"
    in_root lacuna run -- sh -c 'exit 7' 2>/dev/null
    [ $? = 7 ] || fail "lacuna run loses the exit status"
    in_root lacuna ps --json >"$root/ps" 2>"$root/ps.err" && [ "$(cat "$root/ps")" = '[]' ] && [ ! -s "$root/ps.err" ] ||
        { cat "$root/ps" "$root/ps.err"; fail "lacuna ps fails"; }
    in_root lacuna help run | grep -q 'lacuna run -- python3 train.py' || fail "lacuna help run shows no command that works here"
    [ -s "$root/usr/share/bash-completion/completions/lacuna" ] && [ -s "$root/usr/share/applications/lacuna.desktop" ] ||
        fail "completion or the desktop entry is missing"
    chroot "$root" apt-get purge -y -qq lacuna >>"$root.log" 2>&1 || { tail -n 5 "$root.log"; fail "the package cannot be removed"; }
    [ -z "$(find "$root"/usr/bin/lacuna "$root/opt/lacuna" "$root/usr/share/applications/lacuna.desktop" 2>/dev/null)" ] ||
        fail "something stays when the package goes: $(find "$root/opt/lacuna" | head -n 3)"
    say "passed"
}

inside() {
    say "from $mirror, in $root"
    debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 ||
        skip "debootstrap: $(grep -E '^E:' "$root.log" | tail -n 1)"
    mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" &&
        mount -t tmpfs tmpfs "$root/dev/shm" && mount -t devpts devpts "$root/dev/pts" ||
        fail "proc and dev cannot be mounted"
    settle
    chroot "$root" apt-get update -qq || skip "apt-get update fails there"
    if [ -n "$deb" ]; then
        packaged
        return
    fi
    git -c safe.directory='*' clone -q --no-hardlinks "$top" "$root/root/lacuna" || fail "the repository cannot be cloned"
    command=$(sed -n 's/.*`\(\.\/lacuna demo --no-window\)`.*/\1/p' "$root/root/lacuna/README.md" | head -n 1)
    [ -n "$command" ] || fail "README.md does not say how to start without a display"
    say "a clone of $(git -C "$root/root/lacuna" log -1 --format=%h), $command"
    first_sample
    in_root ./lacuna ps --json >"$root/ps" 2>"$root/ps.err" || fail "lacuna ps fails"
    [ ! -s "$root/ps.err" ] || fail "lacuna ps talks on stderr: $(cat "$root/ps.err")"
    versions
    say "passed"
}

while [ $# -gt 0 ]; do
    case $1 in
        --keep) keep=yes ;;
        --reuse) reuse=yes ;;
        --in)
            [ $# -ge 2 ] && [ -d "$2" ] || { echo "--in needs a folder" >&2; exit 2; }
            folder=$(cd "$2" && pwd)
            shift
            ;;
        --deb)
            [ $# -ge 2 ] && [ -f "$2" ] || { echo "--deb needs a package" >&2; exit 2; }
            deb=$(readlink -f "$2")
            shift
            ;;
        bookworm | trixie | testing) release=$1 ;;
        -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "unknown word $1; see scripts/fresh-root.sh --help" >&2; exit 2 ;;
    esac
    shift
done
[ -n "$release" ] || { echo "which release? see scripts/fresh-root.sh --help" >&2; exit 2; }

[ "$(id -u)" = 0 ] || skip "only root can make one"
command -v debootstrap >/dev/null 2>&1 || apt-get install -y -qq --no-install-recommends debootstrap </dev/null >&2 ||
    skip "debootstrap is not to be had"
mirror=${MIRROR:-$(mirror_of_this_machine)}
[ -n "$mirror" ] || skip "this machine's apt knows no Debian mirror; name one in MIRROR"
[ "$(df --output=avail -BM "$folder" | tr -dc '0-9\n' | tail -n 1)" -ge 6000 ] || skip "6 GB are not free in $folder"
unshare --mount --pid --fork true 2>/dev/null || skip "no mount namespace can be made here"

trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
root=$(mktemp -d "$folder/lacuna-$release.XXXXXX")
chmod 755 "$root"
export top release reuse root mirror deb
export -f say fail skip settle in_root first_sample versions packaged inside
# All mounts and processes are of namespaces that end with this script, however it ends.
setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc --propagation private \
    bash -uo pipefail -c inside </dev/null &
child=$!
wait "$child"
status=$?
child=
exit "$status"
