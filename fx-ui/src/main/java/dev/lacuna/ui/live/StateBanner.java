package dev.lacuna.ui.live;

import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.text.Texts;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;

/** Says that what is shown is not live, and why. */
final class StateBanner extends HBox {
    private static final Texts TEXTS = Texts.of("live");

    private final Label words = new Label();

    StateBanner() {
        words.getStyleClass().add("banner-text");
        words.setWrapText(true);
        getStyleClass().addAll("banner", "state");
        setAlignment(Pos.CENTER_LEFT);
        getChildren().add(words);
        show(ConnectionState.NONE);
    }

    /** Shows what is to be said of this connection; nothing while it is live. */
    void show(ConnectionState connection) {
        String text = switch (connection.kind()) {
            case NONE, LIVE -> "";
            case STALE ->
                TEXTS.get("state.stale", Long.toString(connection.age().toSeconds()));
            case STOPPED -> TEXTS.get("state.stopped");
            case GONE -> TEXTS.get("state.gone");
            case FAILED -> TEXTS.get("state.failed", connection.text());
        };
        words.setText(text);
        setVisible(!text.isEmpty());
        setManaged(!text.isEmpty());
    }
}
