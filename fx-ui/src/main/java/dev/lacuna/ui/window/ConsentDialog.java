package dev.lacuna.ui.window;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.session.ControlConsent;
import dev.lacuna.ui.text.Texts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Asks in the window whether it may change a running training process. Closing the question means no. */
public final class ConsentDialog implements ControlConsent {
    private static final Texts TEXTS = Texts.of("shell");

    private final Overlay overlay;

    public ConsentDialog(Overlay overlay) {
        this.overlay = overlay;
    }

    @Override
    public CompletionStage<Boolean> ask(TrainingProcess process) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Label title = Labels.titled(TEXTS.bind("consent.title"));
        Label who = Labels.of(
                TEXTS.bind("consent.process", process.command(), process.id().toString()), "mono");
        who.setWrapText(true);
        Label what = Labels.of(TEXTS.bind("consent.explanation"), "muted");
        what.setWrapText(true);

        Button no = new Button();
        no.setId("consent-no");
        no.textProperty().bind(TEXTS.bind("consent.no"));
        no.setCancelButton(true);
        no.setOnAction(e -> overlay.close());
        Button yes = new Button();
        yes.setId("consent-yes");
        yes.textProperty().bind(TEXTS.bind("consent.yes"));
        yes.getStyleClass().add(Styles.ACCENT);
        yes.setDefaultButton(true);
        yes.setOnAction(e -> {
            answer.complete(true);
            overlay.close();
        });
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox buttons = new HBox(space, no, yes);
        buttons.getStyleClass().add("buttons");

        VBox card = new VBox(title, who, what, buttons);
        card.getStyleClass().addAll("card", "dialog-card");
        overlay.show(card, () -> answer.complete(false));
        yes.requestFocus();
        return answer;
    }
}
