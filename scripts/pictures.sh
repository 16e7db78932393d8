#!/usr/bin/env bash
# Makes the pictures of docs/window.md anew: every place as the tests fill it, Live over a real training, light and dark, at
# 1440 x 900. They are written to docs/images; look at each of them before they are committed. Takes Maven's options, such as -o.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
source scripts/setup.sh
choose_java
need build window test

shots=$(mktemp -d)
trap 'rm -rf "$shots"' EXIT
# Tests of MODULE: their pictures.
pictures_of() { # MODULE TESTS Maven's options…
    xvfb-run -a -s "-screen 0 1920x1200x24 -nolisten tcp -r" mvn -q -B -ntp -Dspotless.check.skip=true \
        -Dsurefire.failIfNoSpecifiedTests=false -pl "$1" -am -Dtest="$2" "${@:3}" test
}
# By day the test wears two dresses; at night these two are among what it wears.
pictures_of fx-ui EveryPlaceLayoutTest "$@" -Dtests.excluded=none -Dlacuna.shots="$shots"
for theme in light dark; do
    for place in processes swap diagnose snapshot whatif planner; do
        cp "$shots/$place-english-$theme-1440x900@1.png" "docs/images/$place-$theme.png"
    done
    pictures_of app MainJobTest "$@" -Dtests.excluded=nightly -Dlacuna.theme=$theme -Dlacuna.steps=25
    cp app/target/screenshots/live-on.png "docs/images/live-$theme.png"
done
ls -l docs/images/*-light.png docs/images/*-dark.png
