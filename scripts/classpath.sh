# Sourced: class paths of the assembled program. Relative to the top of the checkout.
dist=${dist:-app/target/dist}

join_jars() { local IFS=:; echo "$*"; }

# The command line needs no JavaFX and no controls: fewer jars, faster start.
cli_classpath() {
    join_jars "$dist"/lib/app-*.jar "$dist"/lib/device-bridge-*.jar "$dist"/lib/allocator-core-*.jar \
        "$dist"/lib/jackson-*.jar "$dist"/lib/jna-*.jar "$dist"/lib/picocli-*.jar "$dist"/lib/snakeyaml-*.jar
}

window_classpath() { join_jars "$dist"/lib/*.jar; }
