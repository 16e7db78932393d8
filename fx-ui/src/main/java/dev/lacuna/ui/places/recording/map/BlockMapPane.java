package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.diagnosis.report.ReportTables;
import dev.lacuna.core.diagnosis.report.ReportText;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.blockmap.Arrangement;
import dev.lacuna.ui.blockmap.BlockMap;
import dev.lacuna.ui.blockmap.BlockMapView;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.FullText;
import dev.lacuna.ui.places.recording.focus.RecordingPane;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.ObjectProperty;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;
import org.kordamp.ikonli.javafx.FontIcon;

/** Every segment and block at the moment that is looked at, by address. */
public final class BlockMapPane implements RecordingPane {
    private static final Texts TEXTS = Texts.of("blockmap");
    private static final double LOWEST_ROW = 4;
    private static final double HIGHEST_ROW = 96;
    private static final double FIRST_ROW = 20;
    private static final double CHOICE = 136;
    private static final double SLIDER = 72;

    private final BlockMapViewModel model;
    private final BlockMapView view;
    private final MapLegend legend;
    private final Label summary = new Label();
    private final VBox root = new VBox();
    private final StringBinding title = TEXTS.bind("title");

    public BlockMapPane(RecordingViewModel snapshot, TaskExecutor executor) {
        this(new BlockMapViewModel(snapshot, executor));
    }

    BlockMapPane(BlockMapViewModel model) {
        this.model = model;
        this.view = new BlockMapView(new MapText(model));
        this.legend = new MapLegend(view);
        view.setId("block-map");
        view.onChoose(model::choose);
        view.onPoint(model::point);
        view.onColours(this::showLegend);
        model.arrangementProperty().addListener((property, before, now) -> view.arrange(now));
        view.arrange(model.arrangementProperty().get());
        model.pictureProperty().addListener((property, before, now) -> show(now));
        model.focus().selectionProperty().addListener((property, before, now) -> showSelection(true));
        Texts.wordingProperty()
                .addListener(
                        (property, before, now) -> show(model.pictureProperty().get()));
        root.getStyleClass().addAll("card", "block-map-card");
        root.getChildren().addAll(head(), legend, body());
        ChartMenu.install(root, "blocks", this::table);
        show(model.pictureProperty().get());
    }

    @Override
    public String id() {
        return "map";
    }

    @Override
    public StringBinding title() {
        return title;
    }

    @Override
    public Node root() {
        return root;
    }

    private Table table() {
        ReportText texts = new ReportText(Texts.locale());
        return model.pictureProperty()
                .get()
                .map(picture -> ReportTables.map(picture.moment(), Integer.MAX_VALUE, texts))
                .orElseGet(() -> new Table(List.of(), List.of()));
    }

    private Node head() {
        summary.getStyleClass().addAll("muted", "small");
        summary.setId("block-map-summary");
        summary.setMinWidth(0);
        FullText.of(summary);
        Label name = Labels.titled(TEXTS.bind("title"));
        name.setMinWidth(Region.USE_PREF_SIZE);
        HBox words = new HBox(name, summary);
        words.getStyleClass().add("head");
        words.setAlignment(Pos.BASELINE_LEFT);
        ChoiceBox<Colouring> colour =
                choice("colour", model.colouringProperty(), Colouring.values(), c -> "colour." + c.id());
        ChoiceBox<SegmentOrder> order =
                choice("order", model.orderProperty(), SegmentOrder.values(), o -> "order." + o.id());
        ChoiceBox<Arrangement> arranged = choice(
                "arrangement",
                model.arrangementProperty(),
                Arrangement.values(),
                a -> "arrangement." + a.name().toLowerCase(Locale.ROOT));
        FlowPane controls = new FlowPane(
                colour,
                order,
                arranged,
                inARow(
                        rowHeight(),
                        button("zoom-in", "fth-zoom-in", view::zoomIn),
                        button("zoom-out", "fth-zoom-out", view::zoomOut),
                        button("everything", "fth-maximize", view::reset)));
        controls.getStyleClass().add("block-controls");
        VBox head = new VBox(words, controls);
        head.getStyleClass().add("block-head");
        return head;
    }

    private Node body() {
        Label nothing = Labels.of(TEXTS.bind("empty"), "muted");
        nothing.setWrapText(true);
        nothing.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> model.pictureProperty()
                                .get()
                                .filter(p -> p.map().segments() == 0)
                                .isPresent(),
                        model.pictureProperty()));
        StackPane body = new StackPane(view, nothing);
        VBox.setVgrow(body, Priority.ALWAYS);
        body.setMinHeight(0);
        return body;
    }

    /** These stay together when the pane is narrow. */
    private static Node inARow(Node... controls) {
        HBox row = new HBox(controls);
        row.setAlignment(Pos.CENTER_LEFT);
        return row;
    }

    private Node rowHeight() {
        Slider slider = new Slider(LOWEST_ROW, HIGHEST_ROW, FIRST_ROW);
        slider.setId("block-map-row-height");
        slider.setPrefWidth(SLIDER);
        HBox.setMargin(slider, new Insets(0, 4, 0, 0));
        Tooltip name = new Tooltip();
        name.textProperty().bind(TEXTS.bind("row-height"));
        slider.setTooltip(name);
        slider.accessibleTextProperty().bind(TEXTS.bind("row-height"));
        view.rowHeightProperty().bind(slider.valueProperty());
        return slider;
    }

    private static Button button(String key, String icon, Runnable action) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId("block-map-" + key);
        button.getStyleClass().addAll("button-icon", "flat", "small");
        Tooltip name = new Tooltip();
        name.textProperty().bind(TEXTS.bind(key));
        button.setTooltip(name);
        button.accessibleTextProperty().bind(TEXTS.bind(key));
        button.setOnAction(e -> action.run());
        return button;
    }

    private static <T> ChoiceBox<T> choice(String id, ObjectProperty<T> value, T[] values, Function<T, String> key) {
        ChoiceBox<T> box = new ChoiceBox<>();
        box.setId("block-map-" + id);
        box.setPrefWidth(CHOICE);
        box.getItems().setAll(values);
        box.setConverter(words(key));
        box.valueProperty().bindBidirectional(value);
        Tooltip name = new Tooltip();
        name.textProperty().bind(TEXTS.bind(id));
        box.setTooltip(name);
        box.accessibleTextProperty().bind(TEXTS.bind(id));
        Texts.wordingProperty().addListener((property, before, now) -> box.setConverter(words(key)));
        return box;
    }

    private static <T> StringConverter<T> words(Function<T, String> key) {
        return new StringConverter<>() {
            @Override
            public String toString(T thing) {
                return thing == null ? "" : TEXTS.get(key.apply(thing));
            }

            @Override
            public T fromString(String words) {
                throw new UnsupportedOperationException("a choice is not typed");
            }
        };
    }

    private void show(Optional<MapPicture> picture) {
        if (picture.isEmpty()) {
            view.show(BlockMap.EMPTY);
            summary.setText("");
            return;
        }
        view.show(picture.get().map(), picture.get().order());
        summary.setText(MapWords.summary(picture.get().moment()));
        showLegend();
        showSelection(false);
    }

    private void showLegend() {
        model.pictureProperty().get().ifPresent(legend::show);
    }

    private void showSelection(boolean reveals) {
        OptionalInt piece = model.selectedPiece();
        view.select(piece, model.selectedSegment());
        view.highlight(model.highlighted());
        if (reveals && !view.isFocused()) {
            piece.ifPresent(view::reveal);
        }
    }
}
