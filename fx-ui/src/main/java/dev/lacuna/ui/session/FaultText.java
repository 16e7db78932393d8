package dev.lacuna.ui.session;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import java.util.concurrent.CompletionException;

/** The one way in which the window words what the bridge could not do. */
public final class FaultText {
    private static final Texts TEXTS = Texts.of("shell");

    private FaultText() {}

    /** The reason in the language of the window: what files can say, or the bridge's reason and its own words, which are English; others as they are. */
    public static String of(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        String detail = String.valueOf(cause.getMessage());
        if (cause instanceof RefusedException refused) {
            return refused.text(Texts.locale());
        }
        return cause instanceof BridgeException bridge
                ? TEXTS.get(
                        "bridge.detail",
                        TEXTS.get("bridge." + bridge.reason().name().toLowerCase(Locale.ROOT)),
                        detail)
                : FileFault.known(cause).orElse(detail);
    }
}
