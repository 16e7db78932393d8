package dev.lacuna.bridge;

import java.nio.file.Path;
import java.util.List;

/**
 * What was saved of a process.
 *
 * @param files one per device, the first device's first; empty when nothing was recorded
 * @param events requests and frees in all of them, as whoever reads them counts
 * @param lostEvents events that were overwritten before they could be read
 * @param byItself whether the recording ended by itself: with the process, or because that could not be read any further
 */
public record SavedRecording(List<Path> files, long events, long lostEvents, boolean byItself) {
    public SavedRecording {
        files = List.copyOf(files);
    }
}
