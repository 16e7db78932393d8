package dev.lacuna.ui.window;

import dev.lacuna.ui.text.Texts;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.controlsfx.control.textfield.CustomTextField;
import org.kordamp.ikonli.javafx.FontIcon;

/** A field and a list of everything that can be done: type some of its words, press Enter. */
final class CommandPalette extends VBox {
    private static final Texts TEXTS = Texts.of("shell");
    private static final double WIDTH = 560;
    private static final double HEIGHT = 420;
    private static final double ROW = 32;

    private final PaletteModel model;
    private final Runnable close;
    private final CustomTextField field = new CustomTextField();
    private final ListView<PaletteModel.Entry> list = new ListView<>();

    CommandPalette(PaletteModel model, Runnable close) {
        this.model = model;
        this.close = close;
        setId("command-palette");
        getStyleClass().addAll("card", "dialog-card", "palette-card");
        field.setId("palette-query");
        field.setLeft(new FontIcon("fth-search"));
        field.promptTextProperty().bind(TEXTS.bind("palette.prompt"));
        field.accessibleTextProperty().bind(TEXTS.bind("palette.prompt"));
        field.textProperty().bindBidirectional(model.queryProperty());
        field.addEventFilter(KeyEvent.KEY_PRESSED, this::pressed);
        list.setId("palette-list");
        list.accessibleTextProperty().bind(TEXTS.bind("palette.title"));
        list.setItems(model.found());
        list.setCellFactory(any -> new Line());
        list.setFixedCellSize(ROW);
        list.setFocusTraversable(false);
        list.setPlaceholder(Labels.of(TEXTS.bind("palette.nothing"), "muted"));
        list.setOnMouseClicked(e -> run());
        list.setMinHeight(0);
        VBox.setVgrow(list, Priority.ALWAYS);
        model.queryProperty()
                .addListener((property, before, now) -> list.getSelectionModel().selectFirst());
        list.getSelectionModel().selectFirst();
        setPrefSize(WIDTH, HEIGHT);
        getChildren().addAll(field, list);
    }

    /** Where the typing goes. */
    TextField field() {
        return field;
    }

    private void pressed(KeyEvent event) {
        int chosen = list.getSelectionModel().getSelectedIndex();
        int page = (int) Math.max(1, list.getHeight() / ROW - 1);
        switch (event.getCode()) {
            case UP -> choose(chosen - 1);
            case DOWN -> choose(chosen + 1);
            case PAGE_UP -> choose(chosen - page);
            case PAGE_DOWN -> choose(chosen + page);
            case ENTER -> run();
            default -> {
                return;
            }
        }
        event.consume();
    }

    private void choose(int line) {
        int last = model.found().size() - 1;
        int next = Math.max(0, Math.min(last, line));
        list.getSelectionModel().select(next);
        list.scrollTo(Math.max(0, next - 2));
    }

    private void run() {
        PaletteModel.Entry chosen = list.getSelectionModel().getSelectedItem();
        if (chosen != null) {
            close.run();
            chosen.action().run();
        }
    }

    private static final class Line extends ListCell<PaletteModel.Entry> {
        private final Label group = new Label();
        private final Label words = new Label();
        private final Label keys = new Label();
        private final HBox line;

        Line() {
            group.getStyleClass().addAll("muted", "small");
            group.setMinWidth(Region.USE_PREF_SIZE);
            keys.getStyleClass().addAll("key", "mono");
            keys.setMinWidth(Region.USE_PREF_SIZE);
            words.setMinWidth(0);
            Region space = new Region();
            HBox.setHgrow(space, Priority.ALWAYS);
            line = new HBox(8, group, words, space, keys);
            line.setAlignment(Pos.CENTER_LEFT);
            setPrefWidth(0);
        }

        @Override
        protected void updateItem(PaletteModel.Entry entry, boolean empty) {
            super.updateItem(entry, empty);
            setGraphic(empty || entry == null ? null : line);
            if (entry != null && !empty) {
                group.setText(entry.group());
                words.setText(entry.words());
                keys.setText(entry.keys());
                keys.setVisible(!entry.keys().isEmpty());
                setAccessibleText(entry.group() + " " + entry.words());
            }
        }
    }
}
