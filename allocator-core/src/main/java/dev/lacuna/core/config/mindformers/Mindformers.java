package dev.lacuna.core.config.mindformers;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigPath;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.config.mindformers.layer.InvalidSettingException;
import dev.lacuna.core.config.mindformers.layer.LayerDistribution;
import dev.lacuna.core.config.mindformers.layer.LayerDistributor;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.ModelShape;
import dev.lacuna.core.config.mindformers.setting.FormativeLines;
import dev.lacuna.core.config.mindformers.setting.FrameworkWarnings;
import dev.lacuna.core.config.mindformers.setting.LayerSetter;
import dev.lacuna.core.config.mindformers.setting.NormalisedSettings;
import dev.lacuna.core.config.mindformers.setting.Notes;
import dev.lacuna.core.config.mindformers.setting.RecomputeSettings;
import dev.lacuna.core.config.mindformers.setting.SettingsNormaliser;
import dev.lacuna.core.config.mindformers.setting.SwapEnvironment;
import dev.lacuna.core.config.mindformers.setting.SwapSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says what the recomputation and swap settings of a MindFormers configuration do, layer by layer, as the development branch of 2025
 * does it (LayerSetting, TransformerSwapConfig).
 */
public final class Mindformers {
    /** Where a recorded case keeps its settings, beside what it expects of them. */
    private static final ConfigPath WRAPPED = ConfigPath.of("config");

    private final Map<String, String> environment;

    /** @param environment environment variables of the run, to check what swap needs of them */
    public Mindformers(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** The result; never throws for what the file says. Settings may stand at the top of the file, or all below {@code config}. */
    public MindformersResult analyse(ConfigDocument document) {
        ConfigDocument file = document.below(base(document)).orElseThrow();
        Optional<LayerDistribution> layers = Optional.empty();
        try {
            ModelShape shape = ModelShape.read(file);
            layers = Optional.of(new LayerDistributor(shape).distribute());
            return valid(file, shape, layers.get());
        } catch (InvalidSettingException e) {
            return new MindformersResult.Invalid(e.path(), file.lineOf(e.path()), e.why(), layers);
        }
    }

    /** Where the settings of a file stand. */
    static ConfigPath base(ConfigDocument document) {
        return document.at(WRAPPED.child("model_config")).isPresent() ? WRAPPED : ConfigPath.ROOT;
    }

    private MindformersResult valid(ConfigDocument file, ModelShape shape, LayerDistribution layers)
            throws InvalidSettingException {
        RecomputeSettings recompute = RecomputeSettings.read(file);
        SwapSettings swap = SwapSettings.read(file);
        NormalisedSettings settings = new SettingsNormaliser(layers, recompute, swap).normalise();
        ConfigValue prefetch =
                file.at(SwapSettings.PATH.child("default_prefetch")).orElse(ConfigValue.of(1));
        List<String> warnings = new FrameworkWarnings(recompute, swap, settings).warnings(prefetch);
        LayerSetter setter = new LayerSetter(layers, recompute, settings);
        List<LayerState> grid = setter.grid();
        SwapEnvironment needs = new SwapEnvironment(file, swap.on(), shape.stages(), environment);
        return new MindformersResult.Valid(
                swap.on(),
                layers,
                settings.recompute(),
                settings.select().byPattern(),
                settings.comm().byPattern(),
                grid,
                setter.lines(),
                FormativeLines.of(settings),
                warnings,
                needs.contradictions(),
                new Notes(file, shape, layers, recompute, swap, settings, grid, needs).all());
    }
}
