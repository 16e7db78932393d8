package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.chart.StackBar;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Optional;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What is where: totals in one bar, and below them one row per layer. */
final class LayersCard extends VBox {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final List<String> PLACES = List.of("device", "out", "host", "in");

    private final SwapViewModel model;
    private final LayerChart chart = new LayerChart();
    private final StackBar totals = new StackBar("swap-device", "swap-out", "swap-host", "swap-in");
    private final Label sum = new Label();
    private final Label policy = new Label();
    private final Tooltip exact = new Tooltip();

    LayersCard(SwapViewModel model) {
        this.model = model;
        sum.getStyleClass().addAll("muted", "small");
        sum.setMinWidth(0);
        sum.setId("swap-total");
        policy.getStyleClass().addAll("muted", "small");
        policy.setMinWidth(0);
        policy.setId("swap-policy");
        Label title = Labels.titled(TEXTS.bind("layers.title"));
        title.setMinWidth(Region.USE_PREF_SIZE);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox head = new HBox(title, sum, space, policy);
        head.getStyleClass().add("swap-head");
        head.setAlignment(Pos.BASELINE_LEFT);
        Legend legend = new Legend();
        PLACES.forEach(place -> legend.getChildren().add(LinkCard.sign(place, "place." + place)));
        Tooltip.install(totals, exact);
        VBox.setVgrow(chart, Priority.ALWAYS);
        ChartMenu.install(this, "layers", this::table);
        getStyleClass().addAll("card", "swap-layers-card");
        getChildren().addAll(head, legend, totals, chart);
    }

    LayerChart chart() {
        return chart;
    }

    private Table table() {
        Sheet sheet = Sheet.of("layer", "#device_bytes", "#out_bytes", "#host_bytes", "#in_bytes", "asked", "does");
        model.layers()
                .map(LayerPlaces::layers)
                .orElse(List.of())
                .forEach(layer -> sheet.row(List.of(
                        layer.name(),
                        layer.deviceBytes(),
                        layer.outBytes(),
                        layer.hostBytes(),
                        layer.inBytes(),
                        SwapText.action(layer.asked()),
                        SwapText.action(layer.does()))));
        return sheet.table();
    }

    /** Shows what the agent told last. */
    void refresh() {
        Optional<LayerPlaces> now = model.layers();
        List<LayerPlace> layers = now.map(LayerPlaces::layers).orElse(List.of());
        chart.show(layers, now.map(LayerPlaces::reported).orElse(false), nothing(now));
        long[] all = LayerBytes.sum(layers);
        long total = LayerBytes.total(all);
        totals.show(total, all);
        exact.setText(exact(all));
        sum.setText(
                layers.isEmpty()
                        ? ""
                        : TEXTS.get(
                                "layers.sum", layers.size(), ByteText.of(total), ByteText.of(all[LayerBytes.HOST])));
        policy.setText(policy(now, layers));
    }

    private String nothing(Optional<LayerPlaces> now) {
        String refusal = model.layersRefusal();
        if (!refusal.isEmpty()) {
            String key = "refused." + refusal;
            return TEXTS.has(key) ? TEXTS.get(key) : TEXTS.get("refused.other", refusal);
        }
        if (now.isEmpty()) {
            boolean gone = model.connectionProperty().get().kind() == ConnectionState.Kind.GONE;
            return TEXTS.get(gone ? "layers.ended" : "layers.waiting");
        }
        return TEXTS.get(model.swap().filter(c -> c.mode() == SwapMode.OFF).isPresent() ? "layers.off" : "layers.none");
    }

    private static String policy(Optional<LayerPlaces> now, List<LayerPlace> layers) {
        if (now.isEmpty() || layers.isEmpty()) {
            return "";
        }
        Optional<String> rule = now.get().rule();
        if (rule.isPresent()) {
            return TEXTS.get("layers.policy.rule", SwapText.rule(rule.get()));
        }
        if (!now.get().reported()) {
            return TEXTS.get("layers.policy.none");
        }
        return TEXTS.get(
                "layers.policy",
                count(layers, LayerAction.KEEP),
                count(layers, LayerAction.SWAP),
                count(layers, LayerAction.RECOMPUTE));
    }

    private static long count(List<LayerPlace> layers, LayerAction action) {
        return layers.stream().filter(layer -> layer.asked() == action).count();
    }

    private static String exact(long[] bytes) {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            words.append(i == 0 ? "" : "\n")
                    .append(TEXTS.get("layers.line", TEXTS.get("place." + PLACES.get(i)), ByteText.exact(bytes[i])));
        }
        return words.toString();
    }
}
