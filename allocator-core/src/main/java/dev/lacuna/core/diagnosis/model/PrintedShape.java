package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The size of the tensor whose shape and type TensorFlow prints instead: {@code shape[8,32,64] and type float}. */
public final class PrintedShape {
    private static final Pattern SHAPE =
            Pattern.compile("shape\\[(\\d{1,9}(?:\\s?,\\s?\\d{1,9}){0,9})\\]\\s+and\\s+type\\s+(\\w{2,12})");

    private static final Map<String, Long> BYTES = Map.ofEntries(
            Map.entry("float", 4L),
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

    /** Bytes, where shape and type are printed and make a size. */
    public static OptionalLong of(OomReport report) {
        Matcher m = SHAPE.matcher(
                report.text() + " " + String.join(" ", report.context().lines()));
        if (!m.find() || !BYTES.containsKey(m.group(2))) {
            return OptionalLong.empty();
        }
        double size = BYTES.get(m.group(2));
        for (String side : m.group(1).split(",")) {
            size *= Long.parseLong(side.strip());
        }
        return size > 0 && size < MOST ? OptionalLong.of((long) size) : OptionalLong.empty();
    }
}
