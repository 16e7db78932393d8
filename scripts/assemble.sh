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
source scripts/classpath.sh
# A run over a real log loads what every command loads; its classes are archived when it ends.
printf 'RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity; 5.00 GiB already allocated; 1.00 GiB free; 6.50 GiB reserved in total by PyTorch)\n' |
    java -XX:ArchiveClassesAtExit="$dist/cli.jsa" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto \
        -cp "$(cli_classpath)" dev.lacuna.app.Main diagnose --json - >/dev/null || rm -f "$dist/cli.jsa"
