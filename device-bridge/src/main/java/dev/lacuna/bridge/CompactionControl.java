package dev.lacuna.bridge;

/** Compaction of a process with an agent: what outlives steps moves to the side that serves since the last switch. */
public interface CompactionControl {
    /**
     * Asks for it, anew where it is under way. An act of control, as {@link AttachedProcess#apply} is; the process begins at the end
     * of its next step.
     *
     * @param atOnce everything at one step's end, which takes longer by that; else a twentieth of the training's time
     * @throws BridgeException TIMED_OUT after 2 s, GONE, NOT_PERMITTED
     */
    Answer<Boolean> ask(int device, boolean atOnce) throws BridgeException;

    /**
     * How far it is.
     *
     * @throws BridgeException TIMED_OUT after 2 s, GONE, NOT_PERMITTED
     */
    Answer<Compaction> state(int device) throws BridgeException;
}
