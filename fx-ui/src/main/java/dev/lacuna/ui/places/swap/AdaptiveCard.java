package dev.lacuna.ui.places.swap;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.core.planning.swap.adaptive.LimitSpare;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.conflict.LacunaFeature;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javafx.css.PseudoClass;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Finds the fastest mix, shows what each method would do, and tells the layers what the best one says. */
final class AdaptiveCard extends VBox {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final PseudoClass BEST = PseudoClass.getPseudoClass("best");
    private static final PseudoClass MISFIT = PseudoClass.getPseudoClass("misfit");
    private static final List<String> COLUMNS = List.of("method", "step", "peak", "fits", "proven");

    private final SwapViewModel model;
    private final AdaptiveModel adaptive;
    private final Button find = new Button();
    private final RuleMenu rules;
    private final Button cancel = new Button();
    private final Label words = new Label();
    private final ProgressBar progress = new ProgressBar();
    private final GridPane table = new GridPane();
    private final ScrollPane scroll = new ScrollPane(table);
    private final PolicyStrip strip = new PolicyStrip();
    private final Label proposal = new Label();
    private final Label conflict = new Label();
    private final Button apply = new Button();
    private final Button drop = new Button();
    private Optional<AdaptivePlan> chosen = Optional.empty();

    AdaptiveCard(SwapViewModel model) {
        this.model = model;
        this.adaptive = model.adaptive();
        this.rules = new RuleMenu(model);
        find.setId("swap-find");
        find.textProperty().bind(TEXTS.bind("adaptive.find"));
        find.setMinWidth(Region.USE_PREF_SIZE);
        find.setOnAction(e -> adaptive.find());
        cancel.setId("swap-cancel");
        cancel.textProperty().bind(TEXTS.bind("adaptive.cancel"));
        cancel.setMinWidth(Region.USE_PREF_SIZE);
        cancel.setOnAction(e -> adaptive.cancel());
        words.setId("swap-adaptive-words");
        words.getStyleClass().addAll("muted", "small");
        words.setWrapText(true);
        words.setMinHeight(Region.USE_PREF_SIZE);
        progress.setMaxWidth(Double.MAX_VALUE);
        Label title = Labels.titled(TEXTS.bind("adaptive.title"));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox head = new HBox(title, space, rules, cancel, find);
        head.getStyleClass().add("swap-head");
        head.setAlignment(Pos.CENTER_LEFT);
        columns();
        scroll.setFitToWidth(true);
        scroll.setHbarPolicy(ScrollPane.ScrollBarPolicy.NEVER);
        scroll.getStyleClass().add("side");
        scroll.setMinHeight(60);
        VBox.setVgrow(scroll, Priority.ALWAYS);
        getStyleClass().addAll("card", "swap-adaptive-card");
        getChildren().addAll(head, words, progress, scroll, strip, conflict, foot());
        adaptive.statusProperty().addListener((property, before, now) -> refresh());
        Texts.wordingProperty().addListener((property, before, now) -> {
            if (adaptive.statusProperty().get() instanceof AdaptiveStatus.Found found) {
                fill(found);
            }
        });
        refresh();
    }

    /** The button of the title. */
    void find() {
        adaptive.find();
    }

    /** Shows how far it is. */
    void refresh() {
        AdaptiveStatus now = adaptive.statusProperty().get();
        boolean busy = adaptive.isBusy();
        cancel.setVisible(busy);
        cancel.setManaged(busy);
        find.setDisable(busy || !model.connectionProperty().get().reachable());
        progress.setVisible(busy);
        progress.setManaged(busy);
        progress.setProgress(
                now instanceof AdaptiveStatus.Planning planning ? (double) planning.done() / planning.all() : -1);
        words.setText(words(now));
        rules.refresh();
        Optional<AdaptiveStatus.Found> found =
                now instanceof AdaptiveStatus.Found f ? Optional.of(f) : Optional.empty();
        found.ifPresentOrElse(this::showPlans, this::clearPlans);
        showFoot();
    }

