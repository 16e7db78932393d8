package dev.lacuna.ui.fakes;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/** How a test looks at a window: on the FX thread, and as long as it takes. */
public final class FxWait {
    /** Long enough for a busy machine; only a test that fails waits so long. */
    private static final int MOST_SECONDS = 60;

    private FxWait() {}

    /** Does this on the FX thread and waits for it. */
    public static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get();
    }

    /** Waits until this holds on the FX thread and what follows from it is shown. */
    public static void waitFor(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(MOST_SECONDS, TimeUnit.SECONDS, () -> fx(condition));
        WaitForAsyncUtils.waitForFxEvents();
    }

    /** Answers the question whether this window may change the process with yes, once it is asked. */
    public static void allowControl(FxRobot robot) throws Exception {
        waitFor(() -> robot.lookup("#consent-yes").tryQuery().isPresent());
        robot.clickOn("#consent-yes");
        waitFor(() -> robot.lookup("#consent-yes").tryQuery().isEmpty());
    }
}
