package dev.lacuna.ui.places.live;

import atlantafx.base.theme.Styles;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.RecommendedFraction;
import dev.lacuna.core.history.mirror.PoolsFloor;
import dev.lacuna.ui.guard.GuardRefusal;
import dev.lacuna.ui.guard.RefusalCard;
import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.parts.SteadyLabel;
import dev.lacuna.ui.places.live.reclaim.ReclaimModel;
import dev.lacuna.ui.places.live.reclaim.ReclaimRow;
import dev.lacuna.ui.places.live.stock.StockModel;
import dev.lacuna.ui.places.live.stock.TakeOverQuestion;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FigureInput;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.UndoButtons;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.scene.text.TextAlignment;
import org.controlsfx.control.ToggleSwitch;

/** The switch, the fraction, the one click that sets the recommended one, and how the last change went. */
final class ControlCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");
    private static final PseudoClass WARNING = PseudoClass.getPseudoClass("warning");
    private static final PseudoClass DONE = PseudoClass.getPseudoClass("done");

    private final LiveViewModel live;
    private final ControlModel model;
    private final ToggleSwitch optimisation = new ToggleSwitch();
    private final FractionInput fraction;
    private final Button recommended = new Button();
    private final Label reason = new Label();
    private final StringProperty reasonInFull = new SimpleStringProperty("");
    private final Hyperlink usual = new Hyperlink();
    private final Label effect = new SteadyLabel(4);
    private final Label pools = new Label();
    private final ReadOnlyObjectProperty<Optional<PoolsFloor>> floor;
    private final Label status = new Label();
    private final RefusalCard refusal;
    private final ReclaimRow reclaim;
    private final RulesChoice rules;
    private final StockModel stock;
    private final TakeOverQuestion takeOver;
    private final ReclaimModel reclaiming;
    private final CheckBox compact = new CheckBox();
    private final VBox offer;
    private boolean showing;

    /**
     * What stands beside the settings.
     *
     * @param stock asks a process that was not prepared
     * @param reclaiming has a process with an agent give memory back
     * @param floor what Lacuna's pools would reserve for what such a process holds
     */
    record Beside(StockModel stock, ReclaimModel reclaiming, ReadOnlyObjectProperty<Optional<PoolsFloor>> floor) {}

    /**
     * @param overlay where questions are asked
     * @param leave gives the keyboard back when the operator is done with the fraction
     */
    ControlCard(LiveViewModel live, Beside beside, Overlay overlay, Runnable leave) {
        this.live = live;
        this.stock = beside.stock();
        this.takeOver = new TakeOverQuestion(stock, overlay);
        this.floor = beside.floor();
        this.offer = offer();
        this.reclaiming = beside.reclaiming();
        this.reclaim =
                new ReclaimRow(reclaiming, overlay, () -> live.deviceProperty().get());
        this.model = live.control();
        this.rules = new RulesChoice(live);
        this.refusal = new RefusalCard(
                "live", overlay, new RefusalCard.Ways(model::setLowestSafe, model::askToForce, model::askAgain));
        this.fraction = new FractionInput(
                new FigureInput.Actions<>(model::setFraction, model::undo, model::redo, leave), live::preview);
        fraction.busyProperty().bind(model.closedBinding());
        // Not while an answer is awaited: the field must not lose the cursor to that.
        fraction.disableProperty().bind(live.connectionProperty().map(c -> !c.reachable()));
        getStyleClass().addAll("card", "control-card");
        getChildren()
                .addAll(
                        Labels.titled(TEXTS.bind("control.title"), undoButtons()),
                        switchLine(),
                        poolsLine(),
                        compactLine(),
                        rules,
                        fraction,
                        offer,
                        refusal,
                        statusLine(),
                        reclaim);
        live.connectionProperty().addListener((property, before, now) -> refresh());
        live.controlAllowedProperty().addListener((property, before, now) -> refresh());
        model.statusProperty().addListener((property, before, now) -> refresh());
        model.onSwitched(reclaim::switched);
        floor.addListener((property, before, now) -> refresh());
        model.insteadProperty().addListener((property, before, now) -> refresh());
        Texts.wordingProperty().addListener((property, before, now) -> refresh());
        refresh();
    }

    /** Puts the cursor into the exact fraction. */
    void editFraction() {
        fraction.edit();
    }

    /** The other position of the switch. */
    void flip() {
        live.counters().ifPresent(now -> switchTo(!now.optimisation()));
    }

    /** Switches the optimisation; where Lacuna's pools are not there yet, whether they may come is asked first. */
    void switchTo(boolean on) {
        if (on && stock.canTakeOver() && !model.closedBinding().get()) {
            takeOver.ask(() -> model.switchOnWith(stock::takeOver));
        } else {
            model.switchOptimisation(on);
        }
    }

    /** The rules that do not hold. */
    void otherRules() {
        rules.other();
    }

    /** Shows what holds now. */
    void refresh() {
        // On the host there is no cap, and nothing to set but whether Lacuna's pools serve.
        boolean capped = !isStock() || stock.can("fraction");
        setShown(fraction, capped);
        setShown(offer, capped);
        setShown(compact, reclaiming.process().isPresent() || stock.canTakeOver());
        compact.setDisable(model.isOver());
        Optional<MemoryCounters> counters = live.counters();
        counters.ifPresent(now -> {
            showSwitch(now.optimisation());
            showEffect(now);
            showPools(now);
            rules.refresh(now);
            fraction.show(
                    pendingFraction(now.fraction()),
                    now.lowestSafeFraction(),
                    now.lowestSafeLimitBytes() <= now.totalBytes());
            showOffer(now);
        });
        reclaim.refresh();
        showStatus(model.statusProperty().get());
    }

    private HBox switchLine() {
        Label name = Labels.of(TEXTS.bind("control.optimisation"));
        effect.setId("live-optimisation-effect");
        effect.getStyleClass().addAll("muted", "small");
        VBox words = new VBox(name, effect);
        HBox.setHgrow(words, Priority.ALWAYS);
        optimisation.setId("live-optimisation");
        optimisation.accessibleTextProperty().bind(TEXTS.bind("control.optimisation"));
        optimisation.disableProperty().bind(model.closedBinding());
        optimisation.selectedProperty().addListener((property, before, on) -> {
            if (!showing) {
                switchTo(on);
                refresh();
            }
        });
        HBox line = new HBox(8, words, optimisation);
        line.setAlignment(Pos.CENTER_LEFT);
        return line;
    }

    private Label poolsLine() {
        pools.setId("live-pools-floor");
        pools.getStyleClass().addAll("muted", "small");
        pools.setWrapText(true);
        pools.setMinHeight(Region.USE_PREF_SIZE);
        setShown(pools, false);
        return pools;
    }

    /** What is there may follow where the switch points to; not without an agent, or one that can come. */
    private CheckBox compactLine() {
        compact.setId("live-compact-too");
        compact.getStyleClass().add("small");
        compact.textProperty().bind(TEXTS.bind("control.compact"));
        compact.setWrapText(true);
        compact.selectedProperty().bindBidirectional(reclaiming.withSwitchProperty());
        compact.selectedProperty().addListener((property, before, now) -> refresh());
        Tooltip meaning = new Tooltip();
        meaning.textProperty().bind(TEXTS.bind("control.compact.why"));
        meaning.setWrapText(true);
        meaning.setMaxWidth(360);
        compact.setTooltip(meaning);
        return compact;
    }

    private VBox offer() {
        recommended.setId("live-recommended");
        recommended.setMaxWidth(Double.MAX_VALUE);
        recommended.setWrapText(true);
        recommended.setTextAlignment(TextAlignment.CENTER);
        recommended.setMinHeight(Region.USE_PREF_SIZE);
        recommended.setOnAction(e -> model.applyRecommended());
        reason.setId("live-reason");
        reason.getStyleClass().addAll("muted", "small");
        reason.setWrapText(true);
        reason.setMinHeight(Region.USE_PREF_SIZE);
        recommended.setTooltip(Explanation.hover(reasonInFull));
        Explanation.of(reason, reasonInFull);
        usual.setId("live-usual");
        usual.getStyleClass().add("small");
        // A link never changes the job: it fills in the field, whose effect is shown.
        usual.setOnAction(e -> fraction.propose(RecommendedFraction.USUAL));
        return new VBox(1, recommended, reason, usual);
    }

    private UndoButtons undoButtons() {
        return new UndoButtons(
                "live",
                new UndoButtons.Way(model.canUndoBinding(), model::undo),
                new UndoButtons.Way(model.canRedoBinding(), model::redo));
    }

    private Label statusLine() {
        status.getStyleClass().addAll("muted", "small", "control-status");
        status.setId("live-status");
        status.setWrapText(true);
        status.setMaxWidth(Double.MAX_VALUE);
        return status;
    }

    private void showSwitch(boolean on) {
        boolean shown = model.statusProperty().get() instanceof ControlStatus.Pending pending
                ? pending.job().change().optimisation().orElse(on)
                : on;
        showing = true;
        optimisation.setSelected(shown);
        showing = false;
    }

    /** What the other position of the switch would come to. */
    private void showEffect(MemoryCounters now) {
        if (model.isOver()) {
            effect.setText("");
            return;
        }
        String position = now.optimisation() ? "off" : "on";
        if (isStock()) {
            String pools = !now.optimisation() && stock.canTakeOver() ? ".pools" : "";
            effect.setText(TEXTS.get(
                    "control.optimisation.stock." + position + pools,
                    ByteText.of(now.gap().releasableBytes())));
            return;
        }
        String whose = !now.optimisation() && now.policy() == PoolPolicy.LIFETIME ? ".lifetime" : "";
        RulesPreview preview = RulesPreview.ofSwitch(now);
        effect.setText(TEXTS.get("control.optimisation.effect." + position + whose)
                + RulesChoice.givenBack(preview)
                + (compact.isSelected() ? RulesChoice.moved(preview) : ""));
    }

    /** What Lacuna's pools would come to, where PyTorch's own setting is all that there is. */
    private void showPools(MemoryCounters now) {
        Optional<PoolsFloor> known = floor.get();
        boolean shown = isStock() && stock.can("settings") && (known.isPresent() || now.optimisation());
        setShown(pools, shown);
        if (shown) {
            pools.setText(known.map(least -> TEXTS.get(
                            "control.floor",
                            least.blocks(),
                            ByteText.of(least.allocatedBytes()),
                            ByteText.of(least.reservedBytes()),
                            ByteText.of(least.leastBytes())))
                    .orElseGet(() -> TEXTS.get("control.floor.none")));
        }
    }

    private boolean isStock() {
        return live.processProperty().get().filter(TrainingProcess::isStock).isPresent();
    }

    private static void setShown(Region node, boolean shown) {
        node.setVisible(shown);
        node.setManaged(shown);
    }

    /** What was asked for while the answer is awaited, else what holds. */
    private double pendingFraction(double held) {
        return model.statusProperty().get() instanceof ControlStatus.Pending pending
                ? pending.job().change().fraction().orElse(held)
                : held;
    }

    private void showOffer(MemoryCounters now) {
        RecommendedFraction offer = RecommendedFraction.of(now);
        String value = FractionInput.text(offer.fraction());
        boolean holds = now.fraction() == offer.fraction();
        long left = offer.totalBytes() - offer.capBytes();
        String offered = TEXTS.get(offerKey(holds, left == 0), value, ByteText.of(left));
        String effectOfIt =
                live.preview(offer.fraction()).map(FractionInput::words).orElse("");
        recommended.setText(holds ? offered : offered + "\n" + effectOfIt);
        // An offer that only takes back a lower fraction, which the operator had reasons for, is not urged.
        showAccent(offer.fraction() < now.fraction());
        recommended.setDisable(holds || model.closedBinding().get());
        String why = offer.reason().name().toLowerCase(Locale.ROOT);
        String outside = ByteText.of(offer.outsideBytes());
        reason.setText(TEXTS.get("control.because." + why, outside, value));
        reasonInFull.set(TEXTS.get("control.why." + why, outside, value));
        String customary = FractionInput.text(RecommendedFraction.USUAL);
        usual.setText(TEXTS.get("control.usual", customary));
        boolean refused = live.preview(RecommendedFraction.USUAL)
                .filter(preview -> preview.outcome() == FractionPreview.Outcome.REFUSED)
                .isPresent();
        usual.setVisible(!refused);
        usual.setManaged(!refused);
        usual.setDisable(now.fraction() == RecommendedFraction.USUAL
                || !live.connectionProperty().get().reachable());
    }

    private static String offerKey(boolean holds, boolean wholeDevice) {
        if (wholeDevice) {
            return holds ? "control.recommended.holds.all" : "control.recommended.all";
        }
        return holds ? "control.recommended.holds" : "control.recommended";
    }

    private void showAccent(boolean urged) {
        List<String> styles = recommended.getStyleClass();
        if (urged && !styles.contains(Styles.ACCENT)) {
            styles.add(Styles.ACCENT);
        } else if (!urged) {
            styles.remove(Styles.ACCENT);
        }
    }

    private void showStatus(ControlStatus now) {
        String instead = model.insteadProperty().get();
        status.setText(instead.isEmpty() ? words(now) : words(now) + " " + instead);
        status.pseudoClassStateChanged(
                DANGER, now instanceof ControlStatus.Refused || now instanceof ControlStatus.Failed);
        status.pseudoClassStateChanged(WARNING, now.warns());
        status.pseudoClassStateChanged(DONE, !model.isOver() && now instanceof ControlStatus.InEffect && !now.warns());
        Optional<GuardRefusal> guarded =
                now instanceof ControlStatus.Refused refused ? refused.guard() : Optional.empty();
        refusal.show(guarded.map(standing -> shown(standing, (ControlStatus.Refused) now)));
        // The card says it all.
        status.setVisible(guarded.isEmpty());
        status.setManaged(guarded.isEmpty());
    }

    private RefusalCard.Shown shown(GuardRefusal standing, ControlStatus.Refused now) {
        return new RefusalCard.Shown(
                standing,
                now.job().description(TEXTS),
                now.job().change().fraction().isPresent(),
                live.counters().map(MemoryCounters::totalBytes).orElse(0L),
                model.closedBinding().get());
    }

    private String words(ControlStatus status) {
        if (model.isOver()) {
            return TEXTS.get("status.over");
        }
        if (status instanceof ControlStatus.Pending pending) {
            return TEXTS.get("status.pending", pending.job().description(TEXTS));
        }
        if (status instanceof ControlStatus.Applied applied) {
            String key = applied.stepsAreMarked() ? "status.applied" : "status.applied.unmarked";
            return warned(
                            applied.job(),
                            TEXTS.get(key, clock(applied.at()), applied.job().description(TEXTS)))
                    + unreached(applied.unreachedBytes());
        }
        if (status instanceof ControlStatus.InEffect done) {
            return warned(
                            done.job(),
                            TEXTS.get(
                                    "status.done", clock(done.at()), done.job().description(TEXTS)))
                    + unreached(done.unreachedBytes());
        }
        if (status instanceof ControlStatus.Refused refused) {
            return TEXTS.get("status.refused", refused.job().description(TEXTS), reason(refused.code()));
        }
        if (status instanceof ControlStatus.Failed failed) {
            return TEXTS.get(
                    "status.failed",
                    failed.job().description(TEXTS),
                    TEXTS.get("fault." + failed.reason().name().toLowerCase(Locale.ROOT)));
        }
        return TEXTS.get(live.controlAllowedProperty().get() ? "status.idle.allowed" : "status.idle");
    }

    private static String warned(ControlJob job, String words) {
        return job.change().force() ? TEXTS.get("status.forced", words) : words;
    }

    private static String unreached(long bytes) {
        return bytes <= 0 ? "" : " " + TEXTS.get("status.unreached", ByteText.of(bytes));
    }

    /** The agent's sentences are English; its words are few. */
    private static String reason(String code) {
        return switch (code) {
            case "would-fail", "out-of-range", "no-device", "denied", "busy", "cannot", "no-step" ->
                TEXTS.get("refused." + code);
            default -> TEXTS.get("refused.other", code);
        };
    }

    private static String clock(Instant at) {
        return CLOCK.format(at.atZone(ZoneId.systemDefault()));
    }
}
