package dev.lacuna.bridge;

import dev.lacuna.core.base.counters.LivePeak;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What can be asked of a process that was not prepared and is attached, beyond what holds for all. Every method waits for the
 * process's answer and throws a {@link BridgeException} where none comes. What changes something is the act of control: never
 * without the operator's word.
 */
public interface StockControl {
    /** What it runs, and which of the methods here it can serve. */
    Answer<Facts> facts() throws BridgeException;

    /** Its allocator's settings, and how the last change does. */
    Answer<SettingState> settings() throws BridgeException;

    /** Changes one of them and leaves the others. */
    Answer<SettingChange> changeSetting(String key, String value) throws BridgeException;

    /** Brings back the settings that held before the last change. */
    Answer<SettingChange> undoSetting() throws BridgeException;

    /**
     * What changing a setting would do: the next twelve steps are recorded, ten seconds where no step was seen yet, and replayed. The
     * setting itself stays as it is. Waits for a minute at most.
     */
    default Answer<Forecast> forecast(String key, String value) throws BridgeException {
        return new Answer.Refused<>("cannot", "it records nothing");
    }

    /** Keeps a history of its blocks from now on, and saves it as a memory snapshot; what was kept before goes on afterwards. */
    Answer<RecordingState> record(RecordingOrder order) throws BridgeException;

    /** How far that is. */
    Answer<RecordingState> recording() throws BridgeException;

    /** Ends it now and has it saved. */
    Answer<RecordingState> endRecording() throws BridgeException;

    /**
     * At its next out-of-memory it saves a snapshot with stacks to this file, once; the exception still reaches the script.
     *
     * @param target absolute, as the process sees it; empty: not any more
     */
    Answer<Boolean> arm(Optional<Path> target) throws BridgeException;

    /** What its tensors are of. */
    Answer<Categories> categories() throws BridgeException;

    /**
     * Has an agent take its place at the end of the next step: PyTorch's CUDA allocator is wrapped, and can be switched from then on.
     *
     * @param library {@code liblacuna_torch.so}, as the process sees it
     * @param packageFolder the Python package {@code lacuna}
     */
    default Answer<Boolean> openFront(Path library, Path packageFolder) throws BridgeException {
        return new Answer.Refused<>("cannot", "it has no front door");
    }

    /** Has it let go: thread and files end, and everything is as it was found. */
    Answer<Boolean> retract() throws BridgeException;

    /**
     * What it is.
     *
     * @param framework such as {@code torch 2.14.1}
     * @param can what it can serve: {@code fraction empty-cache settings record arm categories}
     */
    record Facts(String framework, Set<String> can) {
        public Facts {
            can = Set.copyOf(can);
        }
    }

    /** Whether the last change of a setting lasts. */
    enum Trial {
        /** Nothing was changed, or it was brought back by somebody. */
        NONE,
        /** The next steps decide. */
        RUNNING,
        HELD,
        /** Brought back by itself: the steps after it took longer than the slowest before it. */
        SLOWER,
        /** Brought back by itself: a request had to retry. */
        RETRY
    }

    /**
     * The allocator's settings.
     *
     * @param text as PyTorch writes them
     * @param trial of the last change
     */
    record SettingState(String text, Trial trial) {}

    /**
     * What a setting would do. Figures from the start on are those of a process that has the settings then: what one that runs holds
     * already stays where it is.
     *
     * @param reservedBytes most reserved while it was recorded
     * @param allocatedBytes most allocated then
     * @param withPresentBytes most reserved by the settings that it has
     * @param withChangedBytes most reserved with the change
     * @param live most reserved with the change where it is set now; not known where segments grow already
     * @param failures requests that would run out of memory with the change
     */
    record Forecast(
            long reservedBytes,
            long allocatedBytes,
            long withPresentBytes,
            long withChangedBytes,
            Optional<LivePeak> live,
            long failures) {}

    /** The allocator's settings before and after a change, as read back. */
    record SettingChange(String before, String after) {}

    /**
     * A recording to be made.
     *
     * @param target absolute, as the process sees it
     * @param steps whole steps that it lasts; else seconds
     * @param seconds how long it lasts, where no steps are given
     * @param entries the most entries that are kept
     */
    record RecordingOrder(Path target, OptionalInt steps, int seconds, OptionalInt entries) {}

    /**
     * How far a recording is.
     *
     * @param running whether a history is being kept
     * @param done whether the last one was saved
     * @param problem why it could not be, or empty
     */
    record RecordingState(boolean running, boolean done, String problem) {}

    /** What tensors are of, in bytes. */
    record Categories(
            long parametersBytes, long gradientsBytes, long optimizerBytes, long activationsBytes, long otherBytes) {
        /** All of it. */
        public long totalBytes() {
            return parametersBytes + gradientsBytes + optimizerBytes + activationsBytes + otherBytes;
        }
    }
}
