package dev.lacuna.ui.places.recording;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Recording;
import java.util.Optional;

/** Where the Snapshot place leads. UI thread only. */
public interface RecordingActions {
    /**
     * Asks what other allocators would have made of this recording.
     *
     * @param recording what is open
     * @param shown the device of it that is looked at
     * @param path the file that it was read from; empty where there is none, or where only a part of it is meant
     */
    void whatIf(Recording recording, DeviceHistory shown, Optional<String> path);
}
