package dev.lacuna.core.diagnosis.report;

import dev.lacuna.core.base.Translations;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The words of reports, in {@code report.properties} and {@code report_zh_CN.properties}. */
public final class ReportText {
    private final Locale locale;
    private final ResourceBundle bundle;

    /** 简体中文 for every Chinese locale, English for all others. */
    public ReportText(Locale locale) {
        this.locale = Translations.isChinese(locale) ? Locale.SIMPLIFIED_CHINESE : Locale.ENGLISH;
        this.bundle = Translations.of("dev.lacuna.core.diagnosis.report.report", locale);
    }

    /** The language. */
    public Locale locale() {
        return locale;
    }

    /** The text of this key. */
    public String get(String key, Object... arguments) {
        return new MessageFormat(bundle.getString(key), locale).format(arguments);
    }
}
