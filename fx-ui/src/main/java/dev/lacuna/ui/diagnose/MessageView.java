package dev.lacuna.ui.diagnose;

import dev.lacuna.core.diagnosis.DiagnosisTexts;
import dev.lacuna.core.oom.OomReport;
import dev.lacuna.core.oom.PrintedNumber;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import javafx.scene.Node;
import javafx.scene.control.Tooltip;
import javafx.scene.text.Text;
import javafx.scene.text.TextFlow;

/** The message as it was printed, each number in the colour of its meaning; the meaning and every digit on hover. */
final class MessageView extends TextFlow {
    private static final Texts TEXTS = Texts.of("diagnose");

    MessageView() {
        getStyleClass().add("message");
    }

    void show(OomReport report) {
        getChildren()
                .setAll(MessagePieces.of(report).stream().map(MessageView::node).toList());
    }

    private static Node node(MessagePieces.Piece piece) {
        Text text = new Text(piece.text());
        text.getStyleClass().addAll("message-text", "mono");
        piece.number().ifPresent(number -> {
            text.getStyleClass().add("message-number");
            MessagePieces.styleOf(number.quantity()).ifPresent(text.getStyleClass()::add);
            Tooltip meaning = new Tooltip(meaning(number));
            meaning.setWrapText(true);
            meaning.setMaxWidth(480);
            Tooltip.install(text, meaning);
        });
        return text;
    }

    private static String meaning(PrintedNumber number) {
        String name = DiagnosisTexts.name(Texts.locale(), number.quantity());
        String value = number.bytes().isPresent()
                ? ByteText.exact(number.bytes().getAsLong())
                : TEXTS.get("quantity.impossible");
        return name + "\n" + value + "\n" + DiagnosisTexts.explain(Texts.locale(), number.quantity());
    }
}
