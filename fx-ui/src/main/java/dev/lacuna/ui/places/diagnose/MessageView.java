package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedNumber;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.scene.Node;
import javafx.scene.control.Tooltip;
import javafx.scene.text.Text;
import javafx.scene.text.TextFlow;

/** The message as it was printed, each number in the colour of its meaning; the meaning and every digit on hover. */
final class MessageView extends TextFlow {
    private static final Texts TEXTS = Texts.of("diagnose");

    private final ReadOnlyObjectWrapper<Optional<PrintedNumber>> pointed =
            new ReadOnlyObjectWrapper<>(Optional.empty());

    MessageView() {
        getStyleClass().add("message");
    }

    void show(OomReport report) {
        pointed.set(Optional.empty());
        getChildren().setAll(MessagePieces.of(report).stream().map(this::node).toList());
    }

    /** The number under the pointer, or the one that was clicked last. */
    ReadOnlyObjectProperty<Optional<PrintedNumber>> pointedProperty() {
        return pointed.getReadOnlyProperty();
    }

    private Node node(MessagePieces.Piece piece) {
        Text text = new Text(piece.text());
        text.getStyleClass().addAll("message-text", "mono");
        piece.number().ifPresent(number -> {
            text.getStyleClass().add("message-number");
            MessagePieces.styleOf(number.quantity()).ifPresent(text.getStyleClass()::add);
            Tooltip meaning = new Tooltip(meaning(number));
            meaning.setWrapText(true);
            meaning.setMaxWidth(480);
            Tooltip.install(text, meaning);
            text.setOnMouseEntered(e -> pointed.set(Optional.of(number)));
            text.setOnMouseClicked(e -> pointed.set(Optional.of(number)));
        });
        return text;
    }

    /** Name, every digit and explanation of a number, a line each. */
    static String meaning(PrintedNumber number) {
        String name = DiagnosisText.name(Texts.locale(), number.quantity());
        String value = number.bytes().isPresent()
                ? ByteText.exact(number.bytes().getAsLong())
                : TEXTS.get("quantity.impossible");
        return name + "\n" + value + "\n" + DiagnosisText.explain(Texts.locale(), number.quantity());
    }
}
