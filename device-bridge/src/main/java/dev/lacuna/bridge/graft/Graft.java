package dev.lacuna.bridge.graft;

import dev.lacuna.bridge.BridgeException;

/** Has a Python process run a text at its next safe point, as documented in {@code native/include/lacuna_graft.h}. */
public interface Graft {
    /** Whether that could be done. Reads only; the process is not touched. */
    GraftReport look(long pid) throws BridgeException;

    /**
     * Leaves the text with the process and returns at once; it runs when its main thread comes by.
     *
     * @param startTicks start time of the process that is meant: another one with its pid is not touched
     * @param text Python, UTF-8
     * @param refused the link by which the process says that it could not begin, of plain characters; empty: nowhere
     */
    GraftReport run(long pid, long startTicks, byte[] text, String refused) throws BridgeException;
}
