package dev.lacuna.core.trace;

import java.io.IOException;

/** A trace that can be read more than once, in bounded memory however long it is. */
@FunctionalInterface
public interface TraceSource {
    /** Starts one reading. */
    TraceCursor open() throws IOException;
}
