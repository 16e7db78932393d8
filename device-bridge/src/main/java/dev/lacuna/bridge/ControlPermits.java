package dev.lacuna.bridge;

/**
 * Whether the operator has allowed a process that was not prepared to be changed from the command line, whose programs end before
 * they could remember it. The word holds for that process as long as it stays attached: not for the same one when it is attached again.
 */
public interface ControlPermits {
    /** Whether the operator has said so. */
    boolean allowed(TrainingProcess process) throws BridgeException;

    /**
     * Writes the operator's answer to the audit log, and remembers a yes.
     *
     * @throws BridgeException SYSTEM where it cannot be written
     */
    void answered(TrainingProcess process, boolean yes) throws BridgeException;
}
