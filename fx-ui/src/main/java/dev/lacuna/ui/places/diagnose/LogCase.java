package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import java.util.function.Supplier;

/**
 * One out-of-memory report of a log, judged, not yet worded.
 *
 * @param source file or description that it was found in, in the language of the moment
 * @param diagnosis what is to be said about it
 */
record LogCase(Supplier<String> source, Diagnosis diagnosis) {
    /** The source in the language of now. */
    String sourceName() {
        return source.get();
    }
}
