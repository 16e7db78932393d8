package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import javafx.beans.binding.StringBinding;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/**
 * Asks before something is done to a process. Closing the question means no.
 *
 * @param overlay where it is asked
 * @param id what the buttons' ids begin with: {@code attach-yes}
 * @param texts holds the words
 * @param prefix what their keys begin with: {@code ask.} for {@code ask.title}, {@code ask.yes}, {@code ask.no}
 */
public record Confirmation(Overlay overlay, String id, Texts texts, String prefix) {
    private static final double WIDTH = 560;

    /**
     * Asks.
     *
     * @param who names the process
     * @param paragraphs keys of what is said of it, behind the prefix
     */
    public CompletionStage<Boolean> ask(StringBinding who, List<String> paragraphs) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Label name = Labels.inAnyScript(Labels.of(who, "mono"));
        name.setWrapText(true);
        VBox card = new VBox(Labels.titled(texts.bind(prefix + "title")), name);
        paragraphs.forEach(key -> card.getChildren().add(words(key)));
        AtomicBoolean agreed = new AtomicBoolean();
        Button no = button("no", () -> {});
        no.setCancelButton(true);
        Button yes = button("yes", () -> agreed.set(true));
        yes.getStyleClass().add(Styles.ACCENT);
        yes.setDefaultButton(true);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox buttons = new HBox(space, no, yes);
        buttons.getStyleClass().add("buttons");
        card.getChildren().add(buttons);
        card.getStyleClass().addAll("card", "dialog-card");
        card.setMaxWidth(WIDTH);
        // Answered once this is closed: whoever hears it may have a question of its own.
        overlay.show(card, () -> answer.complete(agreed.get()));
        yes.requestFocus();
        return answer;
    }

    private Button button(String name, Runnable first) {
        Button button = new Button();
        button.setId(id + "-" + name);
        button.textProperty().bind(texts.bind(prefix + name));
        button.setOnAction(e -> {
            first.run();
            overlay.close();
        });
        return button;
    }

    private Label words(String key) {
        Label label = Labels.of(texts.bind(prefix + key), "muted");
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }
}
