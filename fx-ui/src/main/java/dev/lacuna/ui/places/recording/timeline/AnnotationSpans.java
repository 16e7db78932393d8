package dev.lacuna.ui.places.recording.timeline;

import dev.lacuna.core.history.model.HistoryAnnotation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Steps, phases and marks as stretches of moments, each in a row below the one that it lies in. */
final class AnnotationSpans {
    /** Deeper ones share the last row. */
    static final int ROWS = 2;

    /**
     * One of them.
     *
     * @param name what the program calls it
     * @param from the moment at which it begins
     * @param to the moment at which it ends; as it begins, for a mark without a length
     * @param row 0 for one that lies in no other
     */
    record Span(String name, int from, int to, int row) {}

    private AnnotationSpans() {}

    /** Pairs beginnings with the ends of the same name; what never ends is a mark. */
    static List<Span> of(List<HistoryAnnotation> annotations) {
        List<Span> spans = new ArrayList<>();
        List<HistoryAnnotation> open = new ArrayList<>();
        for (HistoryAnnotation next : annotations) {
            if (next.begins()) {
                open.add(next);
                continue;
            }
            for (int i = open.size() - 1; i >= 0; i--) {
                if (open.get(i).name().equals(next.name())) {
                    spans.add(new Span(next.name(), open.get(i).event(), next.event(), 0));
                    open.remove(i);
                    break;
                }
            }
        }
        open.forEach(mark -> spans.add(new Span(mark.name(), mark.event(), mark.event(), 0)));
        spans.sort(Comparator.comparingInt(Span::from).thenComparing(Span::to, Comparator.reverseOrder()));
        return inRows(spans);
    }

    /** Rows that these need. */
    static int rows(List<Span> spans) {
        return spans.stream().mapToInt(span -> span.row() + 1).max().orElse(0);
    }

    private static List<Span> inRows(List<Span> sorted) {
        List<Span> out = new ArrayList<>();
        List<Span> around = new ArrayList<>();
        for (Span span : sorted) {
            while (!around.isEmpty() && around.get(around.size() - 1).to() <= span.from()) {
                around.remove(around.size() - 1);
            }
            out.add(new Span(span.name(), span.from(), span.to(), Math.min(ROWS - 1, around.size())));
            if (span.to() > span.from()) {
                around.add(span);
            }
        }
        return out;
    }
}
