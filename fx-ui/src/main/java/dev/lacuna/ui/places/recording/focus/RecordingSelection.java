package dev.lacuna.ui.places.recording.focus;

import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.List;

/** What is selected, or under the pointer, in any pane of the Snapshot place. Every pane highlights what it shows of it. */
public sealed interface RecordingSelection {
    /** Nothing. */
    RecordingSelection NONE = new None();

    /** Nothing. */
    record None() implements RecordingSelection {}

    /**
     * One life of a block.
     *
     * @param id its number in the chosen device's history
     */
    record Allocation(int id) implements RecordingSelection {}

    /**
     * A piece taken from the device.
     *
     * @param address where it begins
     */
    record Segment(long address) implements RecordingSelection {}

    /**
     * All blocks whose call stacks begin alike.
     *
     * @param path frames from the outermost inwards; not empty
     */
    record Stack(List<Frame> path) implements RecordingSelection {
        public Stack {
            path = List.copyOf(path);
        }
    }

    /**
     * All blocks of a range of sizes.
     *
     * @param from smallest, in bytes
     * @param to largest, in bytes, included
     */
    record SizeClass(long from, long to) implements RecordingSelection {}
}
