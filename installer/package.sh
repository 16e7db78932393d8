#!/usr/bin/env bash
# Makes the app image and the Debian package, with a Java runtime of their own:
#   installer/package.sh [--image-only]     → installer/target/lacuna/ and installer/target/lacuna_*.deb
# LACUNA_FRONTS_FOR="PYTHON…": ships the front for the PyTorch of each of these interpreters, which needs its CUDA device here
# (docs/pluggable.md); other users' machines compile it at the first start.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
set +e
source scripts/setup.sh
need build test pages
build
choose_java
set -e

target=installer/target
dist=app/target/dist
version=$(sed -n 's|.*<revision>\(.*\)</revision>.*|\1|p' pom.xml)
rm -rf "$target"
mkdir -p "$target"

# java.* what the libraries use; jdk.net peer credentials of the control socket; jdk.localedata and jdk.charsets for
# 简体中文 and logs in any encoding; the accessibility and font parts come with java.desktop.
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.scripting,java.sql,java.xml,jdk.charsets,jdk.jfr,jdk.localedata,jdk.net,jdk.unsupported,jdk.zipfs,javafx.controls,javafx.swing

# Where the runtime is of a Java that warns, what keeps it silent.
told=()
for option in "${java_options[@]/ALL-UNNAMED/ALL-UNNAMED,javafx.graphics}"; do told+=(--java-options "$option"); done

# One launcher for all commands: with both compilers, since reading gigabytes gains more than the 0.1 s that a start loses.
say "linking the runtime and the app image"
jpackage --type app-image --name lacuna --app-version "$version" --dest "$target" \
    --input "$dist/lib" --main-jar "app-$version.jar" --main-class dev.lacuna.app.Main \
    --module-path "$dist/fx" --add-modules "$modules" \
    --jlink-options "--strip-debug --no-header-files --no-man-pages --include-locales=en,zh" \
    --icon installer/resources/lacuna.png \
    --java-options -XX:+UseSerialGC --java-options -XX:MaxRAMPercentage=50 --java-options -XX:MinHeapFreeRatio=10 --java-options -XX:MaxHeapFreeRatio=30 \
    --java-options -Xshare:auto "${told[@]}" \
    --description "Finds, explains and closes the gap between reserved and allocated training memory" \
    --vendor "The Lacuna authors" --copyright "2026 The Lacuna authors, Apache-2.0" >&2

# What `lacuna run` needs, as files: no Java unpacks it. The libraries lie beside the package, where it looks for them.
agent=$target/lacuna/lib/agent/python/lacuna
mkdir -p "$agent"
(cd native/python/lacuna && find . -name __pycache__ -prune -o -type f -print0 | xargs -0 cp --parents -t "$OLDPWD/$agent")
mkdir -p "$agent/lib" "$agent/include"
cp native/include/lacuna.h "$agent/include/"
cp native/build/liblacuna_torch.so "$agent/lib/"
strip --strip-unneeded "$agent/lib/liblacuna_torch.so"
# What attaches: the library travels in the jar; the program is for where no Java is, as in other users' containers.
install -s -m 755 native/build/lacuna-graft "$agent/lib/"

for python in ${LACUNA_FRONTS_FOR:-}; do
    say "compiling the front for $("$python" -c 'import torch; print("PyTorch", torch.__version__)')"
    LACUNA_EXTENSIONS=$PWD/$agent/lib LACUNA_LIBRARY=$PWD/$agent/lib/liblacuna_torch.so PYTHONPATH=$PWD/$agent/.. "$python" -B -m lacuna build-front >&2
done
rm -f "$agent"/lib/front/*.lock "$agent"/lib/front/*/header.cpp "$agent"/lib/front/*/forwards.inc

# The command is a script: `run` starts without Java, everything else is the launcher, which finds its settings by its name.
mv "$target/lacuna/bin/lacuna" "$target/lacuna/bin/lacuna-java"
mv "$target/lacuna/lib/app/lacuna.cfg" "$target/lacuna/lib/app/lacuna-java.cfg"
install -m 755 installer/resources/lacuna.sh "$target/lacuna/bin/lacuna"

# What the desktop and shells know of it; postinst puts it where they look.
share=$target/lacuna/lib/share
mkdir -p "$share/man1"
cp installer/resources/lacuna.desktop installer/resources/lacuna.xml LICENSE "$share/"
# Whose work travels along, for people (notices), for Debian (copyright) and for programs (the bill of materials).
installer/notices.py "$dist/lib" "$dist/fx" --version "$version" --out "$share"
source scripts/classpath.sh
java "${java_options[@]}" -cp "$(cli_classpath)" dev.lacuna.app.Main generate-completion >"$share/lacuna.bash"
installer/pages.sh "$share/man1"

# A linked runtime comes without the JDK's class-data archive. (One of the program's own classes would be bound to this
# folder's path, which installing changes.)
"$target/lacuna/lib/runtime/bin/java" -Xshare:dump >/dev/null
[ "${1:-}" = --image-only ] && { say "made $target/lacuna"; exit 0; }

# jpackage takes Debian's files from one folder: ours, and the copyright that was just made.
resources=$target/resources
cp -r installer/resources "$resources"
cp "$share/copyright" "$resources/copyright"

say "packing the .deb (compression takes most of the time)"
jpackage --type deb --name lacuna --app-version "$version" --dest "$target" \
    --app-image "$target/lacuna" --resource-dir "$resources" \
    --linux-package-deps "libgtk-3-0 | libgtk-3-0t64, libgl1, libxtst6, libxxf86vm1" \
    --vendor "The Lacuna authors" --linux-app-category science --linux-deb-maintainer "${DEBEMAIL:-maintainers@lacuna.invalid}" \
    --license-file LICENSE >&2
# What jpackage leaves to others: libraries of the runtime without their symbols, what Debian keeps in /usr/share/doc, no empty scripts.
say "packing it as Debian has it"
deb=$(ls "$target"/*.deb)
tree=$target/tree
dpkg-deb -R "$deb" "$tree"
elf() { [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; }
find "$tree/opt" -type f \( -perm /111 -o -name '*.so' \) | while IFS= read -r file; do ! elf "$file" || strip --strip-unneeded "$file"; done
find "$tree/opt" -name '*.so' -exec chmod 644 {} +
doc=$tree/usr/share/doc/lacuna
mkdir -p "$doc" "$tree/usr/share/lintian/overrides"
cp "$share/copyright" "$doc/copyright"
printf 'lacuna (%s-1) unstable; urgency=medium\n\n  * See CHANGELOG.md of this version.\n\n -- The Lacuna authors <%s>  %s\n' "$version" "${DEBEMAIL:-maintainers@lacuna.invalid}" \
    "$(date -R -d "@$(git log -1 --format=%ct 2>/dev/null || date +%s)")" | gzip -9n >"$doc/changelog.Debian.gz"
cp installer/resources/lintian-overrides "$tree/usr/share/lintian/overrides/lacuna"
rm -f "$tree/DEBIAN/preinst" "$tree/DEBIAN/postrm" # they do nothing
sed -i 1d "$tree/opt/lacuna/lib/share/lacuna.bash" # it is read by bash, not run
dpkg-deb --root-owner-group -b "$tree" "$deb" >&2
rm -rf "$tree"
say "made $deb"
