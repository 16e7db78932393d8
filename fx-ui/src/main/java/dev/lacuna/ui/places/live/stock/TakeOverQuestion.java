package dev.lacuna.ui.places.live.stock;

import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Confirmation;
import dev.lacuna.ui.window.Overlay;
import java.util.List;

/** Says what taking a process over loads into it, and asks. */
public final class TakeOverQuestion {
    private static final Texts TEXTS = Texts.of("stock");

    private final StockModel model;
    private final Confirmation confirmation;

    /** @param overlay where it is asked */
    public TakeOverQuestion(StockModel model, Overlay overlay) {
        this.model = model;
        this.confirmation = new Confirmation(overlay, "takeover", TEXTS, "takeover.");
    }

    /** @param agreed what is done after a yes */
    public void ask(Runnable agreed) {
        model.process()
                .ifPresent(process -> confirmation
                        .ask(
                                TEXTS.bind(
                                        "takeover.process",
                                        CommandName.inQuestion(process.command()),
                                        process.id().toString()),
                                List.of("does", "leaves", "builds"))
                        .thenAccept(yes -> {
                            if (yes) {
                                agreed.run();
                            }
                        }));
    }
}
