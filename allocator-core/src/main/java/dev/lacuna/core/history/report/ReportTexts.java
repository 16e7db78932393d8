package dev.lacuna.core.history.report;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The words of reports, in {@code report.properties} and {@code report_zh_CN.properties}. */
public final class ReportTexts {
    private static final ResourceBundle.Control EXACT =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private final Locale locale;
    private final ResourceBundle bundle;

    /** 简体中文 for every Chinese locale, English for all others. */
    public ReportTexts(Locale locale) {
        boolean chinese = locale.getLanguage().equals(Locale.CHINESE.getLanguage());
        this.locale = chinese ? Locale.SIMPLIFIED_CHINESE : Locale.ENGLISH;
        this.bundle = ResourceBundle.getBundle(
                "dev.lacuna.core.history.report.report",
                chinese ? Locale.SIMPLIFIED_CHINESE : Locale.ROOT,
                ReportTexts.class.getClassLoader(),
                EXACT);
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
