package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.HistoryAnnotation;
import java.util.List;
import java.util.regex.Pattern;

/** Which annotations of a recording begin a training step. */
public final class RecordedSteps {
    /** {@code ProfilerStep#12} of torch.profiler, {@code step 12}, {@code train_step}, Lacuna's own marks. */
    private static final Pattern STEP =
            Pattern.compile("(?i)(?:.*[^a-z])?(?:profiler|train|training)?_?step(?:[^a-z].*)?");

    private RecordedSteps() {}

    /** The moments at which steps of a device begin, in order. */
    public static List<Integer> of(List<HistoryAnnotation> annotations, int device) {
        return annotations.stream()
                .filter(a -> a.begins() && a.device() == device && a.event() >= 0)
                .filter(a -> STEP.matcher(a.name()).matches())
                .map(HistoryAnnotation::event)
                .distinct()
                .sorted()
                .toList();
    }
}
