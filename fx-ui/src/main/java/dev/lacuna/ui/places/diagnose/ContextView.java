package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.model.LogContext;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;

/** The lines of the log around a report, as they stand there, its own ones standing out. */
final class ContextView extends VBox {
    private static final Texts TEXTS = Texts.of("diagnose");

    /** Of a line; the message itself stands whole above, and the pointer shows the rest. */
    private static final int MOST_CHARACTERS = 120;

    private final VBox lines = new VBox();

    ContextView() {
        setId("log-context");
        getStyleClass().add("log-context");
        getChildren().setAll(Labels.of(TEXTS.bind("context.title"), "muted"), lines);
        setMinWidth(0);
    }

    void show(OomReport report) {
        LogContext context = report.context();
        setVisible(context.lines().size() > 1);
        setManaged(isVisible());
        lines.getChildren().clear();
        for (int i = 0; i < context.lines().size(); i++) {
            long number = context.firstLine() + i;
            boolean own =
                    number >= report.span().line() && number <= report.span().lastLine();
            lines.getChildren().add(line(number, context.lines().get(i), own));
        }
    }

    private static Label line(long number, String text, boolean own) {
        Label label = new Label(String.format("%6d  %s", number, shortened(text.replace('\t', ' '))));
        label.getStyleClass().addAll("mono", "small");
        if (!own) {
            label.getStyleClass().add("muted");
        }
        label.setWrapText(true);
        label.setMinWidth(0);
        label.setTooltip(new Tooltip(text));
        return label;
    }

    private static String shortened(String text) {
        int end = text.offsetByCodePoints(0, Math.min(MOST_CHARACTERS, text.codePointCount(0, text.length())));
        return end < text.length() ? text.substring(0, end) + " …" : text;
    }
}
