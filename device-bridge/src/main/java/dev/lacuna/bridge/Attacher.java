package dev.lacuna.bridge;

import java.time.Duration;
import java.util.function.Consumer;

/** Attaches to processes that were not prepared, and lets them go again. Each call is an act: never without the operator's word. */
public interface Attacher {
    /**
     * Has the process run what tells of its memory, and waits for its first sample. It needs the main thread to come by, so it waits
     * as long as that is in a call that does not return.
     *
     * @param waiting told every second how long it has been; on the calling thread. One call follows another
     */
    Outcome attach(FoundProcess process, Consumer<Duration> waiting) throws BridgeException;

    /**
     * Has it let go, and waits until that is done; an agent that took its place while it ran goes too, at the end of a step.
     *
     * @return refused where it carries an agent from its start on, or does not let go
     */
    Answer<Boolean> detach(TrainingProcess process) throws BridgeException;

    /** What came of it. */
    sealed interface Outcome {
        /**
         * It tells.
         *
         * @param process as it is listed now
         * @param took from the call to the first sample
         * @param stopped the longest that its threads stood still; zero where it told already, and was not touched
         */
        record Attached(TrainingProcess process, Duration took, Duration stopped) implements Outcome {
            /** Whether it told already. */
            public boolean already() {
                return stopped.isZero();
            }
        }

        /** It was not attached. It was not touched either, but for {@link Obstacle.Kind#WAITING} and for what was left with it and
         * could not begin: {@code NO_SPACE}, {@code FORBIDDEN}, {@code NO_THREAD}, {@code UNABLE}. */
        record Refused(Obstacle why) implements Outcome {}
    }
}
