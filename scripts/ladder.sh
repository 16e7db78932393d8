#!/usr/bin/env bash
# Real PyTorch, rung by rung: sets a rung up where it is missing, builds the agent for it and runs native/test/ladder there.
#   scripts/ladder.sh                  lists the rungs
#   scripts/ladder.sh RUNG [OPTION…]   one of them, or `all`; options are those of native/test/ladder/ladder.py
#   scripts/ladder.sh --present RUNG…  the same, but a rung that is not set up yet is skipped
#   scripts/ladder.sh RUNG --graft     attaches to what people train there (native/test/graft): with the rung's own Python and PyTorch;
#                                      with a notebook's kernel where the rung has ipykernel
#   scripts/ladder.sh RUNG --attach-cost [ATTACHES [WINDOWS [RECORDS]]]   what attaching costs there (native/bench/attach_cost.py)
#   scripts/ladder.sh RUNG --upstream TEST_FILE… [--like REGEX]   PyTorch's own tests of that version there (upstream.py);
#                                      with pytest, expecttest and hypothesis, which `wheel` gets where pip has them
# Rungs stay in $LACUNA_LADDER (~/.cache/lacuna/ladder): 2 to 5 GB each. Roots of Debian need root and debootstrap; their
# packages come from $MIRROR, or from where this machine's apt has its own; wheels from where pip is configured to look.
# Prints a table and "N passed, N failed, N skipped"; ends with 1 when something failed, with 77 when nothing ran.
set -uo pipefail
top=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cache=${LACUNA_LADDER:-${XDG_CACHE_HOME:-$HOME/.cache}/lacuna/ladder}
rungs=(debian12 debian13 wheel testing)

about() {
    case $1 in
        debian12) echo "Debian 12: Python 3.11, torch 1.13 on the virtual device" ;;
        debian13) echo "Debian 13: Python 3.13, torch 2.6 for CUDA on the stand-in" ;;
        wheel) echo "PyTorch's own build: Python 3.11, torch 2.14.1 for CUDA 13 on the stand-in; transformers, accelerate" ;;
        testing) echo "Debian testing: its Python and torch, transformers, accelerate on the virtual device" ;;
    esac
}

say() { printf 'ladder: %s\n' "$*" >&2; }
# A rung that cannot be had; what called it goes on with the others.
cannot() { say "$rung is skipped: $*"; return 77; }

mirror_of_this_machine() {
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n 's/^Debian Debian //p' | head -n 1
}

# ---------------------------------------------------------------- roots of Debian

# All mounts and processes are of namespaces that end with the command.
in_root() { # ROOT COMMAND…
    local root=$1 name carried=()
    shift
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY LADDER_FAULT LACUNA_NIGHTLY; do
        [ -z "${!name:-}" ] || carried+=("$name=${!name}")
    done
    # shellcheck disable=SC2016 # the inner shell's words
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --propagation private \
        bash -c 'root=$1 top=$2
            shift 2
            mkdir -p "$root/lacuna" && mount --bind "$top" "$root/lacuna" && mount -t proc proc "$root/proc" &&
                mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/dev/shm" && exec chroot "$root" "$@"' \
        in_root "$root" "$top" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 "${carried[@]}" "$@" </dev/null
}

settle() { # ROOT: what this machine needs in order to reach anything
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
    apt-config dump | grep -E '^Acquire::(Check-|https?::|Retries|ForceIPv)' >"$1/etc/apt/apt.conf.d/90host"
    mkdir -p "$1/usr/local/share/ca-certificates"
    find /usr/local/share/ca-certificates -name '*.crt' -exec cp -t "$1/usr/local/share/ca-certificates" {} +
}

# Made beside its place and moved there when it is whole, so that one that was interrupted is made again.
make_root() { # RELEASE ROOT COMPONENTS
    local mirror=${MIRROR:-$(mirror_of_this_machine)} made=$2.new
    [ "$(id -u)" = 0 ] || { cannot "only root can make a root of Debian"; return; }
    command -v debootstrap >/dev/null || apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends debootstrap </dev/null >&2 ||
        { cannot "debootstrap is not to be had"; return; }
    [ -n "$mirror" ] || { cannot "this machine's apt knows no Debian mirror; name one in MIRROR"; return; }
    unshare --mount --pid --fork true 2>/dev/null || { cannot "no mount namespace can be made here"; return; }
    say "$rung: debootstrap of $1 into $2"
    rm -rf --one-file-system "$made"
    mkdir -p "$made"
    debootstrap --variant=minbase "$1" "$made" "$mirror" >"$2.log" 2>&1 ||
        { cannot "debootstrap: $(grep -E '^E:' "$2.log" | tail -n 1)"; return; }
    settle "$made"
    printf 'deb %s %s %s\n' "$mirror" "$1" "$3" >"$made/etc/apt/sources.list"
    in_root "$made" apt-get update -qq >&2 || { cannot "apt-get update fails there"; return; }
    mv "$made" "$2"
}

