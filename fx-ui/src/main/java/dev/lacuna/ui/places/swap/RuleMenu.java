package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;

/** The published heuristics that can choose for each saved tensor; the agent says which there are. */
final class RuleMenu extends MenuButton {
    private static final Texts TEXTS = SwapText.TEXTS;

    private final SwapViewModel model;
    private List<String> shown = List.of();
    private Optional<String> marked = Optional.empty();

    RuleMenu(SwapViewModel model) {
        this.model = model;
        setId("swap-rule");
        textProperty().bind(TEXTS.bind("rule.menu"));
        accessibleTextProperty().bind(TEXTS.bind("rule.hover"));
        setMinWidth(Region.USE_PREF_SIZE);
        Tooltip hover = new Tooltip();
        hover.textProperty().bind(TEXTS.bind("rule.hover"));
        hover.setWrapText(true);
        hover.setMaxWidth(420);
        setTooltip(hover);
        refresh();
    }

    /** Shows which there are and which is in force; nothing where the process has none. */
    void refresh() {
        List<String> rules = model.rules();
        setVisible(!rules.isEmpty());
        setManaged(!rules.isEmpty());
        setDisable(model.control().closedBinding().get());
        Optional<String> now = model.control().ordersInForce().rule();
        if (!rules.equals(shown) || !now.equals(marked)) {
            shown = rules;
            marked = now;
            fill();
        }
    }

    private void fill() {
        ToggleGroup group = new ToggleGroup();
        getItems().clear();
        for (String rule : shown) {
            RadioMenuItem item = item(group, rule, marked.filter(rule::equals).isPresent());
            item.setOnAction(e -> choose(new LayerOrders.ByRule(rule)));
        }
        item(group, "none", marked.isEmpty()).setOnAction(e -> choose(new LayerOrders.None()));
    }

    private RadioMenuItem item(ToggleGroup group, String rule, boolean selected) {
        RadioMenuItem item = new RadioMenuItem();
        if (TEXTS.has("rule." + rule)) {
            item.textProperty().bind(TEXTS.bind("rule." + rule));
        } else {
            item.setText(rule);
        }
        item.setId("swap-rule-" + rule);
        item.setToggleGroup(group);
        item.setSelected(selected);
        getItems().add(item);
        return item;
    }

    /** The mark follows what is in force, not the click. */
    private void choose(LayerOrders wanted) {
        if (!(wanted instanceof LayerOrders.None) || marked.isPresent()) {
            model.control().tell(wanted);
        }
        fill();
    }
}
