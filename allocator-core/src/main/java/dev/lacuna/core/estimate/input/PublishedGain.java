package dev.lacuna.core.estimate.input;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What MindSpeed's page on memory fragmentation says that its pools gain in a run, in GiB and as a share, which together say how much
 * the run took; and whether that can have been with every activation kept whole, as nothing else is named
 * ({@code PublishedFragmentationRunsTest}). Beside it what replays of a rank of that shape say: by how many GiB the card may be smaller
 * than PyTorch's allocator needs, under MindSpeed's pools and under ours ({@code native/bench/published_gain.py}, docs/planning.md).
 */
record PublishedGain(double gib, double percent, boolean fitsAsNamed, double replayedGib, double oursGib) {
    private static final Map<String, PublishedGain> BY_PRESET = Map.of(
            "llama2-7b-tp8-4k", new PublishedGain(1.71, 3, true, 0.88, 1.33),
            "llama2-7b-tp8-6k", new PublishedGain(1.22, 2.4, true, 0.81, 1.82),
            "llama2-13b-tp8-8k", new PublishedGain(2.19, 3.8, false, 1.86, 3.52),
            "llama2-13b-tp8-dp2-4k", new PublishedGain(0.67, 1.2, true, 0.43, 1.33),
            "llama2-13b-tp8-dp2-6k", new PublishedGain(0.31, 0.5, true, 0.33, 1.5),
            "llama2-13b-tp8-dp2-8k", new PublishedGain(1.71, 3.1, false, 0.75, 1.96),
            "llama2-70b-tp8-pp4-4k", new PublishedGain(1.28, 2.2, false, 0.27, 1.2),
            "llama2-70b-tp8-pp4-6k", new PublishedGain(1.4, 2.5, false, 0.31, 1.79),
            "llama2-70b-tp8-pp4-8k", new PublishedGain(1.21, 2, false, 0.48, 2.18));

    static Optional<PublishedGain> of(String preset) {
        return Optional.ofNullable(BY_PRESET.get(preset));
    }

    EstimateNote note() {
        return EstimateNote.of(
                fitsAsNamed ? "note.published" : "note.published.unfit",
                figure(gib),
                figure(percent),
                String.format(Locale.ROOT, "%.0f", gib / percent * 100),
                figure(replayedGib),
                figure(oursGib));
    }

    private static String figure(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }
}
