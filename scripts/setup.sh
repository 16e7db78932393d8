# Sourced by ./lacuna, ./test and ./bench: finds or installs what a command needs and builds the program.
# Everything here speaks on stderr; stdout belongs to the command.

say() { printf 'lacuna: %s\n' "$*" >&2; }
die() { say "$*"; exit 70; }

jvm_folder=/usr/lib/jvm # where Debian and others put the JDKs that they install
java_home='' # what choose_java chose
java_options=() # what that Java wants to be told, so that it says nothing on stderr

# java_major HOME: which Java the JDK there is; nothing where there is none.
java_major() {
    local line version=''
    [ -x "$1/bin/javac" ] || return 0
    if [ -r "$1/release" ]; then
        while IFS= read -r line; do
            case $line in JAVA_VERSION=*) version=${line#*=} ;; esac
        done <"$1/release"
        version=${version//\"/}
    else
        version=$("$1/bin/javac" -version 2>&1) && version=${version#javac }
    fi
    version=${version%%[!0-9]*}
    [ -z "$version" ] || echo "$version"
}
java_fits() {
    local major
    major=$(java_major "$1")
    [ -n "$major" ] && [ "$major" -ge 17 ]
}

# find_java: the home of a JDK 17 or newer: JAVA_HOME, else the one on the PATH, else the system's default, else the oldest
# that there is, which our compiler plug-ins are likeliest to know.
find_java() {
    local home compiler major best='' lowest=
    compiler=$(command -v javac 2>/dev/null) && compiler=$(readlink -f "$compiler")
    for home in "${JAVA_HOME:-}" "${compiler%/bin/javac}" "$jvm_folder/default-java"; do
        if [ -n "$home" ] && java_fits "$home"; then
            echo "$home"
            return 0
        fi
    done
    for home in "$jvm_folder"/*; do
        major=$(java_major "$home")
        if [ -n "$major" ] && [ "$major" -ge 17 ] && [ "$major" -lt "${lowest:-1000}" ]; then
            lowest=$major best=$home
        fi
    done
    [ -n "$best" ] && echo "$best"
}

# choose_java: makes everything that is started from here, Maven too, use the JDK that find_java finds.
choose_java() {
    local major
    java_home=$(find_java) || return 0
    major=$(java_major "$java_home")
    export JAVA_HOME=$java_home
    case $PATH in "$java_home/bin":*) ;; *) export PATH=$java_home/bin:$PATH ;; esac
    java_options=()
    # From 24 on, Java warns of native code and of what JavaFX 21 and Maven's libraries call.
    [ "$major" -lt 24 ] && return
    java_options=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow)
    case ${MAVEN_OPTS:-} in *"${java_options[*]}"*) ;; *) export MAVEN_OPTS="${java_options[*]} ${MAVEN_OPTS:-}" ;; esac
}

# Not grep -q, which leaves at the first match: ldconfig is then killed by the pipe, and with pipefail a library that is there is missing.
library_ok() { "$(command -v ldconfig || echo /sbin/ldconfig)" -p 2>/dev/null | grep "$1" >/dev/null; }
torch_ok() { ${LACUNA_PYTHON:-/usr/bin/python3} -c 'import torch' >/dev/null 2>&1; }

# missing_packages WHAT…: the Debian packages that are not there yet, for: build agent window torch pictures pages test format package venv.
# Where releases differ, all
# names that do, best first: A|B.
missing_packages() {
    local what
    for what in "$@"; do
        case $what in
            build)
                find_java >/dev/null || echo 'default-jdk-headless|openjdk-25-jdk-headless|openjdk-21-jdk-headless|openjdk-17-jdk-headless'
                command -v mvn >/dev/null 2>&1 || echo maven
                missing_packages agent
                ;;
            agent)
                command -v gcc >/dev/null 2>&1 || echo gcc libc6-dev
                command -v g++ >/dev/null 2>&1 || echo g++
                command -v make >/dev/null 2>&1 || echo make
                ;;
            window)
                library_ok libgtk-3.so.0 || echo 'libgtk-3-0|libgtk-3-0t64'
                library_ok libXtst.so.6 || echo libxtst6
                library_ok libGL.so.1 || echo libgl1
                library_ok libXxf86vm.so.1 || echo libxxf86vm1
                [ -n "$(fc-list 2>/dev/null | head -n 1)" ] || echo fontconfig fonts-dejavu-core
                ;;
            torch)
                torch_ok || echo python3-torch
                library_ok libopenblas.so.0 || echo libopenblas0-pthread
                ;;
            pictures) command -v identify >/dev/null 2>&1 || echo imagemagick ;;
            format) command -v clang-format >/dev/null 2>&1 || echo clang-format ;;
            package) command -v lintian >/dev/null 2>&1 || echo lintian ;;
            venv) python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || echo python3-venv ;;
            pages) command -v asciidoctor >/dev/null 2>&1 || echo asciidoctor ;;
            test)
                command -v Xvfb >/dev/null 2>&1 || echo xvfb xauth
                command -v xvfb-run >/dev/null 2>&1 || echo xvfb
                command -v fakeroot >/dev/null 2>&1 || echo fakeroot
                command -v objcopy >/dev/null 2>&1 || echo binutils
                command -v dpkg-deb >/dev/null 2>&1 || echo dpkg
                fc-list :lang=zh 2>/dev/null | grep . >/dev/null || echo fonts-noto-cjk
                ;;
        esac
    done | tr ' ' '\n' | sort -u
}

# package_here NAME|NAME…: the first that this release has; where none is known, the first.
package_here() {
    local name version
    for name in ${1//|/ }; do
        version=$(LC_ALL=C apt-cache policy "$name" 2>/dev/null | sed -n 's/^  Candidate: //p')
        case $name:$version in
            "$name:" | "$name:(none)") continue ;;
            default-jdk*)
                version=${version#*:1.} # 2:1.21-76 is Java 21; some releases' default is too old
                [ "${version%%[!0-9]*}" -ge 17 ] 2>/dev/null || continue
                ;;
        esac
        echo "$name"
        return
    done
    echo "${1%%|*}"
}
packages_here() {
    local names
    for names in "$@"; do package_here "$names"; done | tr '\n' ' '
}

# install_missing WHAT…: installs what is missing on Debian and Ubuntu, or leaves in $obstacle one line on what to do.
install_missing() {
    local names packages sudo=
    # shellcheck disable=SC2207 # names of packages
    names=($(missing_packages "$@"))
    [ "${#names[@]}" -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        obstacle="please install the equivalents of these Debian packages and run again: ${names[*]%%|*}"
        return 1
    fi
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            sudo=sudo
        else
            packages=$(packages_here "${names[@]}")
            obstacle="please install these packages and run again: sudo apt-get install --no-install-recommends $packages"
            return 1
        fi
    fi
    $sudo apt-get update -qq </dev/null >&2 || say "apt-get update failed; trying with the lists at hand"
    packages=$(packages_here "${names[@]}") # what there is, the new lists say
    say "installing: $packages"
    # shellcheck disable=SC2086 # names of packages
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages </dev/null >&2 && return
    obstacle="could not install: $packages"
    return 1
}

# need WHAT…: what cannot be done without. want_torch: the demo and the tests have a way without PyTorch.
need() { install_missing "$@" || die "$obstacle"; }
want_torch() { install_missing torch || say "going on without PyTorch: $obstacle"; }

# find_ruff: leaves in $ruff the one that is there, else puts it into a folder of the cache: Debian 12 has no package of it.
find_ruff() {
    local folder=${XDG_CACHE_HOME:-$HOME/.cache}/lacuna/ruff
    for ruff in "$(command -v ruff)" "$folder/bin/ruff"; do
        [ -z "$ruff" ] || ! "$ruff" --version >/dev/null 2>&1 || return 0
    done
    install_missing venv || return 1
    say "installing: ruff, by pip, into $folder"
    python3 -m venv "$folder" >&2 && "$folder/bin/pip" install -q --disable-pip-version-check ruff==0.16.9 </dev/null >&2 && return
    rm -rf "$folder"
    obstacle="please install ruff and run again: pipx install ruff"
    return 1
}

# What the program is made of: neither its tests nor the scripts that only start something.
sources_newer_than() {
    [ -n "$(find pom.xml {allocator-core,device-bridge,fx-ui,app}/{pom.xml,src/main} native/{Makefile,include,python,src} \
        scripts/{assemble,classpath}.sh -name __pycache__ -prune -o -type f -newer "$1" -print -quit 2>/dev/null)" ]
}

# build_agent: the agent alone, in seconds; it needs no Java. Not 0 where it cannot be built, with the reason in $obstacle.
build_agent() {
    local log=native/build/agent.log built=native/build/liblacuna_torch.so
    if [ -f "$built" ] && [ -d native/build/preload ] &&
        [ -z "$(find native/{Makefile,include,src} -type f -newer "$built" -print -quit 2>/dev/null)" ]; then
        return 0
    fi
    install_missing agent || return 1
    mkdir -p native/build
    say "building the agent (the first time takes half a minute)"
    (
        flock 9
        make -s -j "$(nproc)" -C native >"$log" 2>&1 && touch "$built"
    ) 9>native/build/.lock && return
    obstacle="the agent could not be built; see $PWD/$log"
    return 1
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
    say "building with ${java_home:-the Java on the PATH} (the first time downloads libraries and takes a few minutes; later starts are quick)"
    local log=app/target/build.log begun
    begun=$(mktemp app/target/.begun.XXXXXX)
    compiling_once progress "$log" mvn -B -Dspotless.check.skip=true -DskipTests -pl app -am package || {
        tail -n 40 "$log" >&2
        rm -f "$begun"
        die "the build failed; the whole log is in $log"
    }
    scripts/assemble.sh >>"$log" 2>&1 || { tail -n 20 "$log" >&2; die "could not assemble the program; see $log"; }
    touch -r "$begun" app/target/dist/.built
    rm -f "$begun"
    exec 9>&-
}

# Maven compiles once and ends: what Java's second compiler would win takes as much processor time again.
compiling_once() { MAVEN_OPTS="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${MAVEN_OPTS:-}" "$@"; }

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
