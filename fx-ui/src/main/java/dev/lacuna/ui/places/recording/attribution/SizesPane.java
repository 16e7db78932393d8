package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.history.attribution.LifetimeClass;
import dev.lacuna.core.history.attribution.LifetimeClasses;
import dev.lacuna.core.history.attribution.SizeHistogram;
import dev.lacuna.core.history.attribution.SizeHistogram.Bin;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.ui.chart.Legend;
import dev.lacuna.ui.chart.StackBar;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.Copies;
import dev.lacuna.ui.places.recording.focus.EventRange;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingSelection;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import dev.lacuna.ui.window.WindowContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** The tab of sizes: how the bytes of the moment, or the requests of the stretch, divide by size and by lifetime. */
public final class SizesPane implements RecordingPane {
    private static final Texts TEXTS = Texts.of("who");

    /** What is counted. */
    private enum Counted {
        /** What is live at the moment. */
        LIVE,
        /** What was asked for in the stretch. */
        ASKED
    }

    private final RecordingViewModel model;
    private final Newest<SizeHistogram> histograms;
    private final ObjectProperty<Counted> counted = new SimpleObjectProperty<>(Counted.LIVE);
    private final BooleanProperty shown = new SimpleBooleanProperty();
    private final ListView<Bin> list = new ListView<>();
    private final VBox root = new VBox();
    private final StringBinding title = TEXTS.bind("sizes");
    private long largest = 1;
    private boolean following;

    public SizesPane(RecordingViewModel model, WindowContext context) {
        this.model = model;
        histograms = new Newest<>(
                context.executor(), this::show, fault -> list.getItems().clear());
        list.setId("who-sizes");
        list.getStyleClass().addAll("dense", "sizes-list");
        list.setPlaceholder(Labels.of(TEXTS.bind("sizes.none"), "muted"));
        list.setCellFactory(view -> new BinCell());
        list.getSelectionModel().selectedItemProperty().addListener((property, before, now) -> {
            if (now != null && !following) {
                model.focus()
                        .selectionProperty()
                        .set(new RecordingSelection.SizeClass(now.fromBytes(), now.toBytes() - 1));
            }
        });
        Copies.install(list, this::table);
        ChartMenu.install(root, "sizes", this::table);
        VBox.setVgrow(list, Priority.ALWAYS);
        root.setId("who-sizes-pane");
        root.getStyleClass().add("who-pane");
        root.getChildren().addAll(tools(), list);
        WhenShown.bind(root, shown);
        shown.addListener((property, before, now) -> ask());
        counted.addListener((property, before, now) -> ask());
        model.deviceProperty().addListener((property, before, now) -> {
            histograms.forget();
            list.getItems().clear();
            ask();
        });
        model.focus().momentProperty().addListener((property, before, now) -> ask());
        model.focus().rangeProperty().addListener((property, before, now) -> ask());
        model.focus().selectionProperty().addListener((property, before, now) -> follow());
    }

    @Override
    public String id() {
        return "sizes";
    }

    @Override
    public StringBinding title() {
        return title;
    }

    @Override
    public Node root() {
        return root;
    }

    /** The rows as a table. */
    Table table() {
        List<Table.Column> columns = new ArrayList<>();
        columns.add(new Table.Column("from_bytes", TEXTS.get("column.from"), true));
        columns.add(new Table.Column("to_bytes", TEXTS.get("column.to"), true));
        for (LifetimeClass lifetime : LifetimeClass.values()) {
            columns.add(new Table.Column(lifetime.id() + "_bytes", TEXTS.get("lifetime." + lifetime.id()), true));
        }
        columns.add(new Table.Column("blocks", TEXTS.get("column.blocks"), true));
        List<List<Table.Cell>> rows = new ArrayList<>();
        for (Bin bin : list.getItems()) {
            List<Table.Cell> row =
                    new ArrayList<>(List.of(Table.Cell.bytes(bin.fromBytes()), Table.Cell.bytes(bin.toBytes())));
            Arrays.stream(LifetimeClass.values())
                    .forEach(l -> row.add(Table.Cell.bytes(bin.of(l).bytes())));
            row.add(Table.Cell.of(bin.blocks()));
            rows.add(row);
        }
        return new Table(columns, rows);
    }

