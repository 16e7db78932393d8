package dev.lacuna.ui.fakes;

import java.util.function.Supplier;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.input.MouseButton;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.robot.Motion;
import org.testfx.service.query.PointQuery;
import org.testfx.service.query.impl.PointQueryBase;
import org.testfx.util.NodeQueryUtils;
import org.testfx.util.WaitForAsyncUtils;

/**
 * Starts the windows of a test, and is its robot. Where to click is worked out on the FX thread: TestFX does it on the
 * test's, and JavaFX, which lays the same nodes out meanwhile, breaks the bounds of a scene that two threads ask for.
 */
public final class WindowExtension extends ApplicationExtension {
    /** Long enough for a busy machine. */
    private static final long MOST_MS = 60_000;

    @Override
    public WindowExtension clickOn(String query, Motion motion, MouseButton... buttons) {
        clickOn(shown(query), motion, buttons);
        return this;
    }

    @Override
    public WindowExtension clickOn(Node node, Motion motion, MouseButton... buttons) {
        clickOn(shown(() -> node), motion, buttons);
        return this;
    }

    @Override
    public WindowExtension rightClickOn(String query, Motion motion) {
        rightClickOn(shown(query), motion);
        return this;
    }

    @Override
    public WindowExtension doubleClickOn(String query, Motion motion, MouseButton... buttons) {
        doubleClickOn(shown(query), motion, buttons);
        return this;
    }

    @Override
    public WindowExtension moveTo(String query, Motion motion) {
        moveTo(shown(query), motion);
        return this;
    }

    private PointQuery shown(String query) {
        return shown(() -> lookup(query).match(NodeQueryUtils.isVisible()).query());
    }

    private PointQuery shown(Supplier<Node> which) {
        return new PointQueryBase() {
            @Override
            public Point2D query() {
                return WaitForAsyncUtils.waitForAsyncFx(
                        MOST_MS, () -> point(which.get()).query());
            }
        };
    }
}
