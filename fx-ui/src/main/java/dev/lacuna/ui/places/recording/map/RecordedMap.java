package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.ui.blockmap.MapDrawing;
import java.util.stream.IntStream;

/** The map of a recording for pictures that are made without a window. */
public final class RecordedMap {
    private RecordedMap() {}

    /**
     * One moment of one device of a recording.
     *
     * @param moment of this device
     */
    public static MapDrawing at(
            Recording recording, DeviceHistory device, Moment moment, Colouring colouring, SegmentOrder order) {
        MapPicture picture = MapPicture.of(moment, BlockColours.of(device, recording.annotations()), colouring, order);
        return new MapDrawing(
                picture.map(),
                IntStream.of(picture.order()).boxed().toList(),
                MapWords.legend(picture),
                segment -> MapWords.segment(moment, segment),
                MapWords.summary(moment));
    }
}
