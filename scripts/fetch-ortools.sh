#!/usr/bin/env bash
# Puts OR-Tools (Apache-2.0; 26 MB, 71 MB unpacked while it runs) where Lacuna looks for it:
#   scripts/fetch-ortools.sh [FOLDER]        default: $LACUNA_ORTOOLS, else ~/.local/share/lacuna/ortools
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
folder=${1:-${LACUNA_ORTOOLS:-${XDG_DATA_HOME:-$HOME/.local/share}/lacuna/ortools}}
case $(uname -m) in
    x86_64) natives=ortools-linux-x86-64 ;;
    aarch64) natives=ortools-linux-aarch64 ;;
    *) echo "OR-Tools has no libraries for $(uname -m)" >&2; exit 1 ;;
esac
version=$(sed -n 's|.*<ortools.version>\(.*\)</ortools.version>.*|\1|p' "$here/pom.xml")
protobuf=4.33.1
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$here"
for artifact in "com.google.ortools:ortools-java:$version" "com.google.ortools:$natives:$version" "com.google.protobuf:protobuf-java:$protobuf"; do
    mvn -q -B -ntp -N dependency:copy -Dartifact="$artifact" -DoutputDirectory="$folder" >&2
done
chmod -R go-w "$folder"
echo "$folder"
