#!/bin/sh
# Builds the agent, and the stand-ins where PyTorch is one for CUDA, and runs the battery: ladder.py OPTION…, or with --upstream
# first upstream.py OPTION…
# LADDER_PYTHON names the interpreter, LADDER_KIND says `cuda` or `virtual`, LADDER_BUILD where to build; scripts/ladder.sh sets them.
here=$(cd "$(dirname "$0")" && pwd)
native=$(cd "$here/../.." && pwd)
: "${LADDER_PYTHON:=/usr/bin/python3}" "${LADDER_KIND:=virtual}" "${LADDER_BUILD:=$native/build}"
LADDER_LIBRARY=$LADDER_BUILD/liblacuna_torch.so
LADDER_STANDIN=$LADDER_BUILD/ladder/${LADDER_RUNG:-here}
export LADDER_KIND LADDER_LIBRARY LADDER_STANDIN LADDER_RUNG
make -s -j 2 -C "$native" BUILD="$LADDER_BUILD" "$LADDER_LIBRARY" || exit 1
PATH=$(dirname "$LADDER_PYTHON"):$PATH # what is installed beside it: ninja
export PATH

# PyTorch's own libraries, wherever they are: beside the package, or the system's.
libraries() {
    "$LADDER_PYTHON" - <<'END'
import glob, importlib.util, os, sysconfig
beside = os.path.join(os.path.dirname(importlib.util.find_spec("torch").origin), "lib")
folders = [beside, "/usr/lib/" + (sysconfig.get_config_var("MULTIARCH") or ""), "/usr/lib"]
names = ("torch_cuda", "c10_cuda", "torch_cuda_linalg", "torch_python", "torch_cpu", "torch_nvshmem", "caffe2_nvrtc", "gloo_cuda", "tensorpipe_cuda")
found = {}
for folder in folders:
    for name in names:
        for path in glob.glob(os.path.join(folder, "lib%s.so*" % name))[:1]:
            found.setdefault(name, os.path.realpath(path))
print("\n".join(found.values()))
END
}

if [ "$LADDER_KIND" = cuda ]; then
    stamp=$LADDER_STANDIN/made
    if [ ! -e "$stamp" ] || [ -n "$(find "$here/standin" "$LADDER_LIBRARY" -newer "$stamp")" ]; then
        # shellcheck disable=SC2046 # one word each
        "$LADDER_PYTHON" -B "$here/standin/libraries.py" "$LADDER_STANDIN" "$LADDER_LIBRARY" $(libraries) >/dev/null && touch "$stamp" || exit 1
    fi
fi
program=ladder.py
[ "${1:-}" != --upstream ] || { program=upstream.py; shift; }
exec "$LADDER_PYTHON" -B "$here/$program" "$@"
