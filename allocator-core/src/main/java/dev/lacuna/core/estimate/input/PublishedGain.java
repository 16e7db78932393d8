package dev.lacuna.core.estimate.input;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What MindSpeed's page on memory fragmentation says that its pools gain in a run, in GiB and as a share, which together say how much
 * the run took; and whether that can have been with every activation kept whole, as nothing else is named
 * ({@code PublishedFragmentationRunsTest}).
 */
record PublishedGain(double gib, double percent, boolean fitsAsNamed) {
    private static final Map<String, PublishedGain> BY_PRESET = Map.of(
            "llama2-7b-tp8-4k", new PublishedGain(1.71, 3, true),
            "llama2-7b-tp8-6k", new PublishedGain(1.22, 2.4, true),
            "llama2-13b-tp8-8k", new PublishedGain(2.19, 3.8, false),
            "llama2-13b-tp8-dp2-4k", new PublishedGain(0.67, 1.2, true),
            "llama2-13b-tp8-dp2-6k", new PublishedGain(0.31, 0.5, true),
            "llama2-13b-tp8-dp2-8k", new PublishedGain(1.71, 3.1, false),
            "llama2-70b-tp8-pp4-4k", new PublishedGain(1.28, 2.2, false),
            "llama2-70b-tp8-pp4-6k", new PublishedGain(1.4, 2.5, false),
            "llama2-70b-tp8-pp4-8k", new PublishedGain(1.21, 2, false));

    static Optional<PublishedGain> of(String preset) {
        return Optional.ofNullable(BY_PRESET.get(preset));
    }

    EstimateNote note() {
        return EstimateNote.of(
                fitsAsNamed ? "note.published" : "note.published.unfit",
                figure(gib),
                figure(percent),
                String.format(Locale.ROOT, "%.0f", gib / percent * 100));
    }

    private static String figure(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }
}
