package dev.lacuna.bridge;

import java.util.function.Consumer;

/**
 * Has an agent take the place of what was attached to a process: its pools stand in front of the framework's allocator from then on
 * and can be switched on. An act of control: never without the operator's word.
 */
public interface TakeOver {
    /**
     * Builds what has to stand there where that was not done yet, has the process put it in place at the end of its next step, and
     * waits for its agent.
     *
     * @param told lines of progress, in English, on the calling thread
     * @return the process with its agent, or why there is none: {@code no-front}, {@code no-step}, or the process's own word
     * @throws BridgeException GONE, TIMED_OUT, SYSTEM
     */
    Answer<TrainingProcess> open(TrainingProcess process, Consumer<String> told) throws BridgeException;
}
