package dev.lacuna.ui.window;

import dev.lacuna.ui.task.UiScheduler;
import dev.lacuna.ui.text.Texts;

/** Shows faults that nobody caught as a notice, instead of a stack trace that nobody sees; and logs them. */
public final class FaultReporter implements Thread.UncaughtExceptionHandler {
    private static final System.Logger LOG = System.getLogger(FaultReporter.class.getName());
    private static final Texts TEXTS = Texts.of("shell");

    private final NoticeBoard notices;
    private final UiScheduler ui;

    public FaultReporter(NoticeBoard notices, UiScheduler ui) {
        this.notices = notices;
        this.ui = ui;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable fault) {
        LOG.log(System.Logger.Level.ERROR, "uncaught on " + thread.getName(), fault);
        ui.onUi(() -> notices.fault(TEXTS.get("fault.headline"), fault));
    }
}
