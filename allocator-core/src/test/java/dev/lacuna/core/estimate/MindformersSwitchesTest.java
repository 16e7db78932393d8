package dev.lacuna.core.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.term.Term;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What MindFormers' switches of full recomputation do to an estimate: one of communication, one of slices, one of the optimizer. */
class MindformersSwitchesTest {
    private static final long LAYERS = 8;

    /** s · b · h of two bytes. */
    private static final long INPUT = 2L * 2048 * 1024;

    private static StageMemory stage(String recompute, String parallel) throws Exception {
        String file = """
                model:
                  model_config: {num_layers: 8, hidden_size: 1024, num_heads: 16, vocab_size: 1024, seq_length: 2048}
                runner_config: {batch_size: 1}
                parallel: {enable_parallel_optimizer: True}
                parallel_config: {data_parallel: 2, pipeline_stage: 1, micro_batch_num: 1, %s}
                recompute_config: {%s}
                """.formatted(parallel, recompute);
        return new Estimator(EstimateInput.read(file).configuration(new Arguments(Map.of())))
                .estimate()
                .stages()
                .get(0);
    }

    private static long term(StageMemory stage, String key) {
        return stage.memory().find(key).map(Term::rounded).orElse(0L);
    }

    private static long kept(String recompute, String parallel) throws Exception {
        return term(stage(recompute, parallel), "activations");
    }

    @Test
    void what_devices_sent_each_other_is_kept_where_it_is_not_sent_again() throws Exception {
        long plain = kept("recompute: True", "model_parallel: 4");
        assertThat(plain).isEqualTo(LAYERS * INPUT);
        assertThat(kept("recompute: True, mp_comm_recompute: False", "model_parallel: 4"))
                .isGreaterThanOrEqualTo(plain + LAYERS * 2 * INPUT);
        assertThat(kept("recompute: True, mp_comm_recompute: False", "model_parallel: 1"))
                .as("there is nobody to send to")
                .isEqualTo(plain);
    }

    @Test
    void of_the_outputs_that_stay_each_device_keeps_its_slice() throws Exception {
        String sliced = "recompute: True, recompute_slice_activation: True";
        StageMemory split = stage(sliced, "model_parallel: 4");
        assertThat(term(split, "activations"))
                .as("the input of the first layer is no layer's output")
                .isEqualTo(INPUT + (LAYERS - 1) * INPUT / 4);
        assertThat(split.memory().value())
                .isLessThan(
                        stage("recompute: True", "model_parallel: 4").memory().value());
        assertThat(kept(sliced, "model_parallel: 1")).isEqualTo(LAYERS * INPUT);
        assertThat(kept(sliced, "model_parallel: 4, use_seq_parallel: True"))
                .as("sequences are split already")
                .isEqualTo(LAYERS * INPUT / 4);
        assertThat(kept("recompute: [8], recompute_slice_activation: True", "model_parallel: 4"))
                .as("the framework passes it on for all layers only")
                .isEqualTo(LAYERS * INPUT);
    }

    @Test
    void a_layer_that_is_rebuilt_has_its_input_whole() throws Exception {
        String parallel = "model_parallel: 4";
        long plain = term(stage("recompute: True", parallel), "rebuilt");
        assertThat(plain).isPositive();
        assertThat(term(stage("recompute: True, recompute_slice_activation: True", parallel), "rebuilt") - plain)
                .isEqualTo(INPUT * 3 / 4);
    }

    @Test
    void weights_that_are_gathered_again_are_not_kept_between_the_passes() throws Exception {
        String parallel = "model_parallel: 4";
        String again = "recompute: True, parallel_optimizer_comm_recompute: True";
        long all = term(stage("recompute: True", parallel), "weights");
        assertThat(term(stage("recompute: True, parallel_optimizer_comm_recompute: False", parallel), "weights"))
                .as("off is what the framework takes where the file does not say")
                .isEqualTo(all);
        StageMemory gathering = stage(again, parallel);
        long ends = 2L * 2 * 1024 * 1024 / 4;
        // Two layers are whole at a time.
        assertThat(term(gathering, "weights")).isEqualTo(Math.round(all - (all - ends) * (LAYERS - 2.0) / LAYERS));
        assertThat(term(stage("recompute: False, parallel_optimizer_comm_recompute: True", parallel), "weights"))
                .as("a layer that is not recomputed needs them for its backward pass")
                .isEqualTo(all);
        assertThat(term(gathering, "optimizer"))
                .as("states are as they were")
                .isEqualTo(term(stage("recompute: True", parallel), "optimizer"));
    }
}
