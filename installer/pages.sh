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
# What the generator leaves to be read as markup: a choice of words, brackets, an arrow, and the examples, which stay as they are.
sed -i -E -e 's/=_([A-Za-z|]+(\[[^]]*\])?)_/=\1/g; s/<=/≤/g' \
    -e '/tag::.*section-footer/,$ { s/^\[%hardbreaks\]$/..../; /^Examples:$/d; s|^// end::.*section-footer|....\n&|; }' "$work"/adoc/*.adoc
asciidoctor -q -b manpage -D "$out" "$work"/adoc/*.adoc
gzip -9nf "$out"/*.1
