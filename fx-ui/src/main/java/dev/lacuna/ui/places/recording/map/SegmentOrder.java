package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.history.model.Moment;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** In which order segments are shown. */
public enum SegmentOrder {
    ADDRESS,
    /** The largest first. */
    SIZE,
    /** The one with the most bytes out of the trainer's hands first. */
    GAP;

    /** Part of text keys. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The segments of a moment in this order; equals by address. */
    int[] of(Moment moment) {
        int count = moment.segments().size();
        return switch (this) {
            case ADDRESS -> IntStream.range(0, count).toArray();
            case SIZE -> falling(count, moment.segments()::totalBytes);
            case GAP -> falling(count, moment::gapBytes);
        };
    }

    private static int[] falling(int count, IntToLongFunction key) {
        return IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong((Integer s) -> key.applyAsLong(s))
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