BUILDING="gcc g++ make binutils libc6-dev"
NOTEBOOKS="python3-ipykernel python3-jupyter-client" # where there are none, the rung stands all the same

install_in() { # ROOT PACKAGE…
    local root=$1
    shift
    # shellcheck disable=SC2086 # several
    in_root "$root" apt-get install -qq -y --no-install-recommends $BUILDING "$@" >>"$root.log" 2>&1 ||
        { cannot "$(grep -E '^E:' "$root.log" | tail -n 1)"; return; }
    touch "$root/opt/ladder-is-installed"
}

notebooks_in() { # ROOT
    [ ! -e "$1/opt/ladder-has-notebooks" ] || return 0
    # shellcheck disable=SC2086 # several
    in_root "$1" apt-get install -qq -y --no-install-recommends $NOTEBOOKS >>"$1.log" 2>&1 || say "$rung: apt has no ipykernel there"
    touch "$1/opt/ladder-has-notebooks"
}

# NVIDIA's packages that Debian's PyTorch depends on, empty: the stand-in takes their place.
no_nvidia() { # ROOT
    local name work provides
    work=$(mktemp -d)
    for name in libcuda1 libcudart12 libcublas12 libcublaslt12 libcufft11 libcurand10 libcusolver11 libcusparse12 \
        libnvrtc12 libnvtoolsext1 libnccl2 nvidia-cudnn; do
        provides="$name-empty"
        [ "$name" != libcuda1 ] || provides="$provides, libcuda.so.1 (= 999:1)"
        mkdir -p "$work/$name/DEBIAN"
        printf '%s\n' "Package: $name" "Version: 999:1" "Architecture: amd64" "Maintainer: nobody <nobody@localhost>" \
            "Provides: $provides" "Description: empty" >"$work/$name/DEBIAN/control"
        dpkg-deb --root-owner-group -b "$work/$name" "$1/tmp/$name.deb" >/dev/null || return
    done
    rm -r "$work"
    in_root "$1" sh -c 'dpkg -i /tmp/*.deb >/dev/null && rm /tmp/*.deb'
}

# Attaching, with the rung's own Python on either side: its tests, or what it costs.
grafting() { # STARTER TOP BUILD KIND PYTHON --graft|--attach-cost [OPTION…]
    local starter=$1 at=$2 build=$3 kind=$4 python=$5 what=$6 libraries=
    shift 6
    if [ "$kind" = cuda ]; then # the battery's own start makes the stand-ins, and has nothing else to do
        $starter LADDER_RUNG="$rung" LADDER_KIND=cuda LADDER_PYTHON="$python" LADDER_BUILD="$build" \
            "$at/native/test/ladder/run.sh" --help >/dev/null || return
        libraries=$build/ladder/$rung
    fi
    if [ "$what" = --graft ]; then
        $starter LACUNA_BUILD="$build" LACUNA_PYTHONS="$python" LACUNA_PYTHON="$python" LACUNA_JOBS=yes \
            LACUNA_CUDA_LIBRARIES="$libraries" LACUNA_CUDA_PYTHON="${libraries:+$python}" "$at/native/test/graft/run.sh"
    else
        $starter make -s -C "$at/native" BUILD="$build" graft &&
            $starter LACUNA_BUILD="$build" TARGET_PYTHON="$python" TARGET_LIBRARIES="$libraries" \
                "$python" -B "$at/native/bench/attach_cost.py" "$@"
    fi
}
within_root() { in_root "$root" env "$@"; } # the root of whoever calls
is_grafting() { [ "${1:-}" = --graft ] || [ "${1:-}" = --attach-cost ]; }

battery_in() { # ROOT KIND OPTION…
    local root=$1 kind=$2 word asked=()
    shift 2
    if is_grafting "$@"; then
        notebooks_in "$root"
        grafting within_root /lacuna /var/lib/lacuna-ladder "$kind" /usr/bin/python3 "$@"
        return
    fi
    for word; do # PyTorch's tests come along, with what they load from their folder
        if [ "${1:-}" = --upstream ] && [ -f "$word" ]; then
            mkdir -p "$root/var/lib/lacuna-ladder/upstream" && cp "$(dirname "$word")"/test_cuda*.py "$root/var/lib/lacuna-ladder/upstream/"
            word=/var/lib/lacuna-ladder/upstream/$(basename "$word")
        fi
        asked+=("$word")
    done
    set -- "${asked[@]}"
    in_root "$root" env LADDER_RUNG="$rung" LADDER_KIND="$kind" LADDER_PYTHON=/usr/bin/python3 LADDER_BUILD=/var/lib/lacuna-ladder \
        /lacuna/native/test/ladder/run.sh "$@"
}

# ---------------------------------------------------------------- the rungs

VIRTUAL="python3-torch python3-numpy libopenblas0-pthread"

