package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.Sample;
import dev.lacuna.core.diagnosis.report.Table;

/** What watching keeps of what it has seen, in a bounded place. */
interface Watched {
    /** Another sample. */
    void add(Sample sample);

    /** Whether there was none. */
    boolean isEmpty();

    /** The figures of every device. */
    Table table();

    /** The picture of one device. */
    byte[] picture();
}
