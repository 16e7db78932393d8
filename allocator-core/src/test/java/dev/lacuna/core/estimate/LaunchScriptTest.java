package dev.lacuna.core.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.shellscript.ShellWord;
import dev.lacuna.core.estimate.formula.PipelineSchedule;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.model.Configuration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Launch scripts as people write them, down to the configuration. */
class LaunchScriptTest {
    private static final Arguments NOTHING = new Arguments(Map.of());
    private static final String MODEL =
            " --num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 32 --max-position-embeddings 32 --vocab-size 1000"
                    + " --micro-batch-size 1 --bf16 ";
    private static final String LAUNCH = """
            #!/bin/bash
            GPUS_PER_NODE=8
            NNODES=${NNODES:-4}
            WORLD_SIZE=$(($GPUS_PER_NODE*$NNODES))
            TP=${TP:-4}; PP=2
            MBS=${1:-1}
            GBS=$(( WORLD_SIZE / TP / PP * 2 ))
            DISTRIBUTED_ARGS=(
                --nproc_per_node $GPUS_PER_NODE
                --nnodes $NNODES
            )
            PARALLEL="--tensor-model-parallel-size ${TP} \\
                --pipeline-model-parallel-size $PP --sequence-parallel"
            torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \\
                "${MODEL_ARGS[@]}" $PARALLEL \\
                --micro-batch-size $MBS --global-batch-size $GBS \\
                --num-layers 8 --hidden-size 64 --num-attention-heads 4 --seq-length 32 --max-position-embeddings 32 \\
                --vocab-size 1000 --bf16 2>&1 | tee log.txt
            """;

    private static Configuration configuration(String script) throws Exception {
        return EstimateInput.read(script).configuration(NOTHING);
    }

    @Test
    void reads_a_script_with_defaults_arithmetic_and_arrays() throws Exception {
        Configuration read = configuration(LAUNCH);
        assertThat(read.layout().world()).isEqualTo(32);
        assertThat(read.layout().tensor()).isEqualTo(4);
        assertThat(read.layout().data()).isEqualTo(4);
        assertThat(read.layout().sequenceParallel()).isTrue();
        assertThat(read.training().microBatches()).isEqualTo(2);
        assertThat(EstimateInput.read(LAUNCH).notes(NOTHING).stream().map(note -> note.text(Locale.ROOT)))
                .containsExactly(
                        "${MODEL_ARGS[@]} is not known from the script: arguments that it may stand for are not counted"
                                .replace("${MODEL_ARGS[@]}", "$MODEL_ARGS"));
    }

