#!/usr/bin/env bash
# Lays the built program out in app/target/dist: jars in lib/, JavaFX in fx/, and a class-data archive that makes the
# command line start fast (the window makes its own at its first end). Called by the build; prints into its log.
set -euo pipefail
cd "$(dirname "$0")/.."
dist=app/target/dist
new=$dist.new
rm -rf "$new"
mkdir -p "$new/lib" "$new/fx"
cp app/target/lib/*.jar "$new/lib/"
cp app/target/app-*.jar "$new/lib/"
mv "$new"/lib/javafx-*.jar "$new/fx/"
# JavaFX's own jars without natives are empty shells beside the platform ones.
for jar in "$new"/fx/javafx-*.jar; do
    case $jar in *-linux.jar | *-linux-aarch64.jar) ;; *) rm "$jar" ;; esac
done
rm -rf "$dist"
mv "$new" "$dist"
source scripts/setup.sh
source scripts/classpath.sh
choose_java
archive_classes "$dist"
