package dev.lacuna.core.base.counters;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a device is called: its kind, and its own index among those of that kind.
 *
 * @param backend what its memory lies on
 * @param index its own number there: GPU 0 is 0, wherever it stands in an agent's table
 */
public record DeviceName(Backend backend, int index) {
    private static final Pattern WRITTEN = Pattern.compile("([a-z][a-z0-9]{0,14}?)(?:[: ]?(\\d{1,3}))?");

    /** What users, frameworks and JSON write for a backend; any other word is meant as one only where a number follows. */
    private static Optional<Backend> backend(String word, boolean numbered) {
        return switch (word) {
            case "cuda", "gpu" -> Optional.of(Backend.CUDA);
            case "npu", "ascend" -> Optional.of(Backend.ASCEND);
            case "host", "cpu", "virtual" -> Optional.of(Backend.VIRTUAL);
            default -> numbered ? Backend.of(word) : Optional.empty();
        };
    }

    /** Reads {@code cuda:1}, {@code npu:0}, {@code host}; a kind alone is its device 0. Empty where it is none. */
    public static Optional<DeviceName> read(String written) {
        Matcher parts = WRITTEN.matcher(written.toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return Optional.empty();
        }
        boolean numbered = parts.group(2) != null;
        int index = numbered ? Integer.parseInt(parts.group(2)) : 0;
        return backend(parts.group(1), numbered).map(backend -> new DeviceName(backend, index));
    }

    /** The devices of a process in the order in which they are meant: accelerators before the host. */
    public static <T> Comparator<T> acceleratorsFirst(Function<T, DeviceName> name) {
        return Comparator.comparing(device -> !name.apply(device).isAccelerator());
    }

    /** Whether it is more than memory of the host. */
    public boolean isAccelerator() {
        return !backend.equals(Backend.VIRTUAL);
    }

    /** As {@link #read} takes it: {@code cuda:1}, {@code host}. */
    public String written() {
        return isAccelerator() ? kind() + ":" + index : index == 0 ? "host" : "host:" + index;
    }

    /** For people: {@code cuda 1}. */
    @Override
    public String toString() {
        return kind() + " " + index;
    }

    private String kind() {
        return backend.equals(Backend.ASCEND) ? "npu" : backend.label();
    }
}