    @Test
    void what_a_script_appends_to_its_own_arguments_is_counted() throws Exception {
        String script = "ARGS=\"$ARGS" + MODEL
                + "\"\nARGS=\"$ARGS --tensor-model-parallel-size 2\"\n%s\npython pretrain_gpt.py $ARGS";
        EstimateInput sure = EstimateInput.read(script.formatted(""));
        assertThat(sure.configuration(NOTHING).layout().tensor()).isEqualTo(2);
        assertThat(sure.notes(NOTHING)).isEmpty();
        EstimateInput open =
                EstimateInput.read(script.formatted("if [ -d /checkpoint ]; then ARGS=\"$ARGS --fp16\"; fi"));
        assertThat(open.configuration(NOTHING).layout().tensor()).isEqualTo(2);
        assertThat(open.notes(NOTHING).stream().map(note -> note.text(Locale.ROOT)))
                .containsExactly(
                        "$ARGS is set where only a run decides whether: arguments that may come with it there are not counted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TP=$1 | $1 is not set in the script: give --tensor-model-parallel-size beside it",
                "A=1 | $TP is not set in the script",
                "TP=$(nproc) | $(nproc) is a command",
                "for TP in 1 2; do | $TP depends on a branch or a loop",
                "TP=${X%%a} | $X is not set in the script"
            })
    void says_what_the_script_leaves_open(String before, String reported) throws Exception {
        String script = before + "\npython pretrain_gpt.py" + MODEL + "--tensor-model-parallel-size $TP";
        assertThatThrownBy(() -> configuration(script))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reported);
        assertThat(EstimateInput.read(script)
                        .configuration(Arguments.parse("--tensor-model-parallel-size 2"))
                        .layout()
                        .tensor())
                .isEqualTo(2);
    }

    @Test
    void takes_the_last_command_that_trains() throws Exception {
        String script = "python a.py" + MODEL + "--swiglu\npython b.py" + MODEL.replace("layers 4", "layers 6")
                + "\npython c.py --num-workers 3\n# --num-layers 9\n";
        assertThat(configuration(script).model().layers()).isEqualTo(6);
        assertThat(configuration(script).model().feedForward().gated()).isFalse();
    }

    @Test
    void reads_arguments_that_another_script_will_use() throws Exception {
        assertThat(configuration("ARGS='" + MODEL + "'").model().layers()).isEqualTo(4);
        assertThat(configuration("bash -c \"python a.py" + MODEL + "\"").model().layers())
                .isEqualTo(4);
    }

    @Test
    void reads_a_command_that_shells_hand_on_but_not_without_end() throws Exception {
        assertThat(configuration("ssh node \"cd x && bash -c 'python a.py" + MODEL + "'\"")
                        .model()
                        .layers())
                .isEqualTo(4);
        // Each is a word that holds itself, as it stands or once expanded.
        for (String script : List.of("--=( --s", "x=(' --s", "echo \"$(( $(( --s", "echo ${a:-( --s")) {
            assertThat(Arguments.parse(script).values()).as(script).doesNotContainKey("num-layers");
        }
        assertThat(EstimateInput.read("a: 1\n# --=( --s\n").notes(NOTHING)).isNotEmpty();
    }

    @Test
    void tells_what_is_quoted_too_deeply_instead_of_reading_it() {
        assertThat(Arguments.parse("--=( --s").unknown().values())
                .extracting(ShellWord.Unknown::reason)
                .containsExactly(ShellWord.Reason.BEYOND);
    }

    /** Each command doubles what the next one quotes: a gigabyte, if anybody read it all. */
    @Test
    void reads_no_more_of_quoted_commands_than_a_script_has_room_for() {
        StringBuilder script = new StringBuilder("A='y --a b " + "z ".repeat(30_000) + "'\n");
        script.append("run \"sh -c '$A $A'\" \"sh -c '$A $A'\"\n".repeat(5_000));
        assertThat(Arguments.parse(script.toString()).values()).containsEntry("a", "b");
    }

    @Test
    void lets_a_switch_take_no_stray_word() throws Exception {
        assertThat(Arguments.parse("--bf16 train.py --swiglu false --recompute-modules core_attn mlp --x")
                        .values())
                .isEqualTo(
                        Map.of("bf16", "true", "swiglu", "false", "recompute-modules", "core_attn mlp", "x", "true"));
        assertThat(Arguments.parse("--moe-layer-freq ([0]*1+[1]*3) --bf16").values())
                .isEqualTo(Map.of("moe-layer-freq", "([0]*1+[1]*3)", "bf16", "true"));
    }

    /** Each is refused by Megatron-LM's validate_args, TransformerConfig or interleaved schedule. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--world-size 4 --data-parallel-size 3 | --data-parallel-size 3 contradicts 4 devices",
                "--expert-model-parallel-size 2 | --expert-model-parallel-size 2 needs --num-experts",
                "--num-experts 4 --moe-router-topk 5 | chooses more experts",
                "--num-experts 6 --expert-model-parallel-size 3 --world-size 4 | 4 devices are no multiple of expert",
                "--num-experts 4 --expert-model-parallel-size 2 --bf16 false --fp16 | not supported with --fp16",
                "--fp16 | --bf16 and --fp16 exclude each other",
                "--global-batch-size 3 --world-size 2 | --global-batch-size 3 is not divisible by",
                "--num-layers-per-virtual-pipeline-stage 2 | need --pipeline-model-parallel-size above 1",
                "--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2 --global-batch-size 3 | 3 micro-batches cannot be interleaved",
                "--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2 --no-overlap-p2p-communication | need --pipeline-model-parallel-size above 2",
                "--num-layers 12 --pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 4 | is not divisible by --num-layers-per-virtual-pipeline-stage 4",
                "--num-layers 12 --pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 4 | is not divisible by --num-virtual-stages-per-pipeline-rank 4",
                "--seq-length 12 --context-parallel-size 4 | no multiple of 2 × --context-parallel-size 4",
                "--seq-length 64 | longer than --max-position-embeddings 32",
                "--recompute-granularity partial | 'partial' is none of",
                "--recompute-granularity full --recompute-method blocks | 'blocks' is none of",
                "--recompute-granularity selective --recompute-modules core_attn mpl | 'mpl' is none of",
                "--recompute-granularity selective --recompute-method block | goes with --recompute-granularity full only"
            })
    void refuses_what_megatron_refuses(String more, String reported) {
        assertThatThrownBy(() -> configuration("python pretrain_gpt.py" + MODEL + more))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reported);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--recompute-granularity full | Megatron-LM wants --recompute-method",
                "--recompute-granularity full --recompute-method block --recompute-num-layers 9 | 9 is more than the 4 layers",
                "--num-query-groups 2 | changes nothing without --group-query-attention",
                "--recompute-modules mlp | changes nothing without --recompute-granularity selective"
            })
    void notes_what_megatron_ignores_or_asks_for(String more, String reported) throws Exception {
        EstimateInput input = EstimateInput.read("python pretrain_gpt.py" + MODEL + more);
        assertThat(input.configuration(NOTHING).model().attention().groups()).isEqualTo(4);
        assertThat(input.notes(NOTHING).stream().map(note -> note.text(Locale.ROOT)))
                .singleElement()
                .asString()
                .contains(reported);
    }

    @Test
    void groups_of_micro_batches_may_end_with_one_for_each_stage() throws Exception {
        String interleaved = "python pretrain_gpt.py" + MODEL
                + "--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 2 --global-batch-size 5"
                + " --microbatch-group-size-per-virtual-pipeline-stage ";
        assertThat(configuration(interleaved + 3).layout().virtual()).isEqualTo(2);
        assertThat(new PipelineSchedule(configuration(interleaved + 3))
                        .inFlight(0)
                        .value())
                .isEqualTo(3.0);
        assertThat(new PipelineSchedule(configuration(interleaved + 3))
                        .inFlight(1)
                        .value())
                .isEqualTo(2.0);
        assertThatThrownBy(() -> configuration(interleaved + 4)).isInstanceOf(RefusedException.class);
    }

    @Test
    void what_overrides_takes_its_counterpart_away() throws Exception {
        EstimateInput input = EstimateInput.read("python pretrain_gpt.py" + MODEL
                + "--world-size 4 --recompute-granularity full --recompute-method uniform --recompute-num-layers 1");
        for (String more : List.of("--fp16", "--recompute-granularity selective", "--data-parallel-size 2")) {
            assertThat(input.configuration(Arguments.parse(more)).model().layers())
                    .isEqualTo(4);
        }
        assertThat(input.configuration(Arguments.parse("--data-parallel-size 2"))
                        .layout()
                        .data())
                .isEqualTo(2);
    }
}
