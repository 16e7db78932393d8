package dev.lacuna.ui.places.recording.map;

import dev.lacuna.ui.blockmap.BlockMapView;
import dev.lacuna.ui.blockmap.BlockTones;
import dev.lacuna.ui.blockmap.PieceKind;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import javafx.scene.control.Label;
import javafx.scene.image.ImageView;
import javafx.scene.layout.FlowPane;

/** What the colours and hatchings of the map mean. */
final class MapLegend extends FlowPane {
    private static final Texts TEXTS = Texts.of("blockmap");

    private final BlockMapView view;

    MapLegend(BlockMapView view) {
        this.view = view;
        getStyleClass().add("block-legend");
        // Squeezed to one row, its others would be painted over the map.
        setMinHeight(USE_PREF_SIZE);
    }

    void show(MapPicture picture) {
        getChildren().clear();
        switch (picture.colouring()) {
            case STATE -> add(PieceKind.BLOCK, BlockTones.ALLOCATED, TEXTS.get("legend.allocated"));
            case LIFETIME -> {
                add(PieceKind.BLOCK, BlockTones.SHORT, TEXTS.get("lifetime.short"));
                add(PieceKind.BLOCK, BlockTones.LONG, TEXTS.get("lifetime.long"));
                add(PieceKind.BLOCK, BlockTones.PLAIN, TEXTS.get("lifetime.through"));
            }
            case POOL -> {
                for (int i = 0; i < Math.min(BlockTones.SCALE, picture.pools().size()); i++) {
                    add(
                            PieceKind.BLOCK,
                            BlockTones.category(i),
                            MapText.pool(picture.pools().get(i)));
                }
            }
            case STREAM -> {
                for (int i = 0; i < Math.min(BlockTones.SCALE, picture.streams().size()); i++) {
                    add(
                            PieceKind.BLOCK,
                            BlockTones.category(i),
                            MapText.stream(picture.streams().get(i)));
                }
            }
            case AGE -> scale(TEXTS.get("legend.young"), TEXTS.get("legend.old"));
            case SIZE ->
                scale(
                        ByteText.of(BlockTones.sizeOfStep(0)),
                        "≥ " + ByteText.of(BlockTones.sizeOfStep(BlockTones.SCALE - 1)));
        }
        int first = picture.colouring() == Colouring.STATE ? BlockTones.ALLOCATED : BlockTones.PLAIN;
        add(PieceKind.PENDING, first, TEXTS.get("legend.pending"));
        add(PieceKind.HOLE, 0, TEXTS.get("legend.hole"));
    }

    private void scale(String from, String to) {
        add(PieceKind.BLOCK, BlockTones.step(0), from);
        for (int i = 1; i < BlockTones.SCALE - 1; i++) {
            getChildren().add(new ImageView(view.swatch(PieceKind.BLOCK, BlockTones.step(i))));
        }
        add(PieceKind.BLOCK, BlockTones.step(BlockTones.SCALE - 1), to);
    }

    private void add(PieceKind kind, int tone, String words) {
        Label label = new Label(words, new ImageView(view.swatch(kind, tone)));
        label.getStyleClass().addAll("muted", "small");
        getChildren().add(label);
    }
}
