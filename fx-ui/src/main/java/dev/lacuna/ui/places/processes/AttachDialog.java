package dev.lacuna.ui.places.processes;

import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Confirmation;
import dev.lacuna.ui.window.Overlay;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Says what attaching puts into a process and what it does not, and asks. */
public final class AttachDialog implements AttachQuestion {
    private static final Texts TEXTS = Texts.of("processes");

    private final Confirmation confirmation;

    public AttachDialog(Overlay overlay) {
        confirmation = new Confirmation(overlay, "attach", TEXTS, "unprepared.ask.");
    }

    @Override
    public CompletionStage<Boolean> ask(FoundProcess process) {
        return confirmation.ask(
                TEXTS.bind(
                        "unprepared.ask.process",
                        CommandName.inQuestion(process.command()),
                        Long.toString(process.pid())),
                List.of("does", "leaves", "later"));
    }
}
