package dev.lacuna.core.estimate.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.formula.PipelineSchedule;
import dev.lacuna.core.estimate.model.Configuration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnevenStagesTest {
    private static final String MODEL =
            "--hidden-size 64 --num-attention-heads 4 --seq-length 32 --max-position-embeddings 32"
                    + " --micro-batch-size 1 --vocab-size 512 ";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--num-layers 6 --pipeline-model-parallel-size 2 | ''",
                "--num-layers 7 --pipeline-model-parallel-size 4 --account-for-embedding-in-pipeline-split | 1 2 2 2",
                "--num-layers 7 --pipeline-model-parallel-size 4 --account-for-loss-in-pipeline-split | 2 2 2 1",
                "--num-layers 8 --pipeline-model-parallel-size 3 --decoder-first-pipeline-num-layers 2 | 2 3 3",
                "--num-layers 8 --pipeline-model-parallel-size 3 --decoder-first-pipeline-num-layers 1"
                        + " --decoder-last-pipeline-num-layers 3 | 1 4 3",
            })
    void stages_hold_what_the_arguments_say(String arguments, String sizes) throws RefusedException {
        List<Integer> chunks = configuration(arguments).chunkLayers();
        assertThat(chunks.stream().map(String::valueOf).toList())
                .isEqualTo(sizes.isEmpty() ? List.of() : List.of(sizes.split(" ", -1)));
    }

    @Test
    void a_chunk_of_the_embedding_alone_and_one_of_the_loss_alone_hold_no_layers() throws RefusedException {
        Configuration configuration = configuration("--num-layers 6 --pipeline-model-parallel-size 4"
                + " --num-virtual-stages-per-pipeline-rank 2 --account-for-embedding-in-pipeline-split"
                + " --account-for-loss-in-pipeline-split");
        PipelineSchedule schedule = new PipelineSchedule(configuration);
        assertThat(schedule.layers(0)).containsExactly(3);
        assertThat(schedule.layers(1)).containsExactly(0, 4);
        assertThat(schedule.layers(2)).containsExactly(1, 5);
        assertThat(schedule.layers(3)).containsExactly(2);
    }

    @Test
    void refuses_ends_that_leave_an_uneven_middle() {
        assertThatThrownBy(() -> configuration(
                        "--num-layers 8 --pipeline-model-parallel-size 3 --decoder-first-pipeline-num-layers 3"))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> configuration(
                        "--num-layers 8 --pipeline-model-parallel-size 4 --account-for-loss-in-pipeline-split"))
                .isInstanceOf(RefusedException.class);
    }

    private static Configuration configuration(String arguments) throws RefusedException {
        return MegatronConfiguration.of(Arguments.parse(MODEL + arguments));
    }
}
