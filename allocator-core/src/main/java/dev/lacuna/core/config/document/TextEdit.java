package dev.lacuna.core.config.document;

import java.util.Comparator;
import java.util.List;

/** Characters {@code [begin, end)} give way to these. */
record TextEdit(int begin, int end, String replacement) {
    /** All edits, none of which overlap, made on one text. */
    static String apply(String text, List<TextEdit> edits) {
        StringBuilder changed = new StringBuilder(text);
        edits.stream()
                .sorted(Comparator.comparingInt(TextEdit::begin)
                        .thenComparingInt(TextEdit::end)
                        .reversed())
                .forEach(edit -> changed.replace(edit.begin(), edit.end(), edit.replacement()));
        return changed.toString();
    }
}
