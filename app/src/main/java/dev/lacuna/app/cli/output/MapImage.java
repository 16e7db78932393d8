package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.ui.blockmap.BlockMapPaper;
import dev.lacuna.ui.blockmap.LegendEntry;
import dev.lacuna.ui.blockmap.MapDrawing;

/** The window's map of blocks as a picture: the same colours and hatchings, drawn without a screen. */
public final class MapImage {
    /** For what a segment is called, where each has a row of its own. */
    private static final int NAMES = 260;

    private MapImage() {}

    /** All of a map. */
    public static byte[] png(MapDrawing drawing) {
        int left = BlockMapPaper.hasRows(drawing) ? NAMES : 0;
        BlockMapPaper map = new BlockMapPaper(drawing, ChartPaper.BOXES - left);
        int height = map.pixels().height();
        return ChartPaper.png(1, height + ChartPaper.LINE, paper -> {
            for (LegendEntry entry : drawing.legend()) {
                paper.entry(map.swatch(entry, ChartPaper.SWATCH, ChartPaper.SWATCH), entry.words());
            }
            paper.picture(map.pixels(), left);
            paper.caption(drawing.summary(), height);
            for (BlockMapPaper.HoleSize size : map.sizes()) {
                String bytes = ByteSize.format(size.bytes());
                paper.label(
                        bytes,
                        left + size.middle(),
                        size.line().top(),
                        size.line().height());
            }
            if (left > 0) {
                for (BlockMapPaper.Line line : map.lines()) {
                    paper.names(drawing.names().apply(line.segment()), line.top(), line.height(), NAMES);
                }
            }
        });
    }
}
