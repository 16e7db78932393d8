package dev.lacuna.ui.places.planner.mindformers;

import dev.lacuna.core.config.mindformers.GridPosition;
import javafx.geometry.Point2D;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/** Finds its way on the grid for tests of the whole place. */
public final class MindformersWalk {
    private final FxRobot robot;
    private final MindformersViewModel model;

    public MindformersWalk(FxRobot robot, MindformersViewModel model) {
        this.robot = robot;
        this.model = model;
    }

    public boolean shown() {
        return model.gridProperty().get().isPresent();
    }

    public boolean changed() {
        return model.changedProperty().get() && !model.checkingProperty().get();
    }

    public boolean settled() {
        return !model.checkingProperty().get();
    }

    /** Whether it is said that the grid cannot be saved. */
    public boolean obstructed() {
        return settled()
                && model.remarksProperty().get().stream().anyMatch(remark -> remark.kind() == Remark.Kind.ERROR);
    }

    /** Clicks on a cell; the empty operator is the whole layer. */
    public void click(int layer, String operator) throws Exception {
        GridView grid = robot.lookup("#mf-grid").queryAs(GridView.class);
        Point2D at = WaitForAsyncUtils.asyncFx(() -> grid.localToScreen(grid.middle(GridPosition.of(layer, operator))))
                .get();
        WaitForAsyncUtils.waitForFxEvents();
        robot.clickOn(at);
    }

    /** Selects a cell without changing it. */
    public void select(int layer, String operator) throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
                    model.jump(GridPosition.of(layer, operator));
                    robot.lookup("#mf-grid").query().requestFocus();
                    return true;
                })
                .get();
    }
}
