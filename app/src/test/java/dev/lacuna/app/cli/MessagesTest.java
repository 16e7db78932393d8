package dev.lacuna.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.output.CliText;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private final ResourceBundle english = bundle(Locale.ROOT);
    private final ResourceBundle chinese = bundle(Locale.SIMPLIFIED_CHINESE);

    @Test
    void both_languages_have_the_same_keys() {
        assertThat(chinese.keySet()).isEqualTo(english.keySet());
        assertThat(chinese.getString("usage.hint")).isNotEqualTo(english.getString("usage.hint"));
    }

    @Test
    void both_languages_take_the_same_arguments() {
        for (String key : english.keySet()) {
            if (!key.startsWith("lacuna.")) {
                assertThat(new MessageFormat(chinese.getString(key), Locale.ROOT).getFormatsByArgumentIndex())
                        .as(key)
                        .hasSameSizeAs(
                                new MessageFormat(english.getString(key), Locale.ROOT).getFormatsByArgumentIndex());
            }
        }
    }

    private static ResourceBundle bundle(Locale locale) {
        return ResourceBundle.getBundle(
                CliText.BUNDLE,
                locale,
                ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
    }
}
