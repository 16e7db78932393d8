# Sourced by ./lacuna, ./test and ./bench: finds or installs what a command needs and builds the program.
# Everything here speaks on stderr; stdout belongs to the command.

say() { printf 'lacuna: %s\n' "$*" >&2; }
die() { say "$*"; exit 70; }

java_ok() {
    command -v javac >/dev/null 2>&1 || return 1
    local major
    major=$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
    [ -n "$major" ] && [ "$major" -ge 17 ]
}
library_ok() { ldconfig -p 2>/dev/null | grep -q "$1" || /sbin/ldconfig -p 2>/dev/null | grep -q "$1"; }
torch_ok() { ${LACUNA_PYTHON:-/usr/bin/python3} -c 'import torch' >/dev/null 2>&1; }

# missing_packages WHAT…: the Debian packages that are not there yet, for: build window torch test
missing_packages() {
    local what
    for what in "$@"; do
        case $what in
            build)
                java_ok || echo openjdk-17-jdk-headless
                command -v mvn >/dev/null 2>&1 || echo maven
                command -v gcc >/dev/null 2>&1 || echo gcc libc6-dev
                command -v g++ >/dev/null 2>&1 || echo g++
                command -v make >/dev/null 2>&1 || echo make
                ;;
            window)
                library_ok libgtk-3.so.0 || echo libgtk-3-0
                library_ok libXtst.so.6 || echo libxtst6
                library_ok libGL.so.1 || echo libgl1
                library_ok libXxf86vm.so.1 || echo libxxf86vm1
                [ -n "$(fc-list 2>/dev/null | head -n 1)" ] || echo fontconfig fonts-dejavu-core
                ;;
            torch)
                torch_ok || echo python3-torch
                library_ok libopenblas.so.0 || echo libopenblas0-pthread
                ;;
            test)
                command -v Xvfb >/dev/null 2>&1 || echo xvfb xauth
                command -v xvfb-run >/dev/null 2>&1 || echo xvfb
                command -v fakeroot >/dev/null 2>&1 || echo fakeroot
                command -v objcopy >/dev/null 2>&1 || echo binutils
                command -v dpkg-deb >/dev/null 2>&1 || echo dpkg
                fc-list :lang=zh 2>/dev/null | grep -q . || echo fonts-noto-cjk
                ;;
        esac
    done | tr ' ' '\n' | sort -u
}

# need WHAT…: installs what is missing on Debian and Ubuntu, or says in one line what to install.
need() {
    local packages sudo=
    packages=$(missing_packages "$@" | tr '\n' ' ')
    [ -n "${packages// /}" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        die "please install the equivalents of these Debian packages and run again: $packages"
    fi
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            sudo=sudo
        else
            die "please install these packages and run again: sudo apt-get install --no-install-recommends $packages"
        fi
    fi
    say "installing: $packages"
    $sudo apt-get update -qq </dev/null >&2 || say "apt-get update failed; trying with the lists at hand"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages </dev/null >&2 ||
        die "could not install: $packages"
}

# A new enough JDK that is not the default one is found under /usr/lib/jvm.
choose_java() {
    java_ok && return 0
    local home
    for home in /usr/lib/jvm/*; do
        if [ -x "$home/bin/javac" ] && PATH=$home/bin:$PATH java_ok; then
            export JAVA_HOME=$home PATH=$home/bin:$PATH
            return 0
        fi
    done
    return 0
}

# What the program is made of: neither its tests nor the scripts that only start something.
sources_newer_than() {
    [ -n "$(find pom.xml {allocator-core,device-bridge,fx-ui,app}/{pom.xml,src/main} native/{Makefile,include,python,src} \
        scripts/{assemble,classpath}.sh -name __pycache__ -prune -o -type f -newer "$1" -print -quit 2>/dev/null)" ]
}

# become_program BEGUN: lays out what Maven has packed since BEGUN, a file, was written.
become_program() {
    scripts/assemble.sh && touch -r "$1" app/target/dist/.built
}

# Builds the program into app/target/dist when a source is newer than the last build.
build() {
    local stamp=app/target/dist/.built
    if [ -f "$stamp" ] && ! sources_newer_than "$stamp"; then
        return 0
    fi
    choose_java
    need build
    choose_java
    mkdir -p app/target
    exec 9>app/target/.lock
    flock 9 # two commands at once build once
    if [ -f "$stamp" ] && ! sources_newer_than "$stamp"; then
        exec 9>&-
        return 0
    fi
    say "building (the first time downloads libraries and takes a few minutes; later starts are quick)"
    local log=app/target/build.log begun
    begun=$(mktemp app/target/.begun.XXXXXX)
    progress "$log" mvn -B -Dspotless.check.skip=true -DskipTests -pl app -am package || {
        tail -n 40 "$log" >&2
        rm -f "$begun"
        die "the build failed; the whole log is in $log"
    }
    become_program "$begun" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; die "could not assemble the program; see $log"; }
    rm -f "$begun"
    exec 9>&-
}

# progress LOG COMMAND…: runs it with its output in LOG and a word on each module as it comes.
progress() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    "$@" </dev/null 2>&1 | tee "$log" | sed -u -n \
        -e 's/^\[INFO\] Building \([A-Za-z-]*\) .*\[\([0-9]*\/[0-9]*\)\].*/lacuna:   \2 \1/p' \
        -e 's/^Downloading from [^:]*: .*\/\([^/]*\)\.jar.*/lacuna:   fetching \1/p' >&2
    return "${PIPESTATUS[0]}"
}
