package dev.lacuna.core.diagnosis.snapshot;

import dev.lacuna.core.base.Translations;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Text;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * Puts findings and their remedies into a language. The texts are in {@code findings.properties} and
 * {@code findings_zh_CN.properties}; a key that is not there is one of {@link DiagnosisText}, whose remedies findings share.
 */
public final class FindingText {
    private static final String BUNDLE = "dev.lacuna.core.diagnosis.snapshot.findings";

    private FindingText() {}

    /** The sentence in this language. */
    public static String render(Locale locale, Text text) {
        ResourceBundle bundle = bundle(locale);
        if (!bundle.containsKey(text.key())) {
            return DiagnosisText.render(locale, text);
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
                : DiagnosisText.render(locale, argument);
    }

    private static ResourceBundle bundle(Locale locale) {
        return Translations.of(BUNDLE, locale);
    }
}
