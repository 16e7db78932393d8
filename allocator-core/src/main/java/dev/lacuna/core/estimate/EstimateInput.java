package dev.lacuna.core.estimate;

import dev.lacuna.core.config.ConfigDocument;
import dev.lacuna.core.config.ConfigFormatException;
import dev.lacuna.core.config.ConfigReader;
import dev.lacuna.core.config.ConfigValue;
import java.util.List;
import java.util.Optional;

/**
 * What an estimate is made from: Megatron's or MindSpeed's arguments, a Hugging Face {@code config.json}, or a MindFormers file, told
 * apart by content.
 */
public final class EstimateInput {
    private final Arguments arguments;
    private final Optional<ConfigDocument> mindformers;

    private EstimateInput(Arguments arguments, Optional<ConfigDocument> mindformers) {
        this.arguments = arguments;
        this.mindformers = mindformers;
    }

    /** From arguments. */
    public static EstimateInput of(Arguments arguments) {
        return new EstimateInput(arguments, Optional.empty());
    }

    /** @throws ConfigFormatException when the text is none of the three */
    public static EstimateInput read(String text) throws ConfigFormatException {
        Arguments arguments = Arguments.parse(text);
        if (arguments.text("num-layers").isPresent()) {
            return of(arguments);
        }
        ConfigDocument file = ConfigReader.read(text);
        if (MindformersConfiguration.recognises(file)) {
            return new EstimateInput(MindformersConfiguration.of(file), Optional.of(file));
        }
        if (HuggingFaceConfiguration.recognises(file)) {
            return of(HuggingFaceConfiguration.of(file));
        }
        return of(file.value() instanceof ConfigValue.Entries ? arguments : new Arguments(java.util.Map.of()));
    }

    /**
     * The configuration.
     *
     * @param overriding arguments that hold instead of the input's
     * @throws EstimateException when it says too little, or contradicts itself
     */
    public Configuration configuration(Arguments overriding) throws EstimateException {
        Configuration configuration = MegatronConfiguration.of(arguments.with(overriding));
        if (mindformers.isEmpty() || overriding.text("recompute-granularity").isPresent()) {
            return configuration;
        }
        List<LayerTreatment> treatments = MindformersConfiguration.treatments(mindformers.get())
                .filter(list -> list.size() == configuration.model().layers())
                .orElseThrow(() -> new EstimateException("refused.mindformers"));
        return new Configuration(
                configuration.model(),
                configuration.layout(),
                configuration.training(),
                treatments,
                MindformersConfiguration.chunkLayers(mindformers.get(), configuration.layout()));
    }
}
