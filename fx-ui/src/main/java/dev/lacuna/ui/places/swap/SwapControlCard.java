package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.CopyPlace;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.conflict.LacunaFeature;
import dev.lacuna.ui.guard.GuardRefusal;
import dev.lacuna.ui.guard.RefusalCard;
import dev.lacuna.ui.parts.Explanation;
import dev.lacuna.ui.parts.Segments;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.FigureInput;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.Overlay;
import dev.lacuna.ui.window.UndoButtons;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.css.PseudoClass;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** What may leave, what it costs, the host's budget, and how the last change went. */
final class SwapControlCard extends VBox {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final PseudoClass DANGER = PseudoClass.getPseudoClass("danger");
    private static final PseudoClass WARNING = PseudoClass.getPseudoClass("warning");
    private static final PseudoClass DONE = PseudoClass.getPseudoClass("done");

    private static final double MODE_WIDTH = 113;

    private final SwapViewModel model;
    private final SwapControlModel control;
    private final Segments<SwapMode> modes = new Segments<>(List.of(SwapMode.values()), this::choose);
    private final Label cost = new Label();
    private final BudgetInput budget;
    private final Label numa = new Label();
    private final Label conflict = new Label();
    private final Label status = new Label();
    private final RefusalCard refusal;

    /**
     * @param overlay where questions are asked
     * @param leave gives the keyboard back when the operator is done with the budget
     */
    SwapControlCard(SwapViewModel model, Overlay overlay, Runnable leave) {
        this.model = model;
        this.control = model.control();
        this.refusal = new RefusalCard(
                "swap", overlay, new RefusalCard.Ways(control::setLowestSafe, control::askToForce, control::askAgain));
        this.budget =
                new BudgetInput(new FigureInput.Actions<>(control::setBudget, control::undo, control::redo, leave));
        budget.busyProperty().bind(control.closedBinding());
        // Not while an answer is awaited: the field must not lose the cursor to that.
        budget.disableProperty().bind(model.connectionProperty().map(c -> !c.reachable()));
        getStyleClass().addAll("card", "control-card");
        cost.getStyleClass().addAll("muted", "small", "mode-cost");
        cost.setId("swap-cost");
        cost.setWrapText(true);
        cost.setMinHeight(Region.USE_PREF_SIZE);
        numa.getStyleClass().addAll("muted", "small");
        numa.setId("swap-numa");
        numa.setWrapText(true);
        numa.setMinHeight(Region.USE_PREF_SIZE);
        conflict.setId("swap-control-conflict");
        conflict.getStyleClass().addAll("small", "conflict");
        conflict.setWrapText(true);
        conflict.setMinHeight(Region.USE_PREF_SIZE);
        getChildren()
                .addAll(
                        Labels.titled(TEXTS.bind("control.title"), undoButtons()),
                        choice(),
                        conflict,
                        cost,
                        budget,
                        numa,
                        refusal,
                        statusLine());
        control.statusProperty().addListener((property, before, now) -> refresh());
        refresh();
    }

    /** Puts the cursor into the exact budget. */
    void editBudget() {
        budget.edit();
    }

    /** Shows what holds now. */
    void refresh() {
        SwapMode shown = control.shownMode();
        modes.show(shown);
        Optional<SwapCounters> now = model.swap();
        cost.setText(cost(shown));
        now.ifPresent(c -> budget.show(control.shownBudgetBytes(), c.hostUsedBytes(), model.hostMemoryBytes()));
        numa.setText(numa());
        ConflictText.show(conflict, model.conflicts(EnumSet.of(LacunaFeature.SWAP)));
        showStatus(control.statusProperty().get());
    }

    private Segments<SwapMode> choice() {
        modes.setId("swap-modes");
        modes.disableProperty().bind(control.closedBinding());
        for (SwapMode mode : SwapMode.values()) {
            ToggleButton button = modes.name(mode, "swap-mode-" + mode.label(), TEXTS.bind("mode." + mode.label()));
            button.setTooltip(Explanation.hover(TEXTS.bind("mode.what." + mode.label())));
            button.setMaxWidth(Double.MAX_VALUE);
            button.setPrefWidth(MODE_WIDTH);
        }
        return modes;
    }

