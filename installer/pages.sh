#!/usr/bin/env bash
# Writes a manual page for each command into a folder: picocli's generator makes AsciiDoc of the very help, asciidoctor pages of it.
#   installer/pages.sh FOLDER      needs the built program (app/target/dist)
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$(readlink -f "$0")")/.."
source scripts/setup.sh
choose_java
source scripts/classpath.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn -B -q -ntp -f installer/pages.xml dependency:copy-dependencies -DoutputDirectory="$work/lib" -DincludeArtifactIds=picocli-codegen >&2
# C.UTF-8: pages are in English whatever the packager speaks.
LC_ALL=C.UTF-8 java "${java_options[@]}" -cp "$work/lib/*:$(cli_classpath)" installer/Pages.java "$work/adoc"
asciidoctor -q -b manpage -D "$out" "$work"/adoc/*.adoc
gzip -9nf "$out"/*.1
