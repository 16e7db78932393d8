package dev.lacuna.core.history.finding;

import dev.lacuna.core.diagnosis.DiagnosisTexts;
import dev.lacuna.core.diagnosis.Text;
import dev.lacuna.core.text.Translations;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * Puts findings and their remedies into a language. The texts are in {@code findings.properties} and
 * {@code findings_zh_CN.properties}; a key that is not there is one of {@link DiagnosisTexts}, whose remedies findings share.
 */
public final class FindingTexts {
    private static final String BUNDLE = "dev.lacuna.core.history.finding.findings";

    private FindingTexts() {}

    /** The sentence in this language. */
    public static String render(Locale locale, Text text) {
        ResourceBundle bundle = bundle(locale);
        if (!bundle.containsKey(text.key())) {
            return DiagnosisTexts.render(locale, text);
        }
        Object[] arguments = text.arguments().stream()
                .map(argument -> argument(locale, argument))
                .toArray();
        return new MessageFormat(bundle.getString(text.key()), Locale.ROOT).format(arguments);
    }

    /** Counts stay numbers, for patterns that choose by them. */
    private static Object argument(Locale locale, Text.Argument argument) {
        if (argument instanceof Text.Argument.Count count) {
            return count.number();
        }
        return argument instanceof Text.Argument.Phrase phrase
                ? render(locale, phrase.value())
                : DiagnosisTexts.render(locale, argument);
    }

    private static ResourceBundle bundle(Locale locale) {
        return Translations.of(BUNDLE, locale);
    }
}
