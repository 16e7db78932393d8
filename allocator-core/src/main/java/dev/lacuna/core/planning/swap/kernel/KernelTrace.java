package dev.lacuna.core.planning.swap.kernel;

import java.util.List;

/**
 * One training step as kernels. It repeats: global tensors live on into the next step, the others from their first kernel
 * to their last.
 *
 * @param name of model and batch
 * @param kernels in the order in which they run
 * @param tensors by number
 */
public record KernelTrace(String name, List<Kernel> kernels, List<Tensor> tensors) {
    /**
     * A kernel.
     *
     * @param name its operator
     * @param cycles how long it runs when all its tensors are on the device
     * @param tensors numbers of the tensors that it reads or writes, each once
     */
    public record Kernel(String name, long cycles, List<Integer> tensors) {
        public Kernel {
            tensors = List.copyOf(tensors);
        }

        /** Whether it belongs to the backward pass or the update, as its name says. */
        boolean backward() {
            return name.contains("Backward") || name.contains("Apply_Grad");
        }
    }

    /**
     * A tensor.
     *
     * @param bytes its size
     * @param global whether it outlives the step: weights and the like
     */
    public record Tensor(long bytes, boolean global) {}

    public KernelTrace {
        kernels = List.copyOf(kernels);
        tensors = List.copyOf(tensors);
    }

    /** Time of the kernels alone: what no plan can beat. */
    public long idealCycles() {
        return kernels.stream().mapToLong(Kernel::cycles).sum();
    }
}
