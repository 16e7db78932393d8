package dev.lacuna.core.planning.swap.mindspeed;

import java.util.List;

/** What a module is called with or returns, as far as profiling looks at it: tensors, nested in lists as they may be. */
public sealed interface MeasuredArgument {
    /** Size in MiB; what is no tensor counts nothing. */
    double megabytes();

    /** A tensor. */
    public record Tensor(long elements, int elementBytes) implements MeasuredArgument {
        private static final double MIB = 1 << 20;

        @Override
        public double megabytes() {
            return elements * elementBytes / MIB;
        }
    }

    /** Several of them. */
    record Group(List<MeasuredArgument> members) implements MeasuredArgument {
        public Group {
            members = List.copyOf(members);
        }

        @Override
        public double megabytes() {
            return members.stream().mapToDouble(MeasuredArgument::megabytes).sum();
        }
    }
}
