package dev.lacuna.core.planning.output;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.planning.method.CheckpointTree;
import dev.lacuna.core.planning.method.CheckpointTree.Item;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A choice of layers as arguments of Megatron-LM and MindSpeed. They know one number for all pipeline stages: so many
 * layers from the beginning of each model chunk ({@code block}), or all layers in units of so many ({@code uniform}).
 *
 * @param values by name, without the dashes
 * @param notes what the arguments say otherwise than the plan
 */
public record MegatronArguments(Map<String, String> values, List<Note> notes) {
    /** What the arguments cannot say. */
    public enum Note {
        /** More layers are recomputed in some chunks than planned: one number holds for all. */
        MORE_LAYERS("megatron.more"),
        /** As many layers as planned, but the first ones of each chunk. */
        FIRST_LAYERS("megatron.first"),
        /** Nothing is recomputed, so there is nothing to say. */
        NOTHING("megatron.nothing"),
        /** MindSpeed was to decide by itself, which it does not do beside a fixed choice. */
        SELF_DECIDING("megatron.deciding"),
        /** The last unit is recomputed too, which the plan keeps. */
        LAST_UNIT("megatron.last");

        private final String key;

        Note(String key) {
            this.key = key;
        }

        /** In words. */
        public String text(Locale locale) {
            return PlanFailure.WORDS.text(locale, key);
        }
    }

    static final String GRANULARITY = "recompute-granularity";
    static final String METHOD = "recompute-method";
    static final String LAYERS = "recompute-num-layers";
    static final String MODULES = "recompute-modules";
    /** Every setting that a plan decides: what an edited file loses where the plan does not set it. */
    static final List<String> DECIDED = List.of(GRANULARITY, METHOD, LAYERS, MODULES, "recompute-activations");

    public MegatronArguments {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        notes = List.copyOf(notes);
    }

    /**
     * The arguments for a choice per layer.
     *
     * @param chunks how many model chunks the layers are cut into: pipeline stages times virtual stages
     * @throws RefusedException when layers are swapped, or the layers do not divide
     */
    public static MegatronArguments of(LayerPolicy policy, int chunks) throws RefusedException {
        return of(policy, chunks, choice -> true);
    }

    /**
     * The same where what is written must fit: as many more layers of each chunk are recomputed as it takes, since the first
     * ones may keep less than those that were planned.
     *
     * @param fits whether a choice of all layers is small enough
     * @throws RefusedException when layers are swapped, the layers do not divide, or not even all of them recomputed fit
     */
    public static MegatronArguments of(LayerPolicy policy, int chunks, Predicate<LayerPolicy> fits)
            throws RefusedException {
        int layers = policy.actions().size();
        if (policy.count(LayerAction.SWAP) > 0) {
            throw new RefusedException(PlanFailure.WORDS.of("output.megatron.swap"));
        }
        if (chunks < 1 || layers % chunks != 0) {
            throw new RefusedException(
                    PlanFailure.WORDS.of("output.megatron.chunks", Integer.toString(layers), Integer.toString(chunks)));
        }
        int each = layers / chunks;
        int most = 0;
        int least = each;
        boolean first = true;
        for (int chunk = 0; chunk < chunks; chunk++) {
            List<LayerAction> actions = policy.actions().subList(chunk * each, (chunk + 1) * each);
            int count = Collections.frequency(actions, LayerAction.RECOMPUTE);
            first &= !actions.subList(0, count).contains(LayerAction.KEEP);
            most = Math.max(most, count);
            least = Math.min(least, count);
        }
        while (!fits.test(firstOfEach(chunks, each, most))) {
            if (most == each) {
                throw new RefusedException(PlanFailure.WORDS.of("output.unfit"));
            }
            most++;
        }
        List<Note> notes = new ArrayList<>();
        if (least < most) {
            notes.add(Note.MORE_LAYERS);
        }
        if (!first && most < each) {
            notes.add(Note.FIRST_LAYERS);
        }
        if (most == 0) {
            return new MegatronArguments(Map.of(), List.of(Note.NOTHING));
        }
        return full(most == each ? "uniform" : "block", most == each ? 1 : most, notes);
    }

    private static LayerPolicy firstOfEach(int chunks, int each, int count) {
        List<LayerAction> actions = new ArrayList<>();
        for (int layer = 0; layer < chunks * each; layer++) {
            actions.add(layer % each < count ? LayerAction.RECOMPUTE : LayerAction.KEEP);
        }
        return new LayerPolicy(actions);
    }

    /**
     * The arguments for stretches of one length, as Chen's segments are; empty where the stretches are unlike or nested.
     *
     * @param layers of the model; stages behind them are no layers
     */
    public static Optional<MegatronArguments> of(CheckpointTree tree, int layers) {
        if (tree.nested() || !(tree.items().get(0) instanceof Item.Checkpoint unit)) {
            return Optional.empty();
        }
        int length = unit.end() - unit.begin();
        int next = 0;
        for (Item item : tree.items()) {
            boolean alike = item instanceof Item.Checkpoint && item.end() - item.begin() == length;
            // Where the last unit begins, the plan keeps what is left; the framework recomputes that too.
            if (!alike && layers - next > length) {
                return Optional.empty();
            }
            if (!alike) {
                return Optional.of(full("uniform", length, List.of(Note.LAST_UNIT)));
            }
            next = item.end();
        }
        return Optional.of(full("uniform", length, List.of()));
    }

    private static MegatronArguments full(String method, int layers, List<Note> notes) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(GRANULARITY, "full");
        values.put(METHOD, method);
        values.put(LAYERS, Integer.toString(layers));
        return new MegatronArguments(values, notes);
    }

    /** As on a command line; empty where nothing is recomputed. */
    public String text() {
        StringBuilder text = new StringBuilder();
        values.forEach((name, value) -> text.append(text.isEmpty() ? "" : " ")
                .append("--")
                .append(name)
                .append(' ')
                .append(value));
        return text.toString();
    }
}
