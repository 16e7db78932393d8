package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.GridPosition;
import java.util.Optional;

/**
 * Something to know about the file.
 *
 * @param kind how grave
 * @param where the setting and its line; empty when it is about none
 * @param text the sentence, in the window's language
 * @param cell where in the grid it shows
 */
record Remark(Kind kind, String where, String text, Optional<GridPosition> cell) {
    /** How grave. */
    enum Kind {
        /** The file cannot run, or the grid not be written. */
        ERROR,
        /** Two settings meet, and one is void. */
        CONFLICT,
        /** Something must hold outside the file, or in another part of it. */
        ENVIRONMENT,
        /** The framework itself warns. */
        WARNING,
        /** What a setting does that the grid does not show. */
        EFFECT,
        /** It changes nothing. */
        WITHOUT_EFFECT
    }
}
