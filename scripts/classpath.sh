# Sourced: class paths of the assembled program. Relative to the top of the checkout.
dist=${dist:-app/target/dist}

join_jars() { local IFS=:; echo "$*"; }

# The command line needs no controls, and of JavaFX what texts are kept in (maps are drawn as the window draws them): fewer jars, faster start.
cli_classpath() {
    join_jars "$dist"/lib/app-*.jar "$dist"/lib/device-bridge-*.jar "$dist"/lib/allocator-core-*.jar \
        "$dist"/lib/jackson-*.jar "$dist"/lib/jna-*.jar "$dist"/lib/picocli-*.jar "$dist"/lib/snakeyaml-*.jar \
        "$dist"/lib/fx-ui-*.jar "$dist"/fx/javafx-base-*.jar
}

window_classpath() { join_jars "$dist"/lib/*.jar; }

# Class-data archives hold for the very Java that made them, how it was built, and the place where the program lies.
archive_basis() {
    readlink -f "$dist"
    stat -L -c '%n %s %Y' "$java_home/lib/modules" "$java_home/lib/server/libjvm.so" 2>/dev/null
}

# archive_classes: makes the archive that lets the command line start fast; the window makes its own at its first end. A run
# over a real log loads what every command loads; its classes are archived when it ends.
archive_classes() {
    local dist
    dist=$(readlink -f "$1")
    rm -f "$dist"/*.jsa
    printf 'RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity; 5.00 GiB already allocated; 1.00 GiB free; 6.50 GiB reserved in total by PyTorch)\n' |
        java -XX:ArchiveClassesAtExit="$dist/cli.jsa" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto "${java_options[@]}" \
            -cp "$(cli_classpath)" dev.lacuna.app.Main diagnose --json - >/dev/null || rm -f "$dist/cli.jsa"
    archive_basis >"$dist/.archived" || true
}

# fit_archives: makes them anew where another Java came since, by an update or a choice, or where the program was moved. Java
# would leave them aside without a word, and the window would never make its own again.
fit_archives() {
    local basis
    basis=$(archive_basis)
    [ "$basis" != "$(cat "$dist/.archived" 2>/dev/null)" ] && [ -w "$dist" ] || return 0
    (
        flock 9
        [ "$basis" = "$(cat "$dist/.archived" 2>/dev/null)" ] || archive_classes "$dist" >/dev/null 2>&1
    ) 9>"$dist/../.lock"
}
