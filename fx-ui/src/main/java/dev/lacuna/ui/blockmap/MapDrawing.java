package dev.lacuna.ui.blockmap;

import java.util.List;
import java.util.function.IntFunction;

/**
 * A map with all that is said of it, for a picture that nobody points at.
 *
 * @param map what lies where
 * @param order its segments from the top
 * @param legend what its colours mean
 * @param names what a segment is called beside its row: the line that matters, then the ones for which there may be room
 * @param summary the map in one sentence
 */
public record MapDrawing(
        BlockMap map, List<Integer> order, List<LegendEntry> legend, IntFunction<List<String>> names, String summary) {}
