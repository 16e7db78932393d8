package dev.lacuna.ui.theme;

import java.util.Optional;

/** Asks the desktop what it prefers. Slow (it may start a program): never on the UI thread. */
@FunctionalInterface
public interface DesktopAppearance {
    /** What the desktop prefers, or empty where it says nothing. */
    Optional<Appearance> read();
}
