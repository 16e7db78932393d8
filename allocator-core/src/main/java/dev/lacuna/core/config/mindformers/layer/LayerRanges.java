package dev.lacuna.core.config.mindformers.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes sorted layer indices as people do: {@code 0–3, 7}. */
public final class LayerRanges {
    private LayerRanges() {}

    public static String of(Set<Integer> sorted) {
        List<String> parts = new ArrayList<>();
        int first = -1;
        int last = -1;
        for (int layer : sorted) {
            if (first >= 0 && layer != last + 1) {
                parts.add(range(first, last));
                first = layer;
            }
            first = first < 0 ? layer : first;
            last = layer;
        }
        parts.add(range(first, last));
        return String.join(", ", parts);
    }

    private static String range(int first, int last) {
        return first == last ? Integer.toString(first) : first + "–" + last;
    }
}
