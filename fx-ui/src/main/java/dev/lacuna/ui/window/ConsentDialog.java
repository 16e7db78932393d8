package dev.lacuna.ui.window;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.session.ControlConsent;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Asks in the window whether it may change a running training process. Closing the question means no. */
public final class ConsentDialog implements ControlConsent {
    private static final Texts TEXTS = Texts.of("shell");

    private final Confirmation confirmation;

    public ConsentDialog(Overlay overlay) {
        confirmation = new Confirmation(overlay, "consent", TEXTS, "consent.");
    }

    @Override
    public CompletionStage<Boolean> ask(TrainingProcess process) {
        return confirmation.ask(
                TEXTS.bind(
                        "consent.process",
                        CommandName.inQuestion(process.command()),
                        process.id().toString()),
                List.of("explanation"));
    }
}
