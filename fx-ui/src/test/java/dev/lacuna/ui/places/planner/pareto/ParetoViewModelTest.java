package dev.lacuna.ui.places.planner.pareto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigFormatException;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.config.mindformers.LayerGrid;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.ui.fakes.FakeLiveLayers;
import dev.lacuna.ui.fakes.FakePlannerFiles;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.window.Notices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ParetoViewModelTest {
    private static final String CHAIN = """
            {"input_bytes": 100, "layers": [
              {"name": "a", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 900},
              {"name": "b", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 900},
              {"name": "c", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 900},
              {"name": "d", "forward_ms": 1, "backward_ms": 2, "output_bytes": 100, "saved_bytes": 900}]}
            """;

    private final List<String> reported = new ArrayList<>();
    private final FakeLiveLayers live = new FakeLiveLayers();
    private final FakePlannerFiles files =
            new FakePlannerFiles().with("/p/chain.json", CHAIN).with("/p/none.json", "{}");
    private Optional<ConfigDocument> file = Optional.empty();
    private final ParetoViewModel model = new ParetoViewModel(
            files,
            new CurrentThreadTaskExecutor(),
            Runnable::run,
            new Notices() {
                @Override
                public void inform(String text) {
                    reported.add(text);
                }

                @Override
                public void warn(String headline, String detail) {
                    reported.add(headline);
                }

                @Override
                public void fail(String headline, String detail) {
                    reported.add(headline);
                }
            },
            live,
            () -> file);

    @Test
    void plans_with_every_method_that_suits_and_chooses_the_fastest_within_the_budget() {
        model.open("/p/chain.json");
        assertThat(model.stateProperty().get()).isEqualTo(ParetoViewModel.State.SHOWN);
        assertThat(model.curveProperty().get().planned().stream()
                        .map(PlanPoint.Planned::method)
                        .distinct())
                .hasSizeGreaterThan(4);
        PlanningProfile profile = model.profileProperty().get().orElseThrow();
        for (long budget : List.of(profile.plainPeakBytes(), profile.plainPeakBytes() * 2 / 3)) {
            model.budgetProperty().set(budget);
            assertThat(model.chosenProperty().get()).hasValueSatisfying(chosen -> {
                assertThat(chosen.peakBytes()).isLessThanOrEqualTo(budget);
                assertThat(model.curveProperty().get().planned())
                        .filteredOn(other -> other.peakBytes() <= budget)
                        .allSatisfy(other -> assertThat(other.overhead()).isGreaterThanOrEqualTo(chosen.overhead()));
            });
        }
    }

    @Test
    void asks_runtimes_with_their_shortcuts_where_that_is_chosen() {
        model.open("/p/chain.json");
        assertThat(model.hasShortcuts()).isTrue();
        assertThat(asked()).contains("dtr").noneMatch(id -> id.contains("+"));
        model.shortcutsProperty().set(true);
        assertThat(asked()).as("what is shown was asked without").noneMatch(id -> id.contains("+"));
        model.plan();
        assertThat(asked()).contains("dtr+small", "dtr+sample", "dtr+both", "coop+both");
        assertThat(model.curveProperty().get().points())
                .extracting(PlanPoint::method)
                .contains("dtr", "dtr+small", "dtr+both");
        live.attach();
        model.measure();
        assertThat(model.hasShortcuts()).as("measured layers are no program").isFalse();
        assertThat(asked()).noneMatch(id -> id.contains("+"));
    }

    private List<String> asked() {
        return model.methodsProperty().get().stream().map(PlanningMethod::id).toList();
    }

    @Test
    void places_the_blocks_of_a_table_of_lifetimes_and_says_whether_they_fit() {
        files.with("/p/blocks.csv", "id,lower,upper,size\nb,0,10,4\na,0,5,8\nc,5,10,8\n");
        model.open("/p/chain.json");
        model.open("/p/blocks.csv");
        assertThat(model.stateProperty().get()).isEqualTo(ParetoViewModel.State.PLACED);
        assertThat(model.isOpen()).isTrue();
        assertThat(model.sourceProperty().get()).isEqualTo("/p/blocks.csv");
        assertThat(model.chosenProperty().get()).isEmpty();
        PlacesModel places = model.places();
        assertThat(places.facts()).hasSize(4).anyMatch(fact -> fact.contains("12 B"));
        var verdict = places.verdict();
        var fault = places.fault();
        assertThat(verdict.get()).isEmpty();
        places.limitProperty().set("16");
        assertThat(verdict.get()).isEqualTo("It fits into 16 B, and 4 B are left.");
        places.limitProperty().set("11");
        assertThat(verdict.get()).as("12 bytes are alive at once").startsWith("No plan fits into 11 B");
        places.limitProperty().set("eleven");
        assertThat(verdict.get()).isEmpty();
        assertThat(fault.get()).isNotEmpty();
        model.save("/p/placed.csv", places.placedProperty().get().orElseThrow().withOffsets());
        assertThat(files.text("/p/placed.csv")).startsWith("id,lower,upper,size,offset\nb,0,10,4,");
        model.open("/p/none.json");
        assertThat(model.stateProperty().get()).as("the table stays").isEqualTo(ParetoViewModel.State.PLACED);
        model.open("/p/chain.json");
        assertThat(model.stateProperty().get()).isEqualTo(ParetoViewModel.State.SHOWN);
        assertThat(places.placedProperty().get()).isEmpty();
    }

    @Test
    void tells_the_line_of_a_table_that_makes_no_sense() {
        files.with("/p/blocks.csv", "id,lower,upper,size\nb,0,10,4\na,5,0,8\n");
        model.open("/p/blocks.csv");
        assertThat(model.stateProperty().get()).isEqualTo(ParetoViewModel.State.FAILED);
        assertThat(model.faultProperty().get()).contains("3:");
    }

    @Test
    void refuses_model_chunks_that_the_layers_do_not_divide_into() {
        model.open("/p/chain.json");
        PlanningProfile profile = model.profileProperty().get().orElseThrow();
        assertThat(model.curveProperty().get().planned())
                .filteredOn(plan -> plan.method().equals("layerwise"))
                .isNotEmpty()
                .allSatisfy(plan -> assertThat(PlanOutput.of(profile, plan, Optional.empty(), 3))
                        .filteredOn(output -> output.kind() == PlanOutput.Kind.MEGATRON)
                        .singleElement()
                        .satisfies(output -> {
                            assertThat(output.text()).isEmpty();
                            assertThat(output.remark()).contains("3");
                        }));
    }

    @Test
    void walks_along_the_front() {
        model.open("/p/chain.json");
        model.chooseNext(Integer.MIN_VALUE / 2);
        long least = model.chosenProperty().get().orElseThrow().peakBytes();
        model.chooseNext(1);
        assertThat(model.chosenProperty().get().orElseThrow().peakBytes()).isGreaterThan(least);
        model.chooseNext(Integer.MAX_VALUE / 2);
        assertThat(model.chosenProperty().get().orElseThrow().overhead()).isEqualTo(1);
    }

    @Test
    void says_what_each_layer_does_and_writes_it_into_the_open_file() throws ConfigFormatException {
        file = Optional.of(
                ConfigReader.read("model_config: {num_layers: 4} # small\nrecompute_config: {recompute: False}\n"));
        model.open("/p/chain.json");
        PlanPoint.Planned full = model.curveProperty().get().planned().stream()
                .filter(plan -> plan.method().equals("full"))
                .findFirst()
                .orElseThrow();
        model.choose(full);
        assertThat(model.schedule().parts())
                .extracting(part -> part.action().orElseThrow())
                .containsExactly(
                        LayerAction.RECOMPUTE, LayerAction.RECOMPUTE, LayerAction.RECOMPUTE, LayerAction.RECOMPUTE);
        String yaml = output(PlanOutput.Kind.MINDFORMERS);
        assertThat(yaml).contains("# small");
        MindformersResult result = new Mindformers(Map.of()).analyse(ConfigReader.read(yaml));
        assertThat(LayerGrid.of((MindformersResult.Valid) result).rows())
                .extracting(row -> row.fullRecompute())
                .containsExactly(true, true, true, true);
        assertThat(output(PlanOutput.Kind.TORCH)).contains("\"a\"");
        assertThat(output(PlanOutput.Kind.MEGATRON)).contains("--recompute-granularity full");
        assertThat(output(PlanOutput.Kind.POLICY)).isEqualTo("RRRR");
    }

    @Test
    void tells_why_a_file_is_no_profile() {
        model.open("/p/none.json");
        assertThat(model.stateProperty().get()).isEqualTo(ParetoViewModel.State.FAILED);
        assertThat(model.faultProperty().get()).isNotEmpty();
    }

    @Test
    void leaves_what_was_planned_where_a_file_is_no_profile() {
        model.open("/p/chain.json");
        var curve = model.curveProperty().get();
        var chosen = model.chosenProperty().get();
        model.open("/p/none.json");
        assertThat(model.stateProperty().get()).isEqualTo(ParetoViewModel.State.SHOWN);
        assertThat(model.curveProperty().get()).isSameAs(curve);
        assertThat(model.chosenProperty().get()).isEqualTo(chosen);
        assertThat(model.sourceProperty().get()).isEqualTo("/p/chain.json");
        assertThat(reported).singleElement().asString().contains("none.json");
    }

    @Test
    void plans_for_measured_layers_and_applies_the_choice() {
        live.attach();
        model.measure();
        assertThat(model.profileProperty().get()).containsInstanceOf(PlanningProfile.Layers.class);
        assertThat(model.spareBytes()).isPositive();
        assertThat(model.chosenProperty().get().orElseThrow().peakBytes())
                .as("holds under that limit")
                .isLessThanOrEqualTo(model.budgetProperty().get() - model.spareBytes());
        PlanPoint.Planned layered = model.curveProperty().get().planned().stream()
                .filter(plan -> !PlanOutput.of(model.profileProperty().get().orElseThrow(), plan, Optional.empty(), 1)
                        .get(3)
                        .text()
                        .isEmpty())
                .findFirst()
                .orElseThrow();
        model.choose(layered);
        model.apply(dev.lacuna.core.planning.swap.layer.LayerPolicy.parse(output(PlanOutput.Kind.POLICY)));
        assertThat(live.applied()).isPresent();
        assertThat(reported).hasSize(1);
    }

    private String output(PlanOutput.Kind kind) {
        return model.outputs().stream()
                .filter(output -> output.kind() == kind)
                .findFirst()
                .orElseThrow()
                .text();
    }
}
