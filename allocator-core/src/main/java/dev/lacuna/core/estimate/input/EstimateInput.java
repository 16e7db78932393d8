package dev.lacuna.core.estimate.input;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigFormatException;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.config.document.ConfigValue;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.LayerTreatment;
import dev.lacuna.core.estimate.term.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an estimate is made from: Megatron's or MindSpeed's arguments, a Hugging Face {@code config.json}, or a MindFormers file, told
 * apart by content.
 */
public final class EstimateInput {
    private static final String MICRO_BATCH = "micro-batch-size";

    private final Arguments arguments;
    private final Optional<FileKeys> keys;
    private final Optional<ConfigDocument> mindformers;
    private final List<EstimateNote> notes;

    private EstimateInput(
            Arguments arguments,
            Optional<FileKeys> keys,
            Optional<ConfigDocument> mindformers,
            List<EstimateNote> notes) {
        this.arguments = arguments;
        this.keys = keys;
        this.mindformers = mindformers;
        this.notes = List.copyOf(notes);
    }

    /** From arguments. */
    public static EstimateInput of(Arguments arguments) {
        return new EstimateInput(arguments, Optional.empty(), Optional.empty(), KnownArguments.notes(arguments));
    }

    /** From a preset, with what was published of that run. */
    public static Optional<EstimateInput> ofPreset(String name) {
        return Presets.of(name)
                .map(arguments -> of(arguments)
                        .alsoNoting(PublishedGain.of(name).map(PublishedGain::note).stream()
                                .toList()));
    }

    static EstimateInput ofShape(Arguments arguments, FileKeys keys, List<EstimateNote> notes) {
        return new EstimateInput(arguments, Optional.of(keys), Optional.empty(), notes);
    }

    static EstimateInput ofMindformers(
            Arguments arguments, FileKeys keys, ConfigDocument file, List<EstimateNote> notes) {
        return new EstimateInput(arguments, Optional.of(keys), Optional.of(file), notes);
    }

    /** @throws ConfigFormatException when the text is none of the three */
    public static EstimateInput read(String text) throws ConfigFormatException {
        Arguments arguments = Arguments.parse(text);
        if (arguments.text("num-layers").isPresent()) {
            return of(arguments);
        }
        ConfigDocument file = ConfigReader.read(text);
        if (MindformersConfiguration.recognises(file)) {
            return MindformersConfiguration.input(file).alsoNoting(duplicates(file));
        }
        if (HuggingFaceConfiguration.recognises(file)) {
            return HuggingFaceConfiguration.of(file).alsoNoting(duplicates(file));
        }
        return of(file.value() instanceof ConfigValue.Entries ? arguments : new Arguments(Map.of()));
    }

    private static List<EstimateNote> duplicates(ConfigDocument file) {
        return file.duplicateKeys().stream()
                .map(twice -> EstimateNote.of("note.duplicate", twice.path().toString(), twice.lineList()))
                .toList();
    }

    private EstimateInput alsoNoting(List<EstimateNote> more) {
        List<EstimateNote> all = new ArrayList<>(notes);
        all.addAll(more);
        return new EstimateInput(arguments, keys, mindformers, all);
    }

    /** Whether there is not a single setting in it: what was read is something else. */
    public boolean isHollow() {
        return arguments.values().isEmpty() && arguments.unknown().isEmpty() && keys.isEmpty() && mindformers.isEmpty();
    }

    /** What somebody should know of the input and of what overrides it. */
    public List<EstimateNote> notes(Arguments overriding) {
        List<EstimateNote> all = new ArrayList<>(notes);
        keys.ifPresent(file -> all.addAll(file.assumptions(overriding)));
        all.addAll(KnownArguments.notes(overriding));
        Arguments merged = arguments.with(overriding);
        all.addAll(new SettingNotes(merged).all());
        if (standsAlone(merged)) {
            all.add(EstimateNote.of("note.micro.batch"));
        }
        return all;
    }

    /** The shape of a model says nothing of batches: one sample at a time is the least that can be asked for. */
    private boolean standsAlone(Arguments merged) {
        return merged.text(MICRO_BATCH).isEmpty();
    }

    /**
     * The configuration.
     *
     * @param overriding arguments that hold instead of the input's
     * @throws RefusedException when it says too little, or contradicts itself
     */
    public Configuration configuration(Arguments overriding) throws RefusedException {
        Arguments merged = InheritedSettings.left(arguments, overriding).with(overriding);
        if (keys.isPresent()) {
            keys.get().check(merged);
        }
        if (standsAlone(merged)) {
            merged = merged.with(new Arguments(Map.of(MICRO_BATCH, "1")));
        }
        Configuration configuration = MegatronConfiguration.of(merged, mindformers.isEmpty());
        if (mindformers.isEmpty() || overriding.text("recompute-granularity").isPresent()) {
            return configuration;
        }
        List<LayerTreatment> treatments = MindformersConfiguration.treatments(mindformers.get())
                .filter(list -> list.size() == configuration.model().layers())
                .orElseThrow(() -> new RefusedException(Term.WORDS.of("refused.mindformers")));
        return new Configuration(
                configuration.model(),
                configuration.layout(),
                configuration.training(),
                treatments,
                MindformersConfiguration.chunkLayers(mindformers.get(), configuration.layout()));
    }
}
