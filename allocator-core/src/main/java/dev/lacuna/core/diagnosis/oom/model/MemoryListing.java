package dev.lacuna.core.diagnosis.oom.model;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Who holds how much of a memory, as a table of the log says: a driver's tool, an allocator's dump, a compiler's list of buffers.
 *
 * @param kind whose table it is
 * @param line where it begins
 * @param device in the table's words, such as {@code GPU 0}; empty where it does not say
 * @param amounts bytes of the whole, by meaning
 * @param shares what it lists, largest first; of a driver's tool the processes
 * @param others how many it lists besides, which were not kept
 * @param counts further numbers of the table, such as {@code retries}
 */
public record MemoryListing(
        Kind kind,
        long line,
        String device,
        Map<Quantity, Long> amounts,
        List<Share> shares,
        long others,
        Map<String, Long> counts) {
    public MemoryListing {
        amounts = amounts.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(amounts));
        shares = List.copyOf(shares);
        counts = Map.copyOf(counts);
    }

    /** Whose table it is. The id is what results call it. */
    public enum Kind {
        /** NVIDIA's tool: a device and the processes on it. */
        NVIDIA_SMI("nvidia-smi"),
        /** Ascend's tool. */
        NPU_SMI("npu-smi"),
        /** {@code torch.cuda.memory_summary()} and its relatives. */
        MEMORY_SUMMARY("memory-summary"),
        /** What a compiled program needs, by purpose. */
        PROGRAM("program"),
        /** The buffers that are live at its peak, or its largest ones. */
        BUFFERS("buffers"),
        /** Chunks in use of a best-fit allocator, by size. */
        CHUNKS("chunks"),
        /** Bins of a best-fit allocator. */
        BINS("bins");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        /** The word used in JSON. */
        public String id() {
            return id;
        }

        /** Whether it is a driver's tool. */
        public boolean ofDevice() {
            return this == NVIDIA_SMI || this == NPU_SMI;
        }
    }

    /**
     * One thing that holds memory.
     *
     * @param name what it is called
     * @param pid its process, where it is one
     * @param bytes what it holds; empty where the table does not say
     * @param usedBytes how much of that is in use; empty where the table makes no difference
     */
    public record Share(String name, OptionalLong pid, OptionalLong bytes, OptionalLong usedBytes) {}

    /** Bytes of the whole with this meaning. */
    public OptionalLong amount(Quantity quantity) {
        Long bytes = amounts.get(quantity);
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /** What is used of the device. */
    public OptionalLong usedBytes() {
        return amount(Quantity.TOTAL).isPresent() && amount(Quantity.FREE).isPresent()
                ? OptionalLong.of(amount(Quantity.TOTAL).getAsLong()
                        - amount(Quantity.FREE).getAsLong())
                : OptionalLong.empty();
    }

    /** What the listed ones hold together. */
    public long listedBytes() {
        return shares.stream().mapToLong(share -> share.bytes().orElse(0)).sum();
    }
}
