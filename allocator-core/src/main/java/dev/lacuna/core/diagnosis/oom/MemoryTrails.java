package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.SizeUnit;
import dev.lacuna.core.diagnosis.oom.line.CleanLine;
import dev.lacuna.core.diagnosis.oom.model.MemoryTrail;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Collects the memory figures that trainers print at their steps: {@code memory (MB) | allocated: 40123.5 | max
 * allocated: 61234.5 | reserved: …}, {@code reserved=62.1 GiB}. A figure without a unit is left out. Bounded: so many
 * writers and labels, a few numbers for each.
 */
final class MemoryTrails {
    private static final int MOST = 512;
    private static final int LABEL_TO_NUMBER = 12;
    private static final List<String> ENDS = List.of("allocated", "reserved", "memory");
    private static final List<String> UNITS = List.of("gib", "mib", "gb", "mb");

    private final Map<String, MemoryTrail> trails = new LinkedHashMap<>();

    /** Takes the figures of a line that speaks of memory; those of an out-of-memory message are no step's. */
    void see(CleanLine line) {
        String s = line.text().toString();
        if (s.contains("ut of memory") || s.contains("y PyTorch") || line.text().length() > 1000) {
            return;
        }
        String lower = s.toLowerCase(java.util.Locale.ROOT);
        for (String end : ENDS) {
            for (int at = lower.indexOf(end, line.body()); at >= 0; at = lower.indexOf(end, at + 1)) {
                figure(line, lower, at, at + end.length());
            }
        }
    }

    /** What was collected, in the order of appearance; only what was printed more than once. */
    List<MemoryTrail> trails() {
        return trails.values().stream().filter(t -> t.values() > 1).toList();
    }

    private void figure(CleanLine line, String lower, int start, int end) {
        int digits = end;
        while (digits < lower.length() && digits - end < LABEL_TO_NUMBER && !isDigit(lower.charAt(digits))) {
            if (Character.isLetter(lower.charAt(digits)) && !betweenParentheses(lower, end, digits)) {
                return;
            }
            digits++;
        }
        int after = digits;
        while (after < lower.length() && (isDigit(lower.charAt(after)) || lower.charAt(after) == '.')) {
            after++;
        }
        String number = lower.substring(digits, after);
        Optional<SizeUnit> unit = unit(lower, after, digits);
        if (number.isEmpty() || number.endsWith(".") || number.length() > 15 || unit.isEmpty()) {
            return;
        }
        OptionalLong bytes = number.indexOf('.') == number.lastIndexOf('.')
                ? ByteSize.printed(number, unit.get())
                : OptionalLong.empty();
        bytes.ifPresent(value -> take(line, label(lower, start, end), value));
    }

    private void take(CleanLine line, String label, long bytes) {
        String key = line.writer() + ' ' + label;
        MemoryTrail before = trails.get(key);
        if (before != null) {
            trails.put(key, before.next(bytes, line.number()));
        } else if (trails.size() < MOST) {
            trails.put(key, MemoryTrail.beginning(line.rank(), label, bytes, line.number()));
        }
    }

    /** The unit behind the number, or the one that the line names once in parentheses. */
    private static Optional<SizeUnit> unit(String lower, int after, int before) {
        int i = after < lower.length() && lower.charAt(after) == ' ' ? after + 1 : after;
        for (String unit : UNITS) {
            if (lower.startsWith(unit, i)) {
                return SizeUnit.ofWord(unit);
            }
        }
        for (String unit : UNITS) {
            int named = lower.lastIndexOf('(' + unit + ')', before);
            if (named >= 0) {
                return SizeUnit.ofWord(unit);
            }
        }
        return Optional.empty();
    }

    private static String label(String lower, int start, int end) {
        boolean max = start >= 4 && (lower.startsWith("max ", start - 4) || lower.startsWith("max_", start - 4));
        return (max ? "max " : "") + lower.substring(start, end);
    }

    private static boolean betweenParentheses(String lower, int from, int at) {
        int open = lower.lastIndexOf('(', at);
        return open >= from;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
