package dev.lacuna.ui.parts;

import dev.lacuna.bridge.Ending;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.text.Texts;
import java.util.Optional;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.VBox;

/** Says that what is shown is not live, and why. */
public final class StateBanner extends VBox {
    private static final Texts TEXTS = Texts.of("live");

    private final Label words = new Label();

    /** The bridge's own words, which are English: beside the sentence, not in it. */
    private final Label detail = new Label();

    public StateBanner() {
        words.getStyleClass().add("banner-text");
        words.setWrapText(true);
        getStyleClass().addAll("banner", "state");
        setAlignment(Pos.CENTER_LEFT);
        detail.getStyleClass().addAll("muted", "small", "banner-detail");
        detail.setWrapText(true);
        getChildren().addAll(words, detail);
        show(ConnectionState.NONE, Optional.empty());
    }

    /**
     * Shows what is to be said of this connection; nothing while it is live.
     *
     * @param ranOutOfMemory whether an out-of-memory was recorded; empty while nothing is known of it
     */
    public void show(ConnectionState connection, Optional<Boolean> ranOutOfMemory) {
        String text = switch (connection.kind()) {
            case NONE, LIVE -> "";
            case STALE ->
                TEXTS.get("state.stale", Long.toString(connection.age().toSeconds()));
            case STOPPED -> TEXTS.get("state.stopped");
            case GONE -> gone(connection.ending(), ranOutOfMemory);
            case FAILED -> TEXTS.get("state.failed");
        };
        words.setText(text);
        detail.setText(connection.text());
        detail.setVisible(!connection.text().isEmpty());
        detail.setManaged(detail.isVisible());
        setVisible(!text.isEmpty());
        setManaged(!text.isEmpty());
    }

    /** That there was no out-of-memory is said of those only that had the time to record one. */
    private static String gone(Optional<Ending> ending, Optional<Boolean> ranOutOfMemory) {
        String how = ending.map(reported -> reported.text(Texts.locale())).orElseGet(() -> TEXTS.get("state.gone"));
        if (ranOutOfMemory.orElse(false)) {
            return TEXTS.get("state.gone.oom", how);
        }
        boolean quiet =
                ranOutOfMemory.isPresent() && ending.filter(Ending::isTold).isPresent();
        return TEXTS.get(quiet ? "state.gone.quiet" : "state.gone.last", how);
    }
}
