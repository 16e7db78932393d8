package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.history.mirror.LiveBlocks;
import dev.lacuna.ui.blockmap.Arrangement;
import dev.lacuna.ui.blockmap.BlockMap;
import dev.lacuna.ui.blockmap.BlockMapView;
import dev.lacuna.ui.parts.ChartMenu;
import dev.lacuna.ui.parts.FullText;
import dev.lacuna.ui.parts.Sheet;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Labels;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import javafx.geometry.Pos;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;

/** Where the blocks of the running process lie, and how far the picture can be relied on. */
final class BlocksCard extends VBox {
    private static final Texts TEXTS = Texts.of("blockmap");

    /** More runs than this are shown as tiles; fewer than the second, as rows again. */
    private static final int MOST_ROWS = 6;

    private static final int FEWEST_TILES = 4;
    private static final double LOWEST_ROW = 15;
    private static final double HIGHEST_ROW = 40;
    private static final double BETWEEN_ROWS = 4;

    private final BlocksModel model;
    private final LiveViewModel live;
    private final BlockMapView view;
    private final Label summary = new Label();
    private final Label caveats = new Label();
    private final Label nothing = new Label();
    private boolean tiles;

    BlocksCard(BlocksModel model, LiveViewModel live) {
        this.model = model;
        this.live = live;
        this.view = new BlockMapView(new BlocksText(model.pictureProperty()::get));
        view.setId("live-block-map");
        // Until it is drawn for the first time.
        view.setAccessibleText(TEXTS.get("live.title"));
        view.heightProperty().addListener((property, before, now) -> fitRows());
        view.onChoose(this::choose);
        live.selectionProperty().addListener((property, before, now) -> mark());
        nothing.getStyleClass().addAll("muted", "small");
        nothing.setWrapText(true);
        summary.getStyleClass().addAll("muted", "small", "block-summary");
        summary.setMinWidth(0);
        caveats.getStyleClass().addAll("small", "block-caveats");
        caveats.setMinWidth(0);
        FullText.of(summary, caveats);
        StackPane body = new StackPane(view, nothing);
        body.setMinHeight(0);
        VBox.setVgrow(body, Priority.ALWAYS);
        ChartMenu.install(this, "blocks", this::table);
        getStyleClass().addAll("card", "blocks-card");
        getChildren().addAll(head(), body);
        model.pictureProperty().addListener((property, before, now) -> show(now));
        Texts.wordingProperty()
                .addListener(
                        (property, before, now) -> show(model.pictureProperty().get()));
        show(model.pictureProperty().get());
    }

    private Table table() {
        Sheet sheet = Sheet.of("#address", "#piece_bytes", "kind", "pool");
        model.pictureProperty().get().map(BlocksPicture::blocks).ifPresent(blocks -> {
            LiveBlocks.Pieces pieces = blocks.pieces();
            for (int p = 0; p < pieces.size(); p++) {
                sheet.row(List.of(
                        "0x" + Long.toHexString(pieces.address(p)),
                        pieces.bytes(p),
                        pieces.kind(p).name().toLowerCase(Locale.ROOT),
                        pieces.pool(p).map(PoolName::label).orElse("")));
            }
        });
        return sheet.table();
    }

    private HBox head() {
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Label title = Labels.titled(TEXTS.bind("live.title"));
        title.setMinWidth(Region.USE_PREF_SIZE);
        HBox head = new HBox(title, summary, caveats, space, colour());
        head.getStyleClass().add("head");
        head.setAlignment(Pos.CENTER_LEFT);
        return head;
    }

    private ChoiceBox<LiveColouring> colour() {
        ChoiceBox<LiveColouring> box = new ChoiceBox<>();
        box.setId("live-blocks-colour");
        box.getStyleClass().add("small");
        box.getItems().setAll(LiveColouring.values());
        box.setConverter(words());
        box.setPrefWidth(150);
        box.setMinWidth(Region.USE_PREF_SIZE);
        box.accessibleTextProperty().bind(TEXTS.bind("colour"));
        box.valueProperty().bindBidirectional(model.colouringProperty());
        Texts.wordingProperty().addListener((property, before, now) -> box.setConverter(words()));
        return box;
    }

    private static StringConverter<LiveColouring> words() {
        return new StringConverter<>() {
            @Override
            public String toString(LiveColouring colouring) {
                return colouring == null ? "" : TEXTS.get("live.colour." + colouring.id());
            }

            @Override
            public LiveColouring fromString(String words) {
                throw new UnsupportedOperationException("a choice is not typed");
            }
        };
    }

    private void show(Optional<BlocksPicture> picture) {
        nothing.setText(TEXTS.get(live.cursor().isHeld() ? "live.not-kept" : "live.empty"));
        nothing.setVisible(picture.filter(p -> p.map().segments() > 0).isEmpty());
        if (picture.isEmpty()) {
            view.show(BlockMap.EMPTY);
            summary.setText("");
            caveats.setText("");
            return;
        }
        int runs = picture.get().map().segments();
        tiles = tiles ? runs >= FEWEST_TILES : runs > MOST_ROWS;
        view.arrange(tiles ? Arrangement.TILES : Arrangement.ROWS);
        fitRows();
        view.follow(picture.get().map(), picture.get().order());
        mark();
        summary.setText(BlocksText.summary(picture.get()));
        caveats.setText(BlocksText.caveats(picture.get()));
    }

    /** The operator chose this piece, or none. */
    private void choose(OptionalInt piece) {
        Optional<BlocksPicture> shown = model.pictureProperty().get();
        if (piece.isEmpty() || shown.isEmpty()) {
            live.selectionProperty().set(LiveSelection.NONE);
            return;
        }
        LiveBlocks blocks = shown.get().blocks();
        int segment = shown.get().map().segmentOf(piece.getAsInt());
        live.selectionProperty()
                .set(new LiveSelection.Piece(
                        blocks.pieces().address(piece.getAsInt()),
                        MemoryPart.of(blocks, blocks.segments().get(segment), piece.getAsInt())));
    }

    /** Lets stand out what is selected, here or in another card. */
    private void mark() {
        Optional<BlocksPicture> shown = model.pictureProperty().get();
        LiveSelection selection = live.selectionProperty().get();
        view.select(
                selection instanceof LiveSelection.Piece piece && shown.isPresent()
                        ? shown.get().map().pieceAt(piece.address())
                        : OptionalInt.empty(),
                OptionalInt.empty());
        view.highlight(
                selection instanceof LiveSelection.Part part
                        ? shown.map(p -> p.piecesOf(part.part()))
                        : Optional.empty());
    }

    /** Few rows share the room that there is. */
    private void fitRows() {
        int runs = model.pictureProperty().get().map(p -> p.map().segments()).orElse(1);
        double fitting = view.getHeight() / Math.max(1, runs) - BETWEEN_ROWS;
        view.rowHeightProperty()
                .set(tiles ? LOWEST_ROW : Math.max(LOWEST_ROW, Math.min(HIGHEST_ROW, Math.floor(fitting))));
    }
}