    private void choose(SwapMode mode) {
        control.setMode(mode);
        refresh();
    }

    /** What the mode means, and what it has cost where it is in force. */
    private String cost(SwapMode mode) {
        String what = TEXTS.get("mode.what." + mode.label());
        boolean holds = model.swap().filter(now -> now.mode() == mode).isPresent();
        Optional<StepCopies> copies = StepCopies.of(model.history());
        if (mode == SwapMode.OFF || !holds || copies.isEmpty()) {
            return what;
        }
        return what
                + " "
                + TEXTS.get(
                        "mode.cost",
                        SwapText.milliseconds(copies.get().exposedNs()),
                        LinkFrames.percent(copies.get().exposedShare()));
    }

    private String numa() {
        return model.copies().map(SwapControlCard::sentence).orElse("");
    }

    private static String sentence(CopyPlace copies) {
        if (copies instanceof CopyPlace.Bound bound) {
            return TEXTS.get("numa.node", bound.node());
        }
        CopyPlace.Cause cause = ((CopyPlace.Unbound) copies).cause();
        return TEXTS.get("numa.none." + cause.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    private UndoButtons undoButtons() {
        return new UndoButtons(
                "swap",
                new UndoButtons.Way(control.canUndoBinding(), control::undo),
                new UndoButtons.Way(control.canRedoBinding(), control::redo));
    }

    private Label statusLine() {
        status.getStyleClass().addAll("muted", "small", "control-status");
        status.setId("swap-status");
        status.setWrapText(true);
        status.setMaxWidth(Double.MAX_VALUE);
        return status;
    }

    private void showStatus(SwapStatus now) {
        status.setText(words(now));
        status.pseudoClassStateChanged(DANGER, now instanceof SwapStatus.Refused || now instanceof SwapStatus.Failed);
        boolean forced = now instanceof SwapStatus.Done done && done.forced();
        status.pseudoClassStateChanged(WARNING, forced);
        status.pseudoClassStateChanged(DONE, now instanceof SwapStatus.Done && !forced);
        Optional<GuardRefusal> guarded = now instanceof SwapStatus.Refused refused ? refused.guard() : Optional.empty();
        refusal.show(guarded.map(standing -> shown(standing, (SwapStatus.Refused) now)));
        // The card says it all.
        status.setVisible(guarded.isEmpty());
        status.setManaged(guarded.isEmpty());
    }

    private RefusalCard.Shown shown(GuardRefusal standing, SwapStatus.Refused now) {
        return new RefusalCard.Shown(
                standing,
                SwapText.description(now.change(), now.undoing()),
                now.change() instanceof SwapChange.Fraction,
                model.counters().map(MemoryCounters::totalBytes).orElse(0L),
                control.closedBinding().get());
    }

    private String words(SwapStatus now) {
        if (model.connectionProperty().get().kind() == ConnectionState.Kind.GONE) {
            return TEXTS.get("status.over");
        }
        if (now instanceof SwapStatus.Pending pending) {
            return TEXTS.get("status.pending", SwapText.description(pending.change(), pending.undoing()));
        }
        if (now instanceof SwapStatus.Done done) {
            String words =
                    TEXTS.get("status.done", clock(done.at()), SwapText.description(done.change(), done.undoing()));
            return done.forced() ? TEXTS.get("status.forced", words) : words;
        }
        if (now instanceof SwapStatus.Refused refused) {
            String key = "refused." + refused.code();
            return TEXTS.get(
                    "status.refused",
                    SwapText.description(refused.change(), refused.undoing()),
                    TEXTS.has(key) ? TEXTS.get(key) : TEXTS.get("refused.other", refused.text()));
        }
        if (now instanceof SwapStatus.Failed failed) {
            return TEXTS.get(
                    "status.failed",
                    SwapText.description(failed.change(), false),
                    TEXTS.get("fault." + failed.reason().name().toLowerCase(Locale.ROOT)));
        }
        return TEXTS.get(model.controlAllowedProperty().get() ? "status.idle.allowed" : "status.idle");
    }

    private static String clock(Instant at) {
        return CLOCK.format(at.atZone(ZoneId.systemDefault()));
    }
}
