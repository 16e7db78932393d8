package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.Locale;

/** How old the PyTorch may be that printed a message: nobody is told of what came later. Versions as 1.10 = 110. */
final class TorchAge {
    /** {@code torch.cuda.set_per_process_memory_fraction}. */
    static final int FRACTION = 108;

    /** {@code torch.autocast} with a type, {@code torch.autograd.graph.save_on_cpu}. */
    static final int AUTOCAST = 110;

    /** {@code checkpoint(…, use_reentrant=…)}, FSDP. */
    static final int REENTRANT = 111;

    /** Allocators from outside, as Lacuna's agent is one. */
    static final int PLUGGABLE = 200;

    /** Messages in sentences. */
    static final int SENTENCES = 201;

    private static final int UNTOLD = Integer.MAX_VALUE;

    private TorchAge() {}

    /** Whether all that is known says that it came before this version. */
    static boolean isBefore(Evidence e, int version) {
        return newest(e) < version;
    }

    private static int newest(Evidence e) {
        boolean device = e.report().framework() == Framework.PYTORCH_CUDA
                || e.report().framework() == Framework.PYTORCH_ROCM
                || e.report().framework() == Framework.TORCH7;
        if (!device) {
            return UNTOLD;
        }
        return Math.min(byForm(e), byPlaces(e));
    }

    private static int byForm(Evidence e) {
        return switch (e.report().form()) {
            case CACHED -> 103;
            case RESERVED_IN_TOTAL -> 109;
            case RESERVED_WITH_ADVICE -> 200;
            case SENTENCES_CAPACTY, SENTENCES, REJECTED, OTHER -> UNTOLD;
        };
    }

    /** By words of its oldest library, and by a file that has been called otherwise since 1.9. */
    private static int byPlaces(Evidence e) {
        if (e.report().text().toLowerCase(Locale.ROOT).contains("cuda runtime error")) {
            return 104;
        }
        boolean renamed = e.report().context().lines().stream()
                .anyMatch(line -> line.contains("torch/tensor.py") || line.contains("torch\\tensor.py"));
        return renamed ? FRACTION - 1 : UNTOLD; // 1.8 may be, but nothing says so.
    }
}
