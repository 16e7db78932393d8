package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.swap.mindspeed.MeasuredArgument.Group;
import dev.lacuna.core.planning.swap.mindspeed.MeasuredArgument.Tensor;
import dev.lacuna.core.planning.swap.mindspeed.StepSchedule.Phase;
import dev.lacuna.core.planning.swap.mindspeed.StepSchedule.Release;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Facts, sections 2.1 to 2.3, and the profiling tests of 2.11. */
final class ProfilingTest {
    @Test
    void half_precision_tensors_count_two_bytes_an_element_and_lists_are_summed() {
        Tensor ten = new Tensor(5L * 1024 * 1024, 2);

        assertThat(ten.megabytes()).isEqualTo(10);
        assertThat(new Group(List.of(ten, new Group(List.of(ten, ten)), new Group(List.of()))).megabytes())
                .isEqualTo(30);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 3, TWO, 5, 24",
        "2, 3, TWO, 5, 12",
        "3, 2, TWO, 5, 8",
        "8, 4, TWO, 5, 8",
        "1, 3, MAIN, 5, 3",
        "8, 1, MAIN, 5, 1"
    })
    void measures_for_so_many_steps(int microBatches, int depths, Release release, int recompute, int swap) {
        StepSchedule schedule = new StepSchedule(microBatches, depths, release);

        assertThat(schedule.announcement())
                .isEqualTo("init profiling steps, recompute:" + recompute + ", swap:" + swap);
    }

    @Test
    void skips_measures_times_then_memory_then_the_layer_then_swapping_then_searches() {
        StepSchedule schedule = new StepSchedule(8, 1, Release.TWO);

        assertThat(IntStream.rangeClosed(1, 16).mapToObj(schedule::phase))
                .containsExactly(
                        Phase.SKIP,
                        Phase.SKIP,
                        Phase.SKIP,
                        Phase.RECOMPUTE_TIME,
                        Phase.RECOMPUTE_TIME,
                        Phase.RECOMPUTE_TIME,
                        Phase.RECOMPUTE_TIME,
                        Phase.RECOMPUTE_MEMORY,
                        Phase.LAYER,
                        Phase.LAYER,
                        Phase.LAYER,
                        Phase.LAYER,
                        Phase.LAYER,
                        Phase.SWAP,
                        Phase.SWAP,
                        Phase.SEARCH);
    }

    @Test
    void only_computed_tensors_of_half_a_mebibyte_are_swapped() {
        long half = 512 << 10;

        assertThat(tensor(half, true, 0, false, false).maySwap(Release.TWO)).isTrue();
        assertThat(tensor(half - 1, true, 0, false, false).maySwap(Release.TWO)).isFalse();
        assertThat(tensor(half, false, 0, false, false).maySwap(Release.TWO)).isFalse();
        assertThat(new SwapEligibility(half, true, 0, 0, false, false).maySwap(Release.TWO))
                .isFalse();
        assertThat(tensor(half, true, 5, false, false).maySwap(Release.TWO)).isFalse();
        assertThat(tensor(half, true, 4, false, false).maySwap(Release.TWO)).isTrue();
        assertThat(tensor(half, true, 2, true, false).maySwap(Release.TWO)).isFalse();
        assertThat(tensor(half, true, 0, false, true).maySwap(Release.TWO)).isTrue();
        assertThat(tensor(half, true, 0, false, true).maySwap(Release.MAIN)).isFalse();
    }

    @Test
    void a_layer_in_a_list_marks_the_list_and_one_outside_marks_itself() {
        ModuleContext list = new ModuleContext("layers", "module.encoder", 2);
        ModuleContext layer = new ModuleContext("0", "module.encoder.layers", 3);
        assertThat(list.add(layer, true, true)).isFalse();
        assertThat(List.of(list.moduleList(), list.adaptLayer(), layer.adaptLayer(), layer.adaptable()))
                .containsExactly(true, true, false, true);

        ModuleContext model = new ModuleContext("model", "", 1);
        ModuleContext alone = new ModuleContext("layer", "model", 2);
        assertThat(model.add(alone, true, false)).isFalse();
        assertThat(List.of(model.moduleList(), model.adaptLayer(), alone.adaptLayer(), alone.adaptable()))
                .containsExactly(false, false, true, true);

        assertThat(model.add(new ModuleContext("norm", "model", 2), false, false))
                .isTrue();
    }

    @Test
    void a_function_that_calls_a_module_comes_between_it_and_its_parent_in_every_layer() {
        ModuleContext list = layers();

        list.insert(new ModuleContext("PipeExpert", "module.layers.0.mlp", 4), "experts");

        for (ModuleContext layer : list.children()) {
            ModuleContext mlp = layer.children().get(0);
            assertThat(mlp.children()).extracting(ModuleContext::name).containsExactly("gate", "PipeExpert");
            ModuleContext experts = mlp.children().get(1).children().get(0);
            assertThat(experts.path()).isEqualTo(layer.path() + ".mlp.PipeExpert.experts");
            assertThat(experts.children().get(0).path()).isEqualTo(layer.path() + ".mlp.PipeExpert.experts.0");
            assertThat(experts.children().get(0).depth()).isEqualTo(6);
        }
    }

    @Test
    void a_function_that_calls_none_is_a_sibling() {
        ModuleContext list = layers();

        list.insert(new ModuleContext("PipeExpert", "module.layers.0.mlp", 4), "");

        assertThat(list.children().get(1).children().get(0).children())
                .extracting(ModuleContext::name)
                .containsExactly("gate", "experts", "PipeExpert");
    }

    private static ModuleContext layers() {
        ModuleContext list = new ModuleContext("layers", "module", 1);
        for (int i = 0; i < 2; i++) {
            String path = "module.layers." + i;
            ModuleContext layer = new ModuleContext("" + i, "module.layers", 2);
            ModuleContext mlp = new ModuleContext("mlp", path, 3);
            ModuleContext experts = new ModuleContext("experts", path + ".mlp", 4);
            list.add(layer, true, true);
            layer.add(mlp, false, false);
            mlp.add(new ModuleContext("gate", path + ".mlp", 4), false, false);
            mlp.add(experts, false, false);
            experts.add(new ModuleContext("0", path + ".mlp.experts", 5), false, true);
        }
        return list;
    }

    private static SwapEligibility tensor(long bytes, boolean computed, int base, boolean ofWeight, boolean slice) {
        return new SwapEligibility(bytes, computed, bytes, base, ofWeight, slice);
    }
}
