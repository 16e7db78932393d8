package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of the tensor whose shape and type TensorFlow prints instead: {@code shape[8,32,64] and type float}; NumPy's is {@code
 * shape (8, 32, 64) and data type float32}.
 */
public final class PrintedShape {
    private static final String SIDES = "(\\d{1,12}(?:\\s?,\\s?\\d{1,12}){0,9})";

    private static final Pattern SHAPE = Pattern.compile("shape\\[" + SIDES + "\\]\\s+and\\s+type\\s+(\\w{2,12})"
            + "|shape\\s?\\(" + SIDES + ",?\\)\\s+and\\s+data\\s?type\\s+(\\w{3,12})");

    private static final Map<String, Long> BYTES = Map.ofEntries(
            Map.entry("float", 4L),
            Map.entry("float16", 2L),
            Map.entry("float32", 4L),
            Map.entry("float64", 8L),
            Map.entry("complex64", 8L),
            Map.entry("complex128", 16L),
            Map.entry("uint16", 2L),
            Map.entry("uint32", 4L),
            Map.entry("uint64", 8L),
            Map.entry("double", 8L),
            Map.entry("half", 2L),
            Map.entry("bfloat16", 2L),
            Map.entry("int8", 1L),
            Map.entry("uint8", 1L),
            Map.entry("bool", 1L),
            Map.entry("int16", 2L),
            Map.entry("int32", 4L),
            Map.entry("int64", 8L));

    /** Bytes; what makes more is no tensor's shape. */
    private static final double MOST = 1L << 50;

    private PrintedShape() {}

    /** Shape and type as NumPy prints them, {@code (8, 32, 64), float32}. */
    public static Optional<String> ofArray(OomReport report) {
        Matcher m = SHAPE.matcher(
                report.text() + " " + String.join(" ", report.context().lines()));
        return m.find() && m.group(3) != null ? Optional.of("(" + m.group(3) + "), " + m.group(4)) : Optional.empty();
    }

    /** Bytes, where shape and type are printed and make a size. */
    public static OptionalLong of(OomReport report) {
        Matcher m = SHAPE.matcher(
                report.text() + " " + String.join(" ", report.context().lines()));
        if (!m.find()) {
            return OptionalLong.empty();
        }
        boolean numpy = m.group(1) == null;
        Long each = BYTES.get(m.group(numpy ? 4 : 2));
        if (each == null) {
            return OptionalLong.empty();
        }
        double size = each;
        for (String side : m.group(numpy ? 3 : 1).split(",")) {
            size *= Long.parseLong(side.strip());
        }
        return size > 0 && size < MOST ? OptionalLong.of((long) size) : OptionalLong.empty();
    }
}
