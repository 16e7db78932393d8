package dev.lacuna.ui.fakes;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/** How a test looks at a window: on the FX thread, and as long as it takes. */
public final class FxWait {
    /** Long enough for a busy machine; only a test that fails waits so long. */
    private static final int MOST_SECONDS = 60;

    /** How often places refresh. */
    private static final long REFRESH_NS = 200_000_000;

    private FxWait() {}

    /** Does this on the FX thread and waits for it. */
    public static <T> T fx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get();
    }

    /** Where this is on the screen: bounds are JavaFX's own to work out, in its thread. */
    public static Bounds onScreen(Node node) throws Exception {
        return fx(() -> node.localToScreen(node.getBoundsInLocal()));
    }

    /** Where this is in its window. */
    public static Bounds inScene(Node node) throws Exception {
        return fx(() -> node.localToScene(node.getLayoutBounds()));
    }

    /** Waits until this holds on the FX thread and what follows from it is shown. */
    public static void waitFor(Callable<Boolean> condition) throws Exception {
        WaitForAsyncUtils.waitFor(MOST_SECONDS, TimeUnit.SECONDS, () -> fx(condition));
        WaitForAsyncUtils.waitForFxEvents();
    }

    /**
     * Clicks on this once it stands still: what refreshes itself a few times a second may still be moving it, and a click
     * aims at where it was.
     */
    public static void clickSettled(FxRobot robot, String query) throws Exception {
        settle(robot, query);
        robot.clickOn(query);
    }

    /** Clicks on this until the condition holds, as who sees nothing happen does: on a busy screen a click can be lost. */
    public static void clickUntil(FxRobot robot, String query, Callable<Boolean> condition) throws Exception {
        for (int attempt = 1; ; attempt++) {
            clickSettled(robot, query);
            try {
                WaitForAsyncUtils.waitFor(MOST_SECONDS / 4, TimeUnit.SECONDS, () -> fx(condition));
                WaitForAsyncUtils.waitForFxEvents();
                return;
            } catch (TimeoutException e) {
                if (attempt == 3) {
                    throw e;
                }
            }
        }
    }

    /** Where this is on the screen, once it stands still. */
    public static Bounds settle(FxRobot robot, String query) throws Exception {
        Bounds[] before = new Bounds[1];
        long[] since = new long[1];
        waitFor(() -> {
            Node node = robot.lookup(query).queryAs(Node.class);
            Bounds now = node.localToScreen(node.getBoundsInLocal());
            if (now == null || !now.equals(before[0])) {
                before[0] = now;
                since[0] = System.nanoTime();
                return false;
            }
            return System.nanoTime() - since[0] > REFRESH_NS * 2;
        });
        return before[0];
    }

    /** Answers the question whether this window may change the process with yes, once it is asked. */
    public static void allowControl(FxRobot robot) throws Exception {
        waitFor(() -> robot.lookup("#consent-yes").tryQuery().isPresent());
        robot.clickOn("#consent-yes");
        waitFor(() -> robot.lookup("#consent-yes").tryQuery().isEmpty());
    }
}
