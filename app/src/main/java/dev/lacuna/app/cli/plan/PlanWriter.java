package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.planning.PlanningTerms;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.method.CheckpointTree;
import dev.lacuna.core.planning.method.ConfiguredModel;
import dev.lacuna.core.planning.method.LayerChoice;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.output.MegatronArguments;
import dev.lacuna.core.planning.output.MegatronScript;
import dev.lacuna.core.planning.output.MindformersRecompute;
import dev.lacuna.core.planning.output.TorchCheckpointList;
import dev.lacuna.core.planning.swap.adaptive.PrefetchDistance;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Writes a chosen plan in the words of those who run it. */
final class PlanWriter {
    /** Whose words. */
    enum Output {
        TORCH,
        MINDFORMERS,
        MEGATRON,
        POLICY
    }

    /**
     * A plan in words.
     *
     * @param text what to save or print
     * @param notes where the words say something else than the plan
     */
    record Written(String text, List<String> notes) {}

    private final PlanGround ground;
    private final Optional<String> config;
    private final Optional<String> modules;
    private final PlanningTerms terms;

    /**
     * @param config text of a file to put the plan into
     * @param modules pattern of the modules' paths, {@code model.layers.{}} say
     */
    PlanWriter(PlanGround ground, Optional<String> config, Optional<String> modules, PlanningTerms terms) {
        this.ground = ground;
        this.config = config.or(ground::text);
        this.modules = modules;
        this.terms = terms;
    }

    /** @throws RefusedException when this plan cannot be said in these words */
    Written write(PlanPoint.Planned point, Output output) throws RefusedException, IOException {
        return switch (output) {
            case TORCH -> torch(point);
            case MINDFORMERS -> mindformers(point);
            case MEGATRON -> megatron(point);
            case POLICY -> new Written(policy(point).letters() + "\n", List.of());
        };
    }

    /** The action of each layer of the whole model. */
    LayerPolicy policy(PlanPoint.Planned point) throws RefusedException {
        if (ground.model().isEmpty()) {
            return LayerChoice.of(ground.profile(), point.choice()).orElseThrow(PlanFailure::notByLayer);
        }
        ConfiguredModel model = ground.model().get();
        PlanningMethod method = PlanningMethods.of(point.method()).orElseThrow();
        List<LayerPolicy> stages = new ArrayList<>();
        for (int stage = 0; stage < model.stages(); stage++) {
            PlanningProfile.Chain profile = model.profile(stage);
            PlanPoint own = stage == ground.stage()
                    ? point
                    : method.plan(profile, point.budgetBytes(), terms.effort(), terms.patience());
            if (!(own instanceof PlanPoint.Planned planned)) {
                throw new CommandFailure(
                        ExitStatus.INPUT, CliText.text("plan.stage.unfit", method.id(), Integer.toString(stage)));
            }
            stages.add(LayerChoice.of(profile, planned.choice()).orElseThrow(PlanFailure::notByLayer));
        }
        return LayerChoice.joined(model, stages);
    }

    private Written torch(PlanPoint.Planned point) throws RefusedException {
        List<String> names = new ArrayList<>();
        CheckpointTree tree;
        List<String> notes = new ArrayList<>();
        if (point.choice() instanceof PlannedChoice.Chain chain
                && chain.tree().isPresent()
                && ground.model().map(ConfiguredModel::stages).orElse(1) == 1) {
            tree = chain.tree().get();
            ground.profile().asChain().orElseThrow().chain().stages().stream()
                    .map(ChainStage::name)
                    .forEach(names::add);
        } else {
            LayerPolicy policy = policy(point);
            tree = CheckpointTree.ofStages(policy.actions().stream()
                    .map(action -> action == LayerAction.RECOMPUTE)
                    .toList());
            names.addAll(layerNames(policy.actions().size()));
            if (policy.count(LayerAction.SWAP) > 0) {
                notes.add(CliText.text("plan.torch.swap"));
            }
        }
        if (modules.isPresent()) {
            names.replaceAll(name -> modules.get().replace("{}", name.replaceAll(".*?(\\d+)$", "$1")));
        }
        return new Written(TorchCheckpointList.of(names, tree), notes);
    }

    private List<String> layerNames(int count) {
        if (ground.profile() instanceof PlanningProfile.Layers layers) {
            return layers.measured().layers().stream()
                    .map(LayerMeasurement::name)
                    .toList();
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("layers." + i);
        }
        return names;
    }

    private Written mindformers(PlanPoint.Planned point) throws RefusedException, IOException {
        if (config.isEmpty()) {
            throw new CommandFailure(ExitStatus.USAGE, CliText.text("plan.needs.config"));
        }
        ConfigDocument file = ConfigReader.read(config.get());
        LayerPolicy policy = policy(point);
        MindformersRecompute.Written written =
                MindformersRecompute.write(file, policy, fitting(point), prefetch(policy));
        List<String> notes = written.moved()
                ? List.of(CliText.text("plan.moved", written.policy().letters()))
                : List.of();
        return new Written(written.file().text(), notes);
    }

    private Written megatron(PlanPoint.Planned point) throws RefusedException {
        MegatronArguments arguments = arguments(point);
        List<String> notes = arguments.notes().stream()
                .map(note -> note.text(Locale.getDefault()))
                .toList();
        Optional<String> script = config.filter(text -> ground.mindformers().isEmpty() && text.contains("--"));
        if (script.isEmpty()) {
            return new Written(arguments.text() + "\n", notes);
        }
        MegatronScript.Edited edited = MegatronScript.edited(script.get(), arguments, layers(point));
        List<String> all = new ArrayList<>(notes);
        edited.notes().forEach(note -> all.add(note.text(Locale.getDefault())));
        return new Written(edited.text(), all);
    }

    /** How many layers the model has that was planned for. */
    private int layers(PlanPoint.Planned point) {
        if (ground.model().isPresent()) {
            return ground.model().get().layers();
        }
        return LayerChoice.of(ground.profile(), point.choice())
                .map(policy -> policy.actions().size())
                .or(() -> ground.profile().asChain().map(chain -> chain.chain().length()))
                .orElseThrow();
    }

    private List<Integer> prefetch(LayerPolicy policy) {
        return ground.model()
                .map(model -> model.prefetch(policy))
                .or(() -> ground.profile().asLayers().map(layers -> PrefetchDistance.of(layers.measured(), policy)))
                .orElseGet(() -> Collections.nCopies(policy.actions().size(), 1));
    }

    private MegatronArguments arguments(PlanPoint.Planned point) throws RefusedException {
        int stages = ground.model().map(ConfiguredModel::stages).orElse(1);
        int chunks = stages * ground.model().map(ConfiguredModel::chunks).orElse(1);
        if (chunks == 1
                && point.choice() instanceof PlannedChoice.Chain chain
                && chain.tree().isPresent()) {
            CheckpointTree tree = chain.tree().get();
            int layers = ground.model().map(ConfiguredModel::layers).orElse(tree.length());
            Optional<MegatronArguments> uniform =
                    tree.byStage().isPresent() ? Optional.empty() : MegatronArguments.of(tree, layers);
            if (uniform.isPresent()) {
                return uniform.get();
            }
        }
        return MegatronArguments.of(policy(point), chunks, fitting(point));
    }

    /** A configuration's plan must fit by its estimate, however it is written. */
    private Predicate<LayerPolicy> fitting(PlanPoint.Planned point) {
        return ground.model()
                .<Predicate<LayerPolicy>>map(model -> policy -> model.fits(policy, point.budgetBytes()))
                .orElse(policy -> true);
    }
}
