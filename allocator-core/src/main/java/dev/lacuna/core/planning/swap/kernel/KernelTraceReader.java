package dev.lacuna.core.planning.swap.kernel;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lacuna.core.planning.swap.kernel.KernelTrace.Kernel;
import dev.lacuna.core.planning.swap.kernel.KernelTrace.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads kernel traces in JSON: {@code kernel_table} rows of {@code [id, name, cycles, inputs, outputs]} and a
 * {@code tensor_table} from number to {@code [bytes, is_global]}.
 */
public final class KernelTraceReader {
    /** The public traces have 100 kB. */
    private static final long LARGEST_FILE = 64L << 20;
    /** Sums over all tensors or kernels stay far from overflow. */
    private static final long LARGEST_SUM = 1L << 56;

    private KernelTraceReader() {}

    /**
     * The trace of a file.
     *
     * @throws IOException when it cannot be read or is no such trace
     */
    public static KernelTrace read(Path file) throws IOException {
        if (Files.size(file) > LARGEST_FILE) {
            throw new IOException(file + ": larger than a kernel trace can be");
        }
        try {
            JsonNode root = new ObjectMapper().readTree(file.toFile());
            if (root == null || !recognises(root)) {
                throw new IllegalArgumentException("no kernel_table and tensor_table");
            }
            return of(root);
        } catch (IllegalArgumentException | JacksonException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** Whether this is such a trace, sound or not. */
    public static boolean recognises(JsonNode root) {
        return root.path("kernel_table").isArray() && root.path("tensor_table").isObject();
    }

    /**
     * The trace that a document holds.
     *
     * @throws IOException when it is damaged
     */
    public static KernelTrace read(JsonNode root) throws IOException {
        try {
            return of(root);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static KernelTrace of(JsonNode root) {
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        List<Tensor> tensors = tensors(root.get("tensor_table"), numbers);
        String name = root.path("model").asText("") + " " + root.path("batch").asText("");
        return new KernelTrace(name.strip(), kernels(root.get("kernel_table"), numbers), tensors);
    }

    private static List<Tensor> tensors(JsonNode table, Map<Integer, Integer> numbers) {
        List<Tensor> tensors = new ArrayList<>();
        long sum = 0;
        for (Map.Entry<String, JsonNode> each : table.properties()) {
            long bytes = whole(each.getValue().path(0));
            sum = within(sum + bytes);
            numbers.put(Integer.valueOf(each.getKey()), tensors.size());
            tensors.add(new Tensor(bytes, each.getValue().path(1).asInt(0) != 0));
        }
        return tensors;
    }

    private static List<Kernel> kernels(JsonNode table, Map<Integer, Integer> numbers) {
        List<Kernel> kernels = new ArrayList<>();
        long sum = 0;
        for (JsonNode row : table) {
            long cycles = whole(row.path(2));
            sum = within(sum + cycles);
            Set<Integer> used = new LinkedHashSet<>();
            for (int side = 3; side <= 4; side++) {
                for (JsonNode tensor : row.path(side)) {
                    Integer number = numbers.get(tensor.asInt(-1));
                    if (number == null) {
                        throw new IllegalArgumentException("kernel " + kernels.size() + " uses an unknown tensor");
                    }
                    used.add(number);
                }
            }
            kernels.add(new Kernel(row.path(1).asText(""), cycles, List.copyOf(used)));
        }
        if (kernels.isEmpty()) {
            throw new IllegalArgumentException("no kernels");
        }
        return kernels;
    }

    private static long whole(JsonNode value) {
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw new IllegalArgumentException("sizes and cycles are whole numbers from 0");
        }
        return within(value.longValue());
    }

    private static long within(long value) {
        if (value < 0 || value > LARGEST_SUM) {
            throw new IllegalArgumentException("sizes or cycles are too large");
        }
        return value;
    }
}
