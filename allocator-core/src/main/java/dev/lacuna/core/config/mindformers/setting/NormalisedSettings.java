package dev.lacuna.core.config.mindformers.setting;

import dev.lacuna.core.config.mindformers.layer.Selection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All settings after normalisation.
 *
 * @param swapOn whether swap is on, which changes what recompute numbers mean
 * @param removed patterns of select and comm that an exclude pattern removed, as a person reads them
 */
public record NormalisedSettings(
        boolean swapOn,
        Selection recompute,
        PatternSelections select,
        PatternSelections comm,
        PatternSelections selectExclude,
        PatternSelections commExclude,
        List<SwapEntry> layerSwap,
        Map<String, List<SwapEntry>> opSwap,
        List<Removed> removed) {
    /** Default of {@code select_recompute}: MindFormers dev, LayerSetting. */
    static final List<String> SELECT_PATTERNS = List.of("feed_forward\\.mul", "feed_forward\\.w1\\.activation\\.silu");
    /** Default of {@code select_comm_recompute}: MindFormers dev, LayerSetting. */
    static final List<String> COMM_PATTERNS = List.of(".*\\.norm");

    /** A pattern that an exclude pattern took out, for all layers. */
    record Removed(String setting, String pattern, String exclude) {}

    public NormalisedSettings {
        layerSwap = List.copyOf(layerSwap);
        opSwap = Collections.unmodifiableMap(new LinkedHashMap<>(opSwap));
        removed = List.copyOf(removed);
    }
}
