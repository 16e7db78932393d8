#!/usr/bin/env bash
# What scripts/setup.sh finds and asks for, on machines that are made up: JDKs that are folders, an apt that is a script.
# Prints N passed, N failed.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# machine: nothing there but the tools that the scripts use; root; an apt that knows what is in $work/known and notes what it is
# told to install, which fails for what is in $work/broken.
machine() {
    rm -rf "$work/bin" "$work/jvm" "$work/known" "$work/broken" "$work/installed" "$work/home"
    mkdir -p "$work/bin" "$work/jvm"
    : >"$work/known"
    : >"$work/broken"
    : >"$work/installed"
    local tool
    for tool in bash cat chmod cut env flock grep head mkdir readlink rm sed sort stat tr; do
        ln -s "$(command -v "$tool")" "$work/bin/$tool"
    done
    program id 'echo 0'
    program ldconfig 'echo'
    program fc-list 'echo a font'
    local tool
    for tool in mvn gcc g++ make; do program "$tool" ''; done
    program apt-cache 'version=$(sed -n "s/^$2 //p" '"'$work/known'"')
        grep -q "^$2 " '"'$work/known'"' && printf "%s:\n  Installed: (none)\n  Candidate: %s\n" "$2" "$version"'
    program apt-get 'case $1 in install) ;; *) exit 0 ;; esac
        for name in "$@"; do case $name in install | -*) ;; *)
            grep -qx "$name" '"'$work/broken'"' && exit 100; echo "$name" >>'"'$work/installed'"' ;;
        esac; done'
}
program() { # NAME BODY
    rm -f "$work/bin/$1"
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
jdk() { # NAME VERSION: one under the folder of JDKs, as Debian lays it out
    mkdir -p "$work/jvm/$1/bin" "$work/jvm/$1/lib/server"
    printf 'IMPLEMENTOR="Debian"\nJAVA_VERSION="%s"\nOS_NAME="Linux"\n' "$2" >"$work/jvm/$1/release"
    printf '#!/bin/sh\necho javac %s\n' "$2" >"$work/jvm/$1/bin/javac"
    printf '#!/bin/sh\necho %s\n' "$2" >"$work/jvm/$1/bin/java"
    chmod +x "$work/jvm/$1/bin/"*
}
on_path() { # NAME: the system's default
    ln -sf "$work/jvm/$1/bin/javac" "$work/bin/javac"
    ln -sf "$work/jvm/$1/bin/java" "$work/bin/java"
}
knows() { printf '%s\n' "$@" >"$work/known"; } # "NAME VERSION"…
there() { # runs words of setup.sh on that machine
    env -i PATH="$work/bin" HOME="$work" ${java_home_set:+JAVA_HOME="$java_home_set"} LACUNA_PYTHON="$work/bin/python3" \
        bash -uo pipefail -c 'source scripts/setup.sh; jvm_folder=$0; '"$1" "$work/jvm" >"$work/out" 2>"$work/err"
}
is() { # NAME EXPECTED WORDS: the output of the words on that machine
    there "$3"
    if [ "$(cat "$work/out")" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n    expected: %s\n    was:      %s\n' "$1" "$2" "$(cat "$work/out" "$work/err")"
    fi
}
taken='choose_java; echo "${JAVA_HOME#$jvm_folder/} $(java) $(missing_packages build)"'
asked="need build >/dev/null; cat '$work/installed'"
java_home_set=

machine
knows "default-jdk-headless 2:1.21-76" "openjdk-21-jdk-headless 21.0.12+1-1" "openjdk-25-jdk-headless 25.0.3+9-2"
is "Debian 13 without a JDK is asked for its default" default-jdk-headless "$asked"
knows "default-jdk-headless 2:1.17-74" "openjdk-17-jdk-headless 17.0.15+6-1"
: >"$work/installed"
is "Debian 12 too" default-jdk-headless "$asked"
knows "default-jdk-headless 2:1.11-72build2" "openjdk-17-jdk-headless 17.0.15+6-1"
: >"$work/installed"
is "a release whose default is too old is asked for a newer one" openjdk-17-jdk-headless "$asked"
knows "default-jdk-headless (none)" "openjdk-21-jdk-headless 21.0.12+1-1"
: >"$work/installed"
is "a release without a default is asked for what it has" openjdk-21-jdk-headless "$asked"

for version in 17.0.15 21.0.12.1 25 26-ea; do
    machine
    jdk only "$version"
    is "a JDK $version is taken, and nothing asked for" "only $version " "$taken"
done
machine
jdk only 1.8.0_442
jdk another 11.0.2
is "an old JDK is not taken" "" 'choose_java; find_java; echo "$java_home"'
machine
jdk runtime 21.0.1
rm "$work/jvm/runtime/bin/javac"
is "a runtime without a compiler is no JDK" "" 'choose_java; find_java; echo "$java_home"'
machine
jdk temurin-25 25.0.3
rm "$work/jvm/temurin-25/release"
is "a JDK that says no version in a file is asked itself" "temurin-25 25.0.3 " "$taken"
machine
jdk java-11 11.0.2
on_path java-11
jdk java-21 21.0.12
is "beside an old default, a newer one is taken" "java-21 21.0.12 " "$taken"
machine
jdk java-25 25.0.3
on_path java-25
jdk java-17 17.0.15
is "a default that will do is kept" "java-25 25.0.3 " "$taken"
jdk java-21 21.0.12
java_home_set=$work/jvm/java-21
is "JAVA_HOME goes before the default" "java-21 21.0.12 " "$taken"
java_home_set=$work/jvm/none
is "a JAVA_HOME that is nowhere is left aside" "java-25 25.0.3 " "$taken"
jdk java-8 1.8.0_442
java_home_set=$work/jvm/java-8
is "one that is too old too" "java-25 25.0.3 " "$taken"
java_home_set=
machine
jdk java-25 25.0.3
jdk java-9 9.0.1
jdk java-21 21.0.12
is "of several the oldest that will do is taken" "java-21 21.0.12 " "$taken"
jdk default-java 25.0.3
is "unless one is named the default" "default-java 25.0.3 " "$taken"

machine
jdk java-21 21.0.12
is "Java 21 wants nothing said" "0 " 'choose_java; echo "${#java_options[@]} ${MAVEN_OPTS:-}"'
machine
jdk java-25 25.0.3
is "Java 25 is told not to warn, and Maven's once" "2 -Xmx1g --enable-native-access=ALL-UNNAMED" \
    'MAVEN_OPTS=-Xmx1g; choose_java; choose_java; echo "${#java_options[@]} $(echo $MAVEN_OPTS | tr " " "\n" | grep -v unsafe | sort -r | tr "\n" " " | sed "s/ $//")"'

machine
missing="need window; cat '$work/installed'"
knows "libgtk-3-0 3.24.38-2" "libxtst6 2:1.2.3-1.1" "libgl1 1.6.0-1" "libxxf86vm1 1:1.1.4-1"
is "GTK on Debian 12" "libgl1 libgtk-3-0 libxtst6 libxxf86vm1" "$missing | tr '\n' ' ' | sed 's/ \$//'"
: >"$work/installed"
knows "libgtk-3-0 (none)" "libgtk-3-0t64 3.24.49-3" "libxtst6 2:1.2.5-1" "libgl1 1.7.0-1" "libxxf86vm1 1:1.1.4-1"
is "GTK on Debian 13" "libgl1 libgtk-3-0t64 libxtst6 libxxf86vm1" "$missing | tr '\n' ' ' | sed 's/ \$//'"

machine
program ldconfig 'for name in libgtk-3.so.0 libXtst.so.6 libGL.so.1 libXxf86vm.so.1; do echo "$name => /lib/$name"; done
    for ((i = 0; i < 20000; i++)); do echo "libother$i.so => /lib/libother$i.so"; done'
is "a library is found however long the list goes on behind it" "" "$missing"

machine
knows "python3-torch 2.6.0-1" "libopenblas0-pthread 0.3.29"
echo python3-torch >"$work/broken"
is "where PyTorch cannot be installed, the demo goes on" "on" 'want_torch; echo on'
is "and says so in one line" "1" "want_torch; grep -c 'without PyTorch.*python3-torch' '$work/err'"
is "what cannot be done without ends the command" "70" '(need torch); echo $?'
program id 'echo 1000'
is "a user without sudo is told a command of this release" "1" \
    "(need torch); grep -c 'sudo apt-get install --no-install-recommends libopenblas0-pthread python3-torch' '$work/err'"
rm "$work/bin/apt-get" "$work/bin/make"
is "where there is no apt, one name of each is told" "1" "(need build); grep -c 'equivalents.*: default-jdk-headless make\$' '$work/err'"

# What looks at how files are written is installed; where that cannot be, nobody says that all is well.
machine
program python3 'case "$*" in "-m venv "*) mkdir -p "$3/bin"
    printf "#!%s\necho ruff of pip; echo \"\$*\" >>%s; cp \"\$0\" \"\${0%%pip}ruff\"\n" "$BASH" '"'$work/installed'"' >"$3/bin/pip"; chmod +x "$3/bin/pip" ;; esac'
ln -s "$(command -v cp)" "$work/bin/cp"
rm -rf "$work/.cache"
is "where there is no ruff, pip brings it" "$work/.cache/lacuna/ruff/bin/ruff" 'find_ruff 2>/dev/null; echo "$ruff"'
: >"$work/installed"
is "once" "$work/.cache/lacuna/ruff/bin/ruff" 'find_ruff; echo "$ruff"'
is "and asks it for its version alone then" "--version" "cat '$work/installed'"
rm -rf "$work/.cache"
machine
program python3 'exit 1'
for tool in git tail dirname basename cmp wc; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
echo clang-format >"$work/broken"
echo python3-venv >>"$work/broken"
habits="scripts/test-habits.sh >'$work/habits'; echo \$? \$(grep -c '^habits: nothing was checked by' '$work/habits')"
is "habits that could not all be looked at are skipped" "77 2" "$habits"
is "and fail where CI says that nobody reads along" "1 2" "export CI=true; $habits"

# An archive of classes is another Java's after an update.
machine
jdk java-21 21.0.12
printf '#!/bin/sh\nwhile read -r _; do :; done\nfor word in "$@"; do case $word in -XX:ArchiveClassesAtExit=*) echo made >>"${word#*=}" ;; esac; done\n' >"$work/jvm/java-21/bin/java"
echo 1 >"$work/jvm/java-21/lib/modules"
mkdir -p "$work/dist/lib"
archives="dist='$work/dist'; source scripts/classpath.sh; choose_java; fit_archives; cat '$work/dist/cli.jsa' | tr '\n' ' '; ls '$work/dist'/window.jsa"
ln -s "$(command -v ls)" "$work/bin/ls"
is "archives are made where there are none" "made " "$archives"
echo kept >>"$work/dist/cli.jsa"
echo kept >"$work/dist/window.jsa"
is "and kept for the same Java" "made kept $work/dist/window.jsa" "$archives"
echo 22 >"$work/jvm/java-21/lib/modules"
is "and made anew after an update" "made " "$archives"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
