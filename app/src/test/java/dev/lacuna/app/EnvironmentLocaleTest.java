package dev.lacuna.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentLocaleTest {
    @Test
    void follows_the_first_variable_that_is_set() {
        assertThat(EnvironmentLocale.of(Map.of("LANG", "zh_CN.UTF-8"))).contains(Locale.SIMPLIFIED_CHINESE);
        assertThat(EnvironmentLocale.of(Map.of("LC_ALL", "", "LC_MESSAGES", "zh_SG", "LANG", "en_US")))
                .contains(Locale.SIMPLIFIED_CHINESE);
        assertThat(EnvironmentLocale.of(Map.of("LC_ALL", "C", "LANG", "zh_CN.UTF-8")))
                .isEmpty();
    }

    @Test
    void leaves_other_languages_to_java() {
        assertThat(EnvironmentLocale.of(Map.of())).isEmpty();
        assertThat(EnvironmentLocale.of(Map.of("LANG", "de_DE.UTF-8"))).isEmpty();
    }
}