    private Node tools() {
        Legend legend = new Legend();
        for (LifetimeClass lifetime : LifetimeClass.values()) {
            Label name = Labels.of(TEXTS.bind("lifetime." + lifetime.id()), "muted", "small");
            legend.getChildren().add(Legend.entry(Legend.square("lives-" + lifetime.id()), name));
        }
        FlowPane tools = new FlowPane(Choices.of("counted.", List.of(Counted.values()), counted), legend);
        tools.getStyleClass().add("who-tools");
        return tools;
    }

    private void ask() {
        Optional<DeviceHistory> device = model.deviceProperty().get();
        if (device.isEmpty() || !shown.get()) {
            return;
        }
        DeviceHistory history = device.get();
        LifetimeClasses lifetimes = FollowedDevice.lifetimes(model, history);
        int moment = model.focus().momentProperty().get();
        EventRange range = model.focus().rangeProperty().get();
        boolean live = counted.get() == Counted.LIVE;
        histograms.ask(() -> live
                ? SizeHistogram.at(history, lifetimes, moment)
                : SizeHistogram.bornIn(history, lifetimes, range.from(), range.to()));
    }

    private void show(SizeHistogram histogram) {
        largest = histogram.bins().stream().mapToLong(Bin::bytes).max().orElse(1);
        following = true;
        list.getItems().setAll(histogram.bins());
        following = false;
        follow();
    }

    /** Marks the row of what is selected, whoever did: a class of sizes, or a block's size. */
    private void follow() {
        RecordingSelection selection = model.focus().selectionProperty().get();
        long bytes = -1;
        if (selection instanceof RecordingSelection.SizeClass sizes) {
            bytes = sizes.from();
        } else if (selection instanceof RecordingSelection.Allocation allocation
                && model.deviceProperty().get().isPresent()) {
            bytes = model.deviceProperty().get().get().bytesOf(allocation.id());
        }
        following = true;
        list.getSelectionModel().clearSelection();
        for (int i = 0; i < list.getItems().size() && bytes >= 0; i++) {
            Bin bin = list.getItems().get(i);
            if (bytes >= bin.fromBytes() && bytes < bin.toBytes()) {
                list.getSelectionModel().select(i);
            }
        }
        following = false;
    }

    /** A size, a bar to scale, bytes and blocks. */
    private final class BinCell extends ListCell<Bin> {
        private final Label size = new Label();
        private final StackBar bar = new StackBar(Arrays.stream(LifetimeClass.values())
                .map(lifetime -> "lives-" + lifetime.id())
                .toArray(String[]::new));
        private final Label bytes = new Label();
        private final Label blocks = new Label();
        private final HBox row = new HBox(size, bar, bytes, blocks);

        BinCell() {
            row.getStyleClass().add("bin-row");
            size.getStyleClass().addAll("bin-size", "figures");
            bytes.getStyleClass().addAll("bin-bytes", "figures");
            blocks.getStyleClass().addAll("bin-blocks", "figures", "muted");
            HBox.setHgrow(bar, Priority.ALWAYS);
            bar.setMaxWidth(Double.MAX_VALUE);
        }

        @Override
        protected void updateItem(Bin bin, boolean empty) {
            super.updateItem(bin, empty);
            setText(null);
            setGraphic(empty ? null : row);
            if (!empty && bin != null) {
                size.setText("≥ " + ByteText.of(bin.fromBytes()));
                bar.show(
                        largest,
                        Arrays.stream(LifetimeClass.values())
                                .mapToLong(lifetime -> bin.of(lifetime).bytes())
                                .toArray());
                bytes.setText(ByteText.of(bin.bytes()));
                blocks.setText(TEXTS.get("blocks.count", bin.blocks()));
            }
        }
    }
}
