package dev.lacuna.core.config.mindformers.layer;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * The settings that decide how layers are distributed.
 *
 * @param layers number of layers, from 1
 * @param offset as given; 0 when absent
 * @param offsetPath where it stands or would stand
 * @param stages pipeline stages that this model occupies, from 1
 * @param firstStage the first of them
 * @param interleaves mini-stages per stage that take effect, from 1
 * @param askedInterleaves mini-stages per stage that the file asks for; more than {@code interleaves} when the context does not interleave
 * @param interleavePath where that stands or would stand
 */
public record ModelShape(
        int layers,
        ConfigValue offset,
        ConfigPath offsetPath,
        int stages,
        int firstStage,
        int interleaves,
        int askedInterleaves,
        ConfigPath interleavePath) {
    /** More layers than any model has by orders of magnitude: bounds the work a file can cause. */
    static final int MOST_LAYERS = 10_000;

    private static final ConfigPath PARALLEL = ConfigPath.of("parallel_config");
    private static final ConfigPath CONTEXT_PIPELINE = ConfigPath.of("parallel", "pipeline_config");

    /** Reads them, looking for {@code model_config} at the top and below {@code model}. */
    public static ModelShape read(ConfigDocument file) throws InvalidSettingException {
        ConfigPath model = model(file);
        ConfigPath layersAt = first(file, List.of(model.child("num_layers"), model.child("num_hidden_layers")))
                .orElseThrow(() -> new InvalidSettingException(model.child("num_layers"), "layers.missing"));
        int layers = positive(file, layersAt, 1, MOST_LAYERS);
        int ownStages = optional(file, model.child("stage_num"), 0, 0, MOST_LAYERS);
        int stages = ownStages != 0 ? ownStages : optional(file, PARALLEL.child("pipeline_stage"), 1, 1, MOST_LAYERS);
        int firstStage = ownStages != 0 ? optional(file, model.child("start_stage"), 0, 0, MOST_LAYERS) : 0;
        ConfigPath interleaveAt = first(
                        file, List.of(model.child("pp_interleave_num"), PARALLEL.child("pp_interleave_num")))
                .orElse(PARALLEL.child("pp_interleave_num"));
        int asked = optional(file, interleaveAt, 1, 1, MOST_LAYERS);
        int interleaves = interleaving(file) ? asked : 1;
        if ((long) stages * interleaves > MOST_LAYERS) {
            throw new InvalidSettingException(interleaveAt, "number.range", asked, 1, MOST_LAYERS / stages);
        }
        ConfigPath offsetAt = model.child("offset");
        ConfigValue offset = file.at(offsetAt)
                .filter(v -> !(v instanceof ConfigValue.Nothing))
                .orElse(ConfigValue.of(0));
        return new ModelShape(layers, offset, offsetAt, stages, firstStage, interleaves, asked, interleaveAt);
    }

    /** A file that configures the parallel context interleaves only when it says so there; one that does not leaves it to others. */
    private static boolean interleaving(ConfigDocument file) {
        if (file.at(ConfigPath.of("parallel"))
                .filter(ConfigValue.Entries.class::isInstance)
                .isEmpty()) {
            return true;
        }
        return file.at(CONTEXT_PIPELINE.child("pipeline_interleave"))
                .map(Python::truth)
                .orElse(false);
    }

    private static ConfigPath model(ConfigDocument file) {
        ConfigPath nested = ConfigPath.of("model", "model_config");
        return file.at(nested).isPresent() ? nested : ConfigPath.of("model_config");
    }

    private static Optional<ConfigPath> first(ConfigDocument file, List<ConfigPath> candidates) {
        return candidates.stream()
                .filter(path -> file.at(path)
                        .filter(v -> !(v instanceof ConfigValue.Nothing))
                        .isPresent())
                .findFirst();
    }

    private static int optional(ConfigDocument file, ConfigPath path, int absent, int least, int most)
            throws InvalidSettingException {
        return first(file, List.of(path)).isEmpty() ? absent : positive(file, path, least, most);
    }

    private static int positive(ConfigDocument file, ConfigPath path, int least, int most)
            throws InvalidSettingException {
        ConfigValue value = file.at(path).orElseThrow();
        if (!(value instanceof ConfigValue.Whole whole)) {
            throw new InvalidSettingException(path, "number.type", value.literal());
        }
        if (whole.value().compareTo(BigInteger.valueOf(least)) < 0
                || whole.value().compareTo(BigInteger.valueOf(most)) > 0) {
            throw new InvalidSettingException(path, "number.range", value.literal(), least, most);
        }
        return whole.clamped();
    }
}
