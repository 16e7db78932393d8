package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/**
 * The newest events in words, newest first. It holds still while the pointer is over it, and while everything is held: what came after
 * that instant is then paler. To choose an event is to look at its instant.
 */
final class FeedCard extends VBox {
    private static final Texts TEXTS = Texts.of("live");
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final PseudoClass ALARM = PseudoClass.getPseudoClass("alarm");
    private static final PseudoClass CONTROL = PseudoClass.getPseudoClass("control");
    private static final PseudoClass ROUTINE = PseudoClass.getPseudoClass("routine");

    private static final PseudoClass LATER = PseudoClass.getPseudoClass("later");

    private final LiveViewModel model;
    private final EventFeed feed;
    private final ListView<FeedEntry> list = new ListView<>();
    private final CheckBox everything = new CheckBox();
    private long shownRevision = -1;

    /** Whether this card itself moves its selection. */
    private boolean following;

    FeedCard(LiveViewModel model) {
        this.model = model;
        this.feed = model.feed();
        everything.textProperty().bind(TEXTS.bind("feed.everything"));
        everything.getStyleClass().add("small");
        everything.setMinWidth(Region.USE_PREF_SIZE);
        everything.selectedProperty().addListener((property, before, now) -> {
            shownRevision = -1;
            refresh();
        });
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox head = new HBox(Labels.titled(TEXTS.bind("feed.title")), space, everything);
        head.setAlignment(Pos.CENTER_LEFT);
        Label nothing = Labels.of(TEXTS.bind("feed.empty"), "muted", "small");
        nothing.setWrapText(true);
        list.setPlaceholder(nothing);
        list.setId("live-events");
        list.accessibleTextProperty().bind(TEXTS.bind("feed.title"));
        list.setCellFactory(any -> new Line(model));
        Copies.install(list, this::table);
        list.setFixedCellSize(22);
        list.getStyleClass().add("feed");
        list.setMinHeight(0);
        list.setPrefHeight(60);
        VBox.setVgrow(list, Priority.ALWAYS);
        list.getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null && !following) {
                model.holdAtEvent(now.timeNs());
            }
        });
        model.cursor().heldProperty().addListener((property, before, now) -> heldChanged(before.isPresent()));
        model.selectionProperty().addListener((property, before, now) -> markSelected());
        Texts.wordingProperty().addListener((property, before, now) -> list.refresh());
        getStyleClass().addAll("card", "feed-card");
        getChildren().addAll(head, list);
    }

    /** Shows the newest lines unless somebody is reading. */
    void refresh() {
        boolean reading = list.isHover() || model.cursor().isHeld();
        if (feed.revision() != shownRevision && (shownRevision < 0 || !reading)) {
            fill();
        }
    }

    private void fill() {
        shownRevision = feed.revision();
        List<FeedEntry> lines = feed.newestFirst();
        following = true;
        list.getItems()
                .setAll(
                        everything.isSelected()
                                ? lines
                                : lines.stream()
                                        .filter(l -> !l.kind().routine())
                                        .toList());
        following = false;
        markSelected();
    }

    private void heldChanged(boolean wasHeld) {
        if (!wasHeld && !list.isHover() || !model.cursor().isHeld()) {
            fill();
        }
        list.refresh();
        markSelected();
    }

    /** The event that is selected; else the newest of the instant that is held. */
    private void markSelected() {
        OptionalLong held = model.cursor().heldProperty().get();
        following = true;
        if (held.isEmpty()) {
            list.getSelectionModel().clearSelection();
        } else {
            long at = model.selectionProperty().get() instanceof LiveSelection.Event event
                    ? event.timeNs()
                    : held.getAsLong();
            int line = firstNotAfter(at);
            FeedEntry chosen = list.getSelectionModel().getSelectedItem();
            // Of several at one instant the one that was clicked stays.
            if (chosen == null || chosen.timeNs() != at) {
                list.getSelectionModel().clearAndSelect(line);
                if (!list.isHover()) {
                    list.scrollTo(Math.max(0, line - 1));
                }
            }
        }
        following = false;
    }

    private int firstNotAfter(long timeNs) {
        for (int i = 0; i < list.getItems().size(); i++) {
            if (list.getItems().get(i).timeNs() <= timeNs) {
                return i;
            }
        }
        return -1;
    }

    /** The chosen line, or all of them. */
    private Table table() {
        FeedEntry chosen = list.getSelectionModel().getSelectedItem();
        List<FeedEntry> lines = chosen == null ? list.getItems() : List.of(chosen);
        return new Table(
                List.of(
                        new Table.Column("time", TEXTS.get("copy.time"), false),
                        new Table.Column("event", TEXTS.get("feed.title"), false)),
                lines.stream()
                        .map(entry -> List.of(
                                new Table.Cell(clock(entry), Long.toString(entry.timeMs())),
                                Table.Cell.of(words(entry))))
                        .toList());
    }

    private static String clock(FeedEntry entry) {
        return CLOCK.format(Instant.ofEpochMilli(entry.timeMs()).atZone(ZoneId.systemDefault()));
    }

    private static String words(FeedEntry entry) {
        String bytes = ByteText.of(entry.amount());
        return switch (entry.kind()) {
            case TRAFFIC -> TEXTS.get("feed.traffic", entry.count(), bytes);
            case PHASE_BEGIN -> TEXTS.get("feed.phase.begin", phase(entry.amount()));
            case PHASE_END -> TEXTS.get("feed.phase.end", phase(entry.amount()));
            case STEP -> TEXTS.get("feed.step", entry.amount());
            case GROW -> TEXTS.get("feed.grow", bytes, entry.count(), pool(entry.pool()));
            case RELEASE -> TEXTS.get("feed.release", bytes, entry.count(), pool(entry.pool()));
            case REMAP -> TEXTS.get("feed.remap", bytes, entry.count(), pool(entry.pool()));
            case RETRY -> TEXTS.get("feed.retry", bytes);
            case OOM -> TEXTS.get("feed.oom", bytes);
            case OPTIMISATION_ON -> TEXTS.get("feed.optimisation.on");
            case OPTIMISATION_OFF -> TEXTS.get("feed.optimisation.off");
            case LIMIT -> TEXTS.get("feed.limit", bytes);
            case LOST -> TEXTS.get("feed.lost", entry.amount());
        };
    }

    /** The name that the pools' card gives it, where it has one. */
    private static String pool(String label) {
        return PoolName.ofLabel(label)
                .map(name -> TEXTS.get("pool." + name.label()))
                .orElse(label);
    }

    private static String phase(long ordinal) {
        return ordinal >= 0 && ordinal < Phase.values().length
                ? TEXTS.get("phase." + Phase.values()[(int) ordinal].name().toLowerCase(Locale.ROOT))
                : Long.toString(ordinal);
    }

    private static final class Line extends ListCell<FeedEntry> {
        private final Label time = new Label();
        private final Label words = new Label();
        private final HBox line = new HBox(time, words);

        private final LiveViewModel model;

        Line(LiveViewModel model) {
            this.model = model;
            time.getStyleClass().addAll("feed-time", "mono");
            time.setMinWidth(Region.USE_PREF_SIZE);
            words.getStyleClass().add("feed-words");
            line.getStyleClass().add("feed-line");
            line.setAlignment(Pos.CENTER_LEFT);
            setPrefWidth(0);
        }

        @Override
        protected void updateItem(FeedEntry entry, boolean empty) {
            super.updateItem(entry, empty);
            if (empty || entry == null) {
                setGraphic(null);
                return;
            }
            time.setText(clock(entry));
            words.setText(words(entry));
            OptionalLong held = model.cursor().heldProperty().get();
            pseudoClassStateChanged(LATER, held.isPresent() && entry.timeNs() > held.getAsLong());
            pseudoClassStateChanged(ROUTINE, entry.kind().routine());
            pseudoClassStateChanged(ALARM, entry.kind() == FeedEntry.Kind.OOM || entry.kind() == FeedEntry.Kind.LOST);
            pseudoClassStateChanged(
                    CONTROL,
                    switch (entry.kind()) {
                        case OPTIMISATION_ON, OPTIMISATION_OFF, LIMIT -> true;
                        default -> false;
                    });
            setGraphic(line);
        }
    }
}
