package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.method.CheckpointTree;
import dev.lacuna.core.planning.method.LayerChoice;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.output.MegatronArguments;
import dev.lacuna.core.planning.output.MindformersRecompute;
import dev.lacuna.core.planning.output.TorchCheckpointList;
import dev.lacuna.core.planning.swap.adaptive.PrefetchDistance;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A chosen plan in somebody's language.
 *
 * @param kind whose
 * @param text what to set; empty where the plan cannot be said so
 * @param remark why not, or what the text does differently; may be empty
 */
record PlanOutput(Kind kind, String text, String remark) {
    private static final Texts TEXTS = Texts.of("planner");

    /** Whose language, and what a file of it ends in. */
    enum Kind {
        TORCH(".py"),
        MINDFORMERS(".yaml"),
        MEGATRON(".txt"),
        POLICY(".txt");

        private final String ending;

        Kind(String ending) {
            this.ending = ending;
        }

        String ending() {
            return ending;
        }
    }

    /**
     * All of them, for this plan.
     *
     * @param file a MindFormers file to write into
     * @param chunks into how many model chunks Megatron cuts the layers: pipeline stages times virtual stages, from 1
     */
    static List<PlanOutput> of(
            PlanningProfile profile, PlanPoint.Planned plan, Optional<ConfigDocument> file, int chunks) {
        if (plan.choice() instanceof PlannedChoice.Online) {
            return List.of(none(Kind.POLICY, TEXTS.get("plan.online")));
        }
        Optional<LayerPolicy> policy = LayerChoice.of(profile, plan.choice());
        List<PlanOutput> outputs = new ArrayList<>();
        outputs.add(torch(profile, plan.choice()));
        outputs.add(mindformers(profile, policy, file));
        outputs.add(megatron(profile, plan.choice(), policy, chunks));
        outputs.add(policy.map(p -> new PlanOutput(Kind.POLICY, p.letters(), ""))
                .orElseGet(() -> none(Kind.POLICY, TEXTS.get("plan.no.layers"))));
        return outputs;
    }

    private static PlanOutput none(Kind kind, String why) {
        return new PlanOutput(kind, "", why);
    }

    private static Optional<CheckpointTree> tree(PlannedChoice choice) {
        return choice instanceof PlannedChoice.Chain chain ? chain.tree() : Optional.empty();
    }

    private static PlanOutput torch(PlanningProfile profile, PlannedChoice choice) {
        Optional<CheckpointTree> tree = tree(choice);
        if (tree.isEmpty() || profile.asChain().isEmpty()) {
            return none(Kind.TORCH, TEXTS.get("plan.no.tree"));
        }
        List<String> names = profile.asChain().get().chain().stages().stream()
                .map(ChainStage::name)
                .toList();
        try {
            return new PlanOutput(Kind.TORCH, TorchCheckpointList.of(names, tree.get()), "");
        } catch (RefusedException e) {
            return none(Kind.TORCH, e.text(Texts.locale()));
        }
    }

    private static PlanOutput mindformers(
            PlanningProfile profile, Optional<LayerPolicy> policy, Optional<ConfigDocument> file) {
        if (policy.isEmpty()) {
            return none(Kind.MINDFORMERS, TEXTS.get("plan.no.layers"));
        }
        if (file.isEmpty()) {
            return none(Kind.MINDFORMERS, TEXTS.get("plan.no.file"));
        }
        try {
            MindformersRecompute.Written written = MindformersRecompute.write(
                    file.get(), policy.get(), choice -> true, prefetch(profile, policy.get()));
            return new PlanOutput(
                    Kind.MINDFORMERS, written.file().text(), written.moved() ? TEXTS.get("plan.moved") : "");
        } catch (RefusedException e) {
            return none(Kind.MINDFORMERS, e.text(Texts.locale()));
        }
    }

    private static List<Integer> prefetch(PlanningProfile profile, LayerPolicy policy) {
        return profile.asLayers()
                .map(layers -> PrefetchDistance.of(layers.measured(), policy))
                .orElseGet(() -> Collections.nCopies(policy.actions().size(), 1));
    }

    private static PlanOutput megatron(
            PlanningProfile profile, PlannedChoice choice, Optional<LayerPolicy> policy, int chunks) {
        try {
            if (policy.isPresent()) {
                return megatron(MegatronArguments.of(policy.get(), chunks));
            }
            if (chunks > 1) {
                return none(Kind.MEGATRON, TEXTS.get("plan.no.layers"));
            }
            return tree(choice)
                    .flatMap(tree -> MegatronArguments.of(
                            tree, profile.asChain().orElseThrow().chain().length()))
                    .map(PlanOutput::megatron)
                    .orElseGet(() -> none(Kind.MEGATRON, TEXTS.get("plan.no.layers")));
        } catch (RefusedException e) {
            return none(Kind.MEGATRON, e.text(Texts.locale()));
        }
    }

    private static PlanOutput megatron(MegatronArguments arguments) {
        List<String> notes = arguments.notes().stream()
                .map(note -> note.text(Texts.locale()))
                .toList();
        String text = arguments.text();
        return new PlanOutput(
                Kind.MEGATRON, text, text.isEmpty() ? TEXTS.get("plan.nothing") : String.join(" ", notes));
    }
}
