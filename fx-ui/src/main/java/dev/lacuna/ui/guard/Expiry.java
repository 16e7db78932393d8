package dev.lacuna.ui.guard;

import java.util.Locale;

/** Why a refusal's figures hold no more. */
public enum Expiry {
    /** The lowest safe cap is another now. */
    FIGURES,
    /** Settings are others now. */
    SETTINGS,
    /** The process has ended. */
    ENDED;

    /** The key of its sentence. */
    String key() {
        return "expired." + name().toLowerCase(Locale.ROOT);
    }
}
