package dev.lacuna.ui.theme;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The preference of a Linux desktop: {@code GTK_THEME} where it is set, then the settings portal (GNOME, KDE and others
 * answer it), then GNOME's own settings. Programs that are not there count as silence.
 */
public final class FreedesktopAppearance implements DesktopAppearance {
    /** Both answer in some 20 ms; longer means that no session bus answers. */
    private static final long PATIENCE_MS = 1500;

    /** At most this much of an answer is read; both are one short line. */
    private static final int MAX_ANSWER_BYTES = 512;

    private static final List<String> PORTAL = List.of(
            "gdbus",
            "call",
            "--session",
            "--timeout",
            "1",
            "--dest",
            "org.freedesktop.portal.Desktop",
            "--object-path",
            "/org/freedesktop/portal/desktop",
            "--method",
            "org.freedesktop.portal.Settings.Read",
            "org.freedesktop.appearance",
            "color-scheme");
    private static final List<String> GNOME =
            List.of("gsettings", "get", "org.gnome.desktop.interface", "color-scheme");

    private final Map<String, String> environment;

    public FreedesktopAppearance(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Optional<Appearance> read() {
        return ofGtkTheme(environment.getOrDefault("GTK_THEME", ""))
                .or(() -> hasSessionBus() ? answer(PORTAL).flatMap(FreedesktopAppearance::ofPortal) : Optional.empty())
                .or(() -> hasSessionBus() ? answer(GNOME).flatMap(FreedesktopAppearance::ofGnome) : Optional.empty());
    }

    static Optional<Appearance> ofGtkTheme(String theme) {
        if (theme.isBlank()) {
            return Optional.empty();
        }
        String name = theme.toLowerCase(Locale.ROOT);
        return Optional.of(name.endsWith(":dark") || name.endsWith("-dark") ? Appearance.DARK : Appearance.LIGHT);
    }

    /** The portal answers {@code (<<uint32 1>>,)}: 0 no preference, 1 dark, 2 light (XDG desktop portal, Settings). */
    static Optional<Appearance> ofPortal(String answer) {
        if (answer.contains("uint32 1")) {
            return Optional.of(Appearance.DARK);
        }
        return answer.contains("uint32 2") ? Optional.of(Appearance.LIGHT) : Optional.empty();
    }

    static Optional<Appearance> ofGnome(String answer) {
        if (answer.contains("prefer-dark")) {
            return Optional.of(Appearance.DARK);
        }
        return answer.contains("prefer-light") || answer.contains("default")
                ? Optional.of(Appearance.LIGHT)
                : Optional.empty();
    }

    /** Without a bus both programs would wait, or start one. */
    private boolean hasSessionBus() {
        return environment.containsKey("DBUS_SESSION_BUS_ADDRESS") || environment.containsKey("XDG_RUNTIME_DIR");
    }

    private static Optional<String> answer(List<String> command) {
        Process program;
        try {
            program = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
        try {
            program.getOutputStream().close();
            if (!program.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS) || program.exitValue() != 0) {
                return Optional.empty();
            }
            byte[] answer = program.getInputStream().readNBytes(MAX_ANSWER_BYTES);
            return Optional.of(new String(answer, StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            return Optional.empty();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            program.destroyForcibly();
        }
    }
}
