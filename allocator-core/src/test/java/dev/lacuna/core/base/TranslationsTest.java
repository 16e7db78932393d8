package dev.lacuna.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.trace.model.TraceProblem;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TranslationsTest {
    private static final String BUNDLE = TraceProblem.class.getName();

    private final Locale usual = Locale.getDefault();

    @BeforeEach
    void begin_on_a_chinese_machine() {
        Locale.setDefault(Locale.SIMPLIFIED_CHINESE);
    }

    @AfterEach
    void restore() {
        Locale.setDefault(usual);
    }

    @Test
    void every_chinese_locale_reads_simplified_chinese() {
        for (Locale locale : new Locale[] {Locale.CHINESE, Locale.TRADITIONAL_CHINESE, Locale.SIMPLIFIED_CHINESE}) {
            assertThat(Translations.of(BUNDLE, locale).getLocale()).isEqualTo(Locale.SIMPLIFIED_CHINESE);
        }
    }

    @Test
    void all_others_read_english_whatever_the_machine_speaks() {
        for (Locale locale : new Locale[] {Locale.ENGLISH, Locale.GERMANY, Locale.ROOT}) {
            assertThat(Translations.of(BUNDLE, locale).getLocale()).isEqualTo(Locale.ROOT);
        }
    }
}
