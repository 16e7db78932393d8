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
import java.util.HashSet;
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

    /** Columns of a kernel's row. */
    private static final int INPUTS = 3;

    private static final int OUTPUTS = 4;

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
        List<Tensor> tensors = tensors(root.get("tensor_table"), used(root.get("kernel_table")), numbers);
        String name = root.path("model").asText("") + " " + root.path("batch").asText("");
        return new KernelTrace(name.strip(), kernels(root.get("kernel_table"), numbers), tensors);
    }

    /** The tensors that kernels name: what is odd of another costs nothing. */
    private static Set<String> used(JsonNode kernels) {
        Set<String> used = new HashSet<>();
        for (JsonNode row : kernels) {
            row.path(INPUTS).forEach(tensor -> used.add(tensor.asText()));
            row.path(OUTPUTS).forEach(tensor -> used.add(tensor.asText()));
        }
        return used;
    }

    private static List<Tensor> tensors(JsonNode table, Set<String> used, Map<Integer, Integer> numbers) {
        List<Tensor> tensors = new ArrayList<>();
        long sum = 0;
        for (Map.Entry<String, JsonNode> each : table.properties()) {
            JsonNode size = each.getValue().path(0);
            if (!used.contains(each.getKey()) && !isWhole(size)) {
                continue;
            }
            String place = "bytes of tensor " + each.getKey();
            long bytes = whole(size, place);
            sum = within(sum + bytes, place);
            numbers.put(number(each.getKey()), tensors.size());
            tensors.add(new Tensor(bytes, each.getValue().path(1).asInt(0) != 0));
        }
        return tensors;
    }

    private static List<Kernel> kernels(JsonNode table, Map<Integer, Integer> numbers) {
        List<Kernel> kernels = new ArrayList<>();
        long sum = 0;
        for (JsonNode row : table) {
            String place = "cycles of kernel " + kernels.size();
            long cycles = whole(row.path(2), place);
            sum = within(sum + cycles, place);
            Set<Integer> used = new LinkedHashSet<>();
            for (int side = INPUTS; side <= OUTPUTS; side++) {
                for (JsonNode tensor : row.path(side)) {
                    Integer number = numbers.get(tensor.asInt(-1));
                    if (number == null) {
                        throw new IllegalArgumentException(
                                "kernel " + kernels.size() + " uses an unknown tensor: " + tensor);
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

    private static int number(String key) {
        try {
            return Integer.parseInt(key);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("tensor " + key + " has no number", e);
        }
    }

    private static boolean isWhole(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
    }

    private static long whole(JsonNode value, String place) {
        if (!isWhole(value)) {
            throw new IllegalArgumentException(place + " is no whole number from 0: " + value);
        }
        return within(value.longValue(), place);
    }

    private static long within(long value, String place) {
        if (value < 0 || value > LARGEST_SUM) {
            throw new IllegalArgumentException(place + " is too large");
        }
        return value;
    }
}