    private static String words(AdaptiveStatus now) {
        if (now instanceof AdaptiveStatus.Measuring) {
            return TEXTS.get("adaptive.measuring");
        }
        if (now instanceof AdaptiveStatus.Planning planning) {
            return TEXTS.get("adaptive.planning", planning.done(), planning.all());
        }
        if (now instanceof AdaptiveStatus.Failed failed) {
            return TEXTS.get(failed.key(), failed.detail());
        }
        if (now instanceof AdaptiveStatus.Found found) {
            return TEXTS.get(
                    "adaptive.found",
                    found.profile().layers().size(),
                    SwapText.milliseconds(found.profile().stepNs()),
                    ByteText.of(found.profile().limitBytes()),
                    found.profile().linkBytesPerSecond() > 0
                            ? SwapText.rate(found.profile().linkBytesPerSecond())
                            : "–",
                    ByteText.of(LimitSpare.ofProcess(found.profile())
                            .of(found.profile().limitBytes())));
        }
        return TEXTS.get("adaptive.idle");
    }

    private void columns() {
        table.getStyleClass().add("plans");
        for (int i = 0; i < COLUMNS.size(); i++) {
            ColumnConstraints column = new ColumnConstraints();
            column.setHgrow(i == 0 ? Priority.ALWAYS : Priority.NEVER);
            column.setHalignment(i == 0 ? HPos.LEFT : HPos.RIGHT);
            table.getColumnConstraints().add(column);
        }
    }

    private void clearPlans() {
        chosen = Optional.empty();
        table.getChildren().clear();
        strip.show(new LayerPolicy(List.of()));
        scroll.setVisible(false);
        scroll.setManaged(false);
    }

    private void showPlans(AdaptiveStatus.Found found) {
        if (chosen.isPresent() && found.plans().contains(chosen.get())) {
            return;
        }
        chosen = found.best();
        fill(found);
    }

    private void fill(AdaptiveStatus.Found found) {
        scroll.setVisible(true);
        scroll.setManaged(true);
        table.getChildren().clear();
        for (int i = 0; i < COLUMNS.size(); i++) {
            Label head = Labels.of(TEXTS.bind("adaptive.column." + COLUMNS.get(i)), "muted", "small");
            head.setMinWidth(Region.USE_PREF_SIZE);
            table.add(head, i, 0);
        }
        List<AdaptivePlan> plans = found.plans();
        for (int row = 0; row < plans.size(); row++) {
            addPlan(found, plans.get(row), row + 1);
        }
        strip.show(chosen.map(AdaptivePlan::policy).orElse(new LayerPolicy(List.of())));
    }

    private void addPlan(AdaptiveStatus.Found found, AdaptivePlan plan, int row) {
        Hyperlink name = new Hyperlink();
        String key = "method." + plan.method();
        if (TEXTS.has(key)) {
            name.textProperty().bind(TEXTS.bind(key));
        } else {
            name.setText(plan.method());
        }
        name.getStyleClass().add("small");
        name.setMinWidth(Region.USE_PREF_SIZE);
        name.setTooltip(new Tooltip(TEXTS.get("adaptive.hover", actions(plan.policy()), copies(plan))));
        name.setOnAction(e -> {
            chosen = Optional.of(plan);
            fill(found);
            showFoot();
        });
        name.pseudoClassStateChanged(BEST, chosen.filter(plan::equals).isPresent());
        table.add(name, 0, row);
        cell(SwapText.milliseconds(plan.stepNs()), 1, row, plan);
        cell(ByteText.of(plan.peakBytes()), 2, row, plan);
        cell(TEXTS.get(plan.fits() ? "adaptive.yes" : "adaptive.no"), 3, row, plan);
        cell(proof(plan), 4, row, plan);
    }

    private void cell(String text, int column, int row, AdaptivePlan plan) {
        Label cell = new Label(text);
        cell.getStyleClass().addAll("small", "plan-cell");
        cell.setMinWidth(Region.USE_PREF_SIZE);
        cell.pseudoClassStateChanged(BEST, chosen.filter(plan::equals).isPresent());
        cell.pseudoClassStateChanged(MISFIT, !plan.fits());
        table.add(cell, column, row);
    }

