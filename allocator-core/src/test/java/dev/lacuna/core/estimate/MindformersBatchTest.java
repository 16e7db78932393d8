package dev.lacuna.core.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.model.Configuration;
import dev.lacuna.core.estimate.model.TransformerModel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MindformersBatchTest {
    private static final Arguments NOTHING = new Arguments(Map.of());
    private static final String FILE = """
            runner_config:
              batch_size: 4
            parallel_config:
              data_parallel: 2
              micro_batch_num: 8
            moe_config:
              expert_num: 1
            model:
              model_config:
                type: LlamaConfig
                batch_size: 1
                seq_length: 32
                hidden_size: 64
                num_layers: 2
                num_heads: 4
                n_kv_heads: 2
                vocab_size: 100
            """;

    private static List<String> notes(String file) throws Exception {
        return EstimateInput.read(file).notes(NOTHING).stream()
                .map(note -> note.text(Locale.ROOT))
                .toList();
    }

    @Test
    void the_runner_decides_the_batch_and_a_note_says_so() throws Exception {
        Configuration read = EstimateInput.read(FILE).configuration(NOTHING);
        assertThat(read.training().microBatch()).isEqualTo(4);
        assertThat(read.training().microBatches()).isEqualTo(8);
        assertThat(notes(FILE))
                .containsExactly("runner_config.batch_size 4 drives training, not model.model_config.batch_size 1");
    }

    @Test
    void the_models_batch_stands_in_where_the_runner_has_none() throws Exception {
        String without = FILE.replace("  batch_size: 4\n", "  epochs: 1\n");
        assertThat(EstimateInput.read(without).configuration(NOTHING).training().microBatch())
                .isOne();
        assertThat(notes(without)).isEmpty();
        assertThat(notes(FILE.replace("batch_size: 4", "batch_size: 1"))).isEmpty();
    }

    @Test
    void a_single_expert_is_none_and_keys_are_grouped() throws Exception {
        TransformerModel model = EstimateInput.read(FILE).configuration(NOTHING).model();
        assertThat(model.experts()).isEmpty();
        assertThat(model.attention().groups()).isEqualTo(2);
    }
}
