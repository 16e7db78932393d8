package dev.lacuna.ui.places.planner.pareto;

import javafx.geometry.Point2D;
import javafx.scene.input.MouseButton;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/** Finds its way on the picture for tests of the whole place. */
public final class ParetoWalk {
    private final FxRobot robot;

    public ParetoWalk(FxRobot robot) {
        this.robot = robot;
    }

    /** Drags the budget line by so many pixels. */
    public void dragBudget(double pixels) throws Exception {
        ParetoChart chart = robot.lookup("#plan-chart").queryAs(ParetoChart.class);
        Point2D at = WaitForAsyncUtils.asyncFx(
                        () -> chart.localToScreen(new Point2D(chart.budgetX(), chart.getHeight() / 2)))
                .get();
        robot.moveTo(at).press(MouseButton.PRIMARY).moveTo(at.add(pixels, 0)).release(MouseButton.PRIMARY);
    }
}
