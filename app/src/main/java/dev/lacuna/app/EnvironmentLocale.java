package dev.lacuna.app;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The language that the environment asks for. Java itself falls back to English where the C library has not installed the
 * locale, as on most servers and in containers; the variables still say what the user wants.
 */
final class EnvironmentLocale {
    private EnvironmentLocale() {}

    /** 简体中文 when the first of LC_ALL, LC_MESSAGES and LANG that is set names Chinese; else empty. */
    static Optional<Locale> of(Map<String, String> environment) {
        return Stream.of("LC_ALL", "LC_MESSAGES", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .filter(value -> value.startsWith("zh"))
                .map(value -> Locale.SIMPLIFIED_CHINESE);
    }
}
