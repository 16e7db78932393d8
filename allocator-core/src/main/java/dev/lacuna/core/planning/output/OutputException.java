package dev.lacuna.core.planning.output;

import dev.lacuna.core.planning.method.PlannerText;
import java.util.Locale;

/** A plan that cannot be written in the words of those who should run it. */
public final class OutputException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final transient Object[] arguments;

    OutputException(String key, Object... arguments) {
        super(PlannerText.text(Locale.ROOT, key, arguments));
        this.key = key;
        this.arguments = arguments.clone();
    }

    /** A plan of stretches, nested checkpoints, operators, or none ahead, where actions of single layers are asked for. */
    public static OutputException notByLayer() {
        return new OutputException("output.not.by.layer");
    }

    /** The reason in the default locale's language. */
    @Override
    public String getLocalizedMessage() {
        return text(Locale.getDefault());
    }

    /** The reason in this language. */
    public String text(Locale locale) {
        return PlannerText.text(locale, key, arguments);
    }
}
