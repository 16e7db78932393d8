package dev.lacuna.ui.session;

import dev.lacuna.ui.text.Texts;

/** The one way in which the window words a connection. */
public final class ConnectionText {
    private static final Texts TEXTS = Texts.of("shell");

    private ConnectionText() {}

    /** A word or two, such as {@code live} or {@code no change for 5 s}. */
    public static String of(ConnectionState state) {
        return switch (state.kind()) {
            case NONE -> TEXTS.get("connection.none");
            case LIVE -> TEXTS.get("connection.live");
            case STALE ->
                TEXTS.get("connection.stale", Long.toString(state.age().toSeconds()));
            case STOPPED -> TEXTS.get("connection.stopped");
            case GONE -> TEXTS.get("connection.gone");
            case FAILED -> TEXTS.get("connection.failed", state.text());
        };
    }
}
