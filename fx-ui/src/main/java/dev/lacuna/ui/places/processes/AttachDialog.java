package dev.lacuna.ui.places.processes;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Says what attaching puts into a process and what it does not, and asks. Closing the question means no. */
public final class AttachDialog implements AttachQuestion {
    private static final Texts TEXTS = Texts.of("processes");
    private static final double WIDTH = 560;

    private final Overlay overlay;

    public AttachDialog(Overlay overlay) {
        this.overlay = overlay;
    }

    @Override
    public CompletionStage<Boolean> ask(FoundProcess process) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Label who = Labels.inAnyScript(Labels.of(
                TEXTS.bind("unprepared.ask.process", process.command(), Long.toString(process.pid())), "mono"));
        who.setWrapText(true);
        Button no = button("no", () -> {});
        no.setCancelButton(true);
        Button yes = button("yes", () -> answer.complete(true));
        yes.getStyleClass().add(Styles.ACCENT);
        yes.setDefaultButton(true);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox buttons = new HBox(space, no, yes);
        buttons.getStyleClass().add("buttons");
        VBox card = new VBox(
                Labels.titled(TEXTS.bind("unprepared.ask.title")),
                who,
                words("does"),
                words("leaves"),
                words("later"),
                buttons);
        card.getStyleClass().addAll("card", "dialog-card");
        card.setMaxWidth(WIDTH);
        overlay.show(card, () -> answer.complete(false));
        yes.requestFocus();
        return answer;
    }

    private Button button(String name, Runnable first) {
        Button button = new Button();
        button.setId("attach-" + name);
        button.textProperty().bind(TEXTS.bind("unprepared.ask." + name));
        button.setOnAction(e -> {
            first.run();
            overlay.close();
        });
        return button;
    }

    private static Label words(String name) {
        Label label = Labels.of(TEXTS.bind("unprepared.ask." + name), "muted");
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        return label;
    }
}
