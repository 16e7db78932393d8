package dev.lacuna.ui.places.planner;

import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.PlaceHeader;
import java.util.List;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.javafx.FontIcon;

/** The header, and one tab for each question. */
final class PlannerView extends VBox {
    private static final Texts TEXTS = Texts.of("planner");

    /** One tab. */
    record Part(String id, Node content) {}

    private final TabPane tabs = new TabPane();

    /** @param turned told whenever another tab comes to the front */
    PlannerView(List<Part> parts, Runnable choose, Runnable turned) {
        getStyleClass().addAll("place", "planner");
        Button open = new Button(null, new FontIcon("fth-folder"));
        open.setId("planner-open");
        open.textProperty().bind(TEXTS.bind("open"));
        open.setMinWidth(Region.USE_PREF_SIZE);
        open.setOnAction(e -> choose.run());
        tabs.setId("planner-tabs");
        tabs.accessibleTextProperty().bind(TEXTS.bind("title"));
        tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
        for (Part part : parts) {
            Tab tab = new Tab();
            tab.setId("planner-tab-" + part.id());
            tab.textProperty().bind(TEXTS.bind("tab." + part.id()));
            tab.setContent(part.content());
            tabs.getTabs().add(tab);
        }
        tabs.getSelectionModel().selectedIndexProperty().addListener(any -> turned.run());
        VBox.setVgrow(tabs, Priority.ALWAYS);
        getChildren().addAll(new PlaceHeader(TEXTS.bind("title"), TEXTS.bind("subtitle"), open), tabs);
    }

    /** Brings the tab of this part to the front. */
    void show(String part) {
        tabs.getTabs().stream()
                .filter(tab -> tab.getId().equals("planner-tab-" + part))
                .forEach(tabs.getSelectionModel()::select);
    }

    /** Changes with the tab in front. */
    ReadOnlyIntegerProperty frontProperty() {
        return tabs.getSelectionModel().selectedIndexProperty();
    }

    /** The tab in front, from 0. */
    int front() {
        return tabs.getSelectionModel().getSelectedIndex();
    }
}
