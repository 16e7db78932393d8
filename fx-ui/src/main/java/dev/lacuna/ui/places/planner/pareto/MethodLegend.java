package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.ui.parts.PaintedRegion;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;

/** The methods with their signs. */
final class MethodLegend extends FlowPane {
    private final ParetoViewModel model;

    MethodLegend(ParetoViewModel model) {
        this.model = model;
        getStyleClass().add("legend");
        model.methodsProperty().addListener(any -> show());
        Texts.wordingProperty().addListener(any -> show());
        show();
    }

    private void show() {
        List<Node> entries = new ArrayList<>();
        List<PlanningMethod> methods = model.methodsProperty().get();
        for (int i = 0; i < methods.size(); i++) {
            Label name = new Label(PlanText.shortTitle(methods.get(i)));
            name.setTooltip(new Tooltip(methods.get(i).title(Texts.locale())));
            HBox entry = new HBox(new Sign(i), name);
            entry.getStyleClass().add("legend-entry");
            entries.add(entry);
        }
        getChildren().setAll(entries);
    }

    private static final class Sign extends PaintedRegion {
        private final int method;

        Sign(int method) {
            super(List.of("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"));
            this.method = method;
            getStyleClass().add("method-sign");
            setMinSize(14, 14);
            setPrefSize(14, 14);
            setMaxSize(14, 14);
        }

        @Override
        protected void paint(GraphicsContext g, double width, double height) {
            MethodSign.paint(g, method, width / 2, height / 2, 4.5, colour("m" + (1 + method % 8)), true);
        }
    }
}