    /** Where nothing is proven, how far above the bound the step may lie. */
    private static String proof(AdaptivePlan plan) {
        if (plan.proven()) {
            return TEXTS.get("adaptive.proven");
        }
        return plan.fits() ? String.format(Locale.ROOT, "≤ %.1f %%", plan.gap() * 100) : "–";
    }

    private static String copies(AdaptivePlan plan) {
        return TEXTS.get(
                "copies.hover",
                SwapText.milliseconds(plan.hiddenCopyNs()),
                SwapText.milliseconds(plan.exposedCopyNs()));
    }

    private HBox foot() {
        proposal.setId("swap-proposal");
        proposal.getStyleClass().add("small");
        proposal.setWrapText(true);
        proposal.setMinHeight(Region.USE_PREF_SIZE);
        proposal.setMinWidth(0);
        HBox.setHgrow(proposal, Priority.ALWAYS);
        proposal.setMaxWidth(Double.MAX_VALUE);
        conflict.setId("swap-conflict");
        conflict.getStyleClass().addAll("small", "conflict");
        conflict.setWrapText(true);
        conflict.setMinHeight(Region.USE_PREF_SIZE);
        apply.setId("swap-apply");
        apply.textProperty().bind(TEXTS.bind("adaptive.apply"));
        apply.getStyleClass().add(Styles.ACCENT);
        apply.setMinWidth(Region.USE_PREF_SIZE);
        apply.setOnAction(e -> chosen.ifPresent(plan -> model.control().tell(new LayerOrders.ByLayer(plan.policy()))));
        drop.setId("swap-drop");
        drop.getStyleClass().add("small");
        drop.setMinWidth(Region.USE_PREF_SIZE);
        drop.setOnAction(e -> model.control().tell(new LayerOrders.None()));
        HBox foot = new HBox(proposal, drop, apply);
        foot.getStyleClass().add("swap-head");
        foot.setAlignment(Pos.CENTER_LEFT);
        return foot;
    }

    private void showFoot() {
        LayerOrders orders = model.control().ordersInForce();
        boolean holds = chosen.isPresent() && chosen.map(AdaptivePlan::policy).equals(orders.policy());
        boolean inForce = !(orders instanceof LayerOrders.None);
        strip.setVisible(chosen.isPresent());
        strip.setManaged(chosen.isPresent());
        apply.setVisible(chosen.isPresent());
        apply.setManaged(chosen.isPresent());
        apply.setDisable(holds
                || model.control().closedBinding().get()
                || chosen.filter(AdaptivePlan::fits).isEmpty());
        drop.setText(TEXTS.get(orders.rule().isPresent() ? "adaptive.drop.rule" : "adaptive.drop"));
        drop.setVisible(inForce);
        drop.setManaged(inForce);
        drop.setDisable(model.control().closedBinding().get());
        proposal.setText(orders.rule()
                .map(rule -> TEXTS.get("adaptive.rule", SwapText.rule(rule)))
                .orElseGet(() -> proposal(holds)));
        Set<LacunaFeature> features = chosen.filter(plan -> plan.policy().count(LayerAction.SWAP) > 0)
                .map(plan -> EnumSet.of(LacunaFeature.LAYER_POLICY, LacunaFeature.SWAP))
                .orElse(EnumSet.of(LacunaFeature.LAYER_POLICY));
        ConflictText.show(conflict, chosen.isPresent() ? model.conflicts(features) : List.of());
    }

    private String proposal(boolean holds) {
        if (chosen.isEmpty()) {
            return adaptive.statusProperty().get() instanceof AdaptiveStatus.Found
                    ? TEXTS.get("adaptive.none.fits")
                    : "";
        }
        return TEXTS.get(
                holds ? "adaptive.holds" : "adaptive.proposal",
                actions(chosen.get().policy()),
                SwapText.milliseconds(chosen.get().stepNs()));
    }

    private static String actions(LayerPolicy policy) {
        return TEXTS.get(
                "adaptive.actions",
                policy.count(LayerAction.KEEP),
                policy.count(LayerAction.SWAP),
                policy.count(LayerAction.RECOMPUTE));
    }
}
