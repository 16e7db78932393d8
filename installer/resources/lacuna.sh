#!/bin/sh
# lacuna, installed: `run` starts a training without any Java, everything else is Java.
here=$(dirname "$(readlink -f "$0")")
case "${1:-} ${2:-}" in
    'run ' | 'run -h' | 'run --help') ;;
    run\ *)
        shift
        exec "$here/../lib/agent/python/lacuna/run/lacuna-run" lacuna "$@"
        ;;
esac
exec "$here/lacuna-java" "$@"