has_torch_1() { /usr/bin/python3 -c 'import torch, sys; sys.exit(not torch.__version__.startswith("1.13"))' 2>/dev/null; }

debian12() {
    local root=$cache/debian12
    if has_torch_1 && is_grafting "$@"; then
        grafting env "$top" "$top/native/build" virtual /usr/bin/python3 "$@"
        return
    fi
    if has_torch_1; then
        LADDER_RUNG=$rung LADDER_KIND=virtual LADDER_PYTHON=/usr/bin/python3 LADDER_BUILD=$top/native/build \
            "$top/native/test/ladder/run.sh" "$@"
        return
    fi
    [ -d "$root" ] || make_root bookworm "$root" main || return
    # shellcheck disable=SC2086
    [ -e "$root/opt/ladder-is-installed" ] || install_in "$root" $VIRTUAL || return
    battery_in "$root" virtual "$@"
}

testing() {
    local root=$cache/testing
    [ -d "$root" ] || make_root testing "$root" main || return
    # shellcheck disable=SC2086
    [ -e "$root/opt/ladder-is-installed" ] || install_in "$root" $VIRTUAL python3-torchvision python3-transformers python3-accelerate ||
        install_in "$root" $VIRTUAL || return
    battery_in "$root" virtual "$@"
}

debian13() {
    local root=$cache/debian13
    [ -d "$root" ] || make_root trixie "$root" "main contrib" || return
    if [ ! -e "$root/opt/ladder-is-installed" ]; then
        no_nvidia "$root" || { cannot "NVIDIA's packages cannot be replaced"; return; }
        install_in "$root" python3-torch-cuda libtorch-cuda-dev python3-torchvision libopenblas0-pthread ninja-build \
            python3-setuptools pybind11-dev python3-pytest python3-expecttest python3-hypothesis python3-psutil || return
    fi
    battery_in "$root" cuda "$@"
}

# --no-deps: NVIDIA's libraries are what the stand-in is for.
make_wheel() { # VENV
    local python=${PYTHON:-python3.11} name
    "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || { cannot "there is no Python 3.11"; return; }
    say "$rung: pip install of torch 2.14.1 into $1"
    rm -rf "$1"
    "$python" -m venv "$1" && "$1/bin/pip" install -q --no-deps torch==2.14.1 torchvision==0.29.1 triton==3.8.0 accelerate==1.15.0 >&2 &&
        "$1/bin/pip" install -q numpy pillow typing-extensions filelock sympy networkx jinja2 fsspec setuptools ninja psutil \
            transformers==5.18.0 >&2 || { cannot "pip could not install it"; return; }
    # Without these the rung stands all the same: a notebook's kernel, what PyTorch's own tests ask for, and what reads ONNX files.
    for name in ipykernel pytest hypothesis expecttest onnx; do
        "$1/bin/pip" install -q "$name" >&2 || say "$rung: pip has no $name here"
    done
    touch "$1/ladder-is-installed"
}

wheel() {
    local venv=$cache/wheel/venv
    mkdir -p "$cache/wheel"
    [ -e "$venv/ladder-is-installed" ] || make_wheel "$venv" || return
    if is_grafting "$@"; then
        grafting env "$top" "$top/native/build" cuda "$venv/bin/python" "$@"
        return
    fi
    LADDER_RUNG=$rung LADDER_KIND=cuda LADDER_PYTHON=$venv/bin/python LADDER_BUILD=$top/native/build \
        "$top/native/test/ladder/run.sh" "$@"
}

# Whether it can run without anything being fetched.
is_present() {
    case $rung in
        wheel) [ -e "$cache/wheel/venv/ladder-is-installed" ] ;;
        debian12) has_torch_1 || [ -e "$cache/debian12/opt/ladder-is-installed" ] ;;
        *) [ -e "$cache/$rung/opt/ladder-is-installed" ] ;;
    esac
}

# ---------------------------------------------------------------- what was asked for

present=no
[ "${1:-}" != --present ] || { present=yes; shift; }
case ${1:-} in
    '')
        for rung in "${rungs[@]}"; do printf '%-10s %s\n' "$rung" "$(about "$rung")"; done
        exit 0
        ;;
    -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
    all) asked=("${rungs[@]}") ;;
    *) asked=("$1") ;;
esac
shift
passed=0 failed=0 skipped=0
for rung in "${asked[@]}"; do
    [ -n "$(about "$rung")" ] || { say "no rung is called $rung; they are ${rungs[*]}"; exit 2; }
    mkdir -p "$cache"
    if [ "$present" = yes ] && ! is_present; then cannot "it is not set up; scripts/ladder.sh $rung does that"; else "$rung" "$@"; fi
    case $? in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
    esac
done
[ ${#asked[@]} = 1 ] && [ "$skipped" = 0 ] || printf 'rungs: %d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ $((passed + failed)) -gt 0 ] || exit 77
[ "$failed" = 0 ]
