package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.FULL;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.advice;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.cuda;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.remedy;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a ninth pair of readers' logs brought up, in words of our own. */
class NinthReadersTest {
    private static final String TRAIN = "  File \"train.py\", line 3, in <module>\n    trainer.train()\n";

    @Nested
    class what_is_printed {
        @Test
        void to_the_hundredth_of_a_mib_is_rounded_by_no_more() {
            Diagnosis d = one(TRAIN + cuda("270.00 MiB", "23.65 GiB", "208.06 MiB", "22.87 GiB", "6.23 MiB"));
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(said(d)).doesNotContain("rounded by about");
            Diagnosis older = one(
                    "RuntimeError: CUDA out of memory. Tried to allocate 1.02 GiB (GPU 0; 21.50 GiB total "
                            + "capacity; 20.00 GiB already allocated; 1.00 GiB free; 20.01 GiB reserved in total by PyTorch)\n");
            assertThat(said(older)).contains("rounded by about");
        }

        @Test
        void in_a_forum_s_bold_letters_is_read_without_them() {
            String bold =
                    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 318.00 MiB. GPU 0 has a total "
                            + "capacity of 6.00 GiB of which **0 bytes** is free. Including non-PyTorch memory, this process has "
                            + "**5.90 GiB** memory in use. Of the allocated memory **5.00 GiB** is allocated by PyTorch, and "
                            + "271.88 MiB is reserved by PyTorch but unallocated.\n";
            assertThat(one(bold).report().amounts())
                    .isEqualTo(one(bold.replace("**", "")).report().amounts());
            assertThat(one(bold).report().allocatedBytes()).hasValue(5L << 30);
        }

        @Test
        void as_a_power_keeps_its_stars() {
            Diagnosis d =
                    one("numpy.core._exceptions._ArrayMemoryError: Unable to allocate 8.00 GiB for an array with shape "
                            + "(2**30,) and data type float64 **kwargs\n");
            assertThat(d.report().text() + d.report().context().lines()).contains("(2**30,)");
        }

        @Test
        void as_a_shape_is_what_was_asked_for() {
            Diagnosis d =
                    one("ResourceExhaustedError: OOM when allocating tensor with shape[100,400,400,512] and type float "
                            + "on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n");
            assertThat(said(d)).doesNotContain("give: tried").contains("give: total");
            assertThat(ids(d)).doesNotContain("tf-async");
        }
    }

    @Nested
    class others_on_the_device {
        private static String beside(String others, String unallocated) {
            return TRAIN
                    + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 500.00 MiB. GPU 0 has a total capacity "
                    + "of 22.00 GiB of which 10.00 MiB is free. " + others
                    + "Including non-PyTorch memory, this process has 17.00 GiB memory in use. Of the allocated memory "
                    + "15.50 GiB is allocated by PyTorch, and " + unallocated
                    + " is reserved by PyTorch but unallocated.\n";
        }

        @Test
        void that_were_started_one_after_the_other_are_likely_ranks_of_the_job() {
            StringBuilder ranks = new StringBuilder();
            String fewer = "Process 3423 has 0 bytes memory in use. Process 3425 has 0 bytes memory in use. "
                    + "Process 3427 has 0 bytes memory in use. ";
            for (int pid = 3423; pid < 3430; pid++) {
                ranks.append("Process ").append(pid).append(" has 0 bytes memory in use. ");
            }
            Diagnosis d =
                    one(TRAIN + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 130.00 MiB. GPU 0 has a "
                            + "total capacity of 79.00 GiB of which 12.00 MiB is free. " + ranks
                            + "Of the allocated memory 10.00 GiB is allocated by PyTorch, and 93.00 MiB is reserved by PyTorch but "
                            + "unallocated.\n");
            assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(ids(d)).contains("own-device").doesNotContain("stop-others");
            assertThat(advice(d)).contains("7 other processes whose numbers follow one another");
            Diagnosis strangers =
                    one(TRAIN + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 130.00 MiB. GPU 0 has "
                            + "a total capacity of 79.00 GiB of which 12.00 MiB is free. " + fewer
                            + "Of the allocated memory 500.00 MiB is allocated by PyTorch, and 9.00 MiB is reserved by PyTorch but "
                            + "unallocated.\n");
            assertThat(ids(strangers)).contains("stop-others").doesNotContain("own-device");
        }

        @Test
        void with_more_than_lies_in_pieces_are_ended_first() {
            Diagnosis d = one(beside("Process 43872 has 4.97 GiB memory in use. ", "1.20 GiB"));
            assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
            assertThat(ids(d)).startsWith("stop-others");
            assertThat(advice(d)).doesNotContain("memory is not short");
        }

        @Test
        void hold_what_the_message_lists() {
            Diagnosis d = one(beside("Process 43872 has 4.97 GiB memory in use. ", "1.20 GiB"));
            assertThat(remedy(d, "stop-others").gainBytes()).hasValue(497L * (1L << 30) / 100);
        }
    }

    @Test
    void among_the_processes_that_are_listed_may_be_this_one() {
        Diagnosis d = one(TRAIN
                + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 76.00 MiB. GPU 0 has a total capacity "
                + "of 14.74 GiB of which 42.19 MiB is free. Process 21219 has 284.00 MiB memory in use. Process 21222 has 3.40 GiB "
                + "memory in use. Process 21216 has 11.03 GiB memory in use. Of the allocated memory 10.59 GiB is allocated by "
                + "PyTorch, and 42.18 MiB is reserved by PyTorch but unallocated.\n");
        assertThat(remedy(d, "stop-others").gainBytes()).hasValue((284L << 20) + Math.round(3.40 * (1L << 30)));
    }

    @Nested
    class the_work {
        @Test
        void of_an_evaluation_that_gathers_is_no_matter_of_lengths() {
            Diagnosis d = one("  File \"transformers/trainer_pt_utils.py\", line 88, in torch_pad_and_concatenate\n"
                    + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 13.00 GiB (GPU 0; 40.00 GiB total "
                    + "capacity; 18.00 GiB already allocated; 12.00 GiB free; 26.00 GiB reserved in total by PyTorch) If "
                    + "reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.\n");
            assertThat(ids(d)).startsWith("smaller-evaluation").doesNotContain("bucket-lengths");
            assertThat(advice(d)).doesNotContain("memory is not short");
        }

        @Test
        void of_one_camera_a_step_has_no_batch() {
            Diagnosis d = one("  File \"/home/me/gaussian-splatting/scene/gaussian_model.py\", line 4, in densify\n"
                    + TRAIN + FULL);
            assertThat(ids(d)).contains("smaller-samples").doesNotContain("smaller-micro-batch", "bucket-lengths");
        }

        @Test
        void that_is_sharded_already_is_not_told_to_be() {
            assertThat(ids(one(TRAIN + FULL))).contains("shard");
            assertThat(ids(one("see fully_sharded_data_parallel.py for how it would help\n" + TRAIN + FULL)))
                    .contains("shard");
            assertThat(ids(one("  File \"/x/torch/distributed/fsdp/_fully_shard/_state.py\", line 2, in forward\n"
                            + TRAIN + FULL)))
                    .doesNotContain("shard");
            assertThat(ids(one("  KeyError: '_fsdp_wrapped_module.layers.0'\n" + TRAIN + FULL)))
                    .doesNotContain("shard");
        }

        @Test
        void in_half_precision_already_is_not_told_to_be() {
            assertThat(ids(one(TRAIN + "  File \"/opt/parlai/utils/fp16.py\", line 9, in backward\n" + FULL)))
                    .doesNotContain("mixed-precision");
        }

        @Test
        void that_failed_in_its_backward_pass_does_not_validate() {
            assertThat(ids(one(TRAIN + "    loss.backward()\n" + FULL))).doesNotContain("no-grad");
            assertThat(ids(one(TRAIN + FULL))).as("nothing tells a validation").doesNotContain("no-grad");
            String validates = "  File \"/x/mine.py\", line 9, in validation_step\n";
            assertThat(ids(one(TRAIN + validates + FULL))).contains("no-grad");
            assertThat(ids(one(
                            TRAIN + "  File \"/x/_contextlib.py\", line 1, in decorate_context\n" + validates + FULL)))
                    .doesNotContain("no-grad");
        }

        @Test
        void with_a_batch_of_one_by_somebody_s_words() {
            assertThat(ids(one("The batch size is already 1.\n" + TRAIN + FULL)))
                    .doesNotContain("smaller-micro-batch");
            for (String prose : List.of(
                    "If the batch size is already 1, reduce the resolution instead.",
                    "My batch size is only one of the knobs.",
                    "the global batch size is already 1,024")) {
                assertThat(ids(one(prose + "\n" + TRAIN + FULL))).as(prose).contains("smaller-micro-batch");
            }
        }

        @Test
        void is_not_made_smaller_where_hundreds_of_times_as_much_was_free() {
            Diagnosis d = one(
                    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 128.00 MiB (GPU 0; 45.00 GiB "
                            + "total capacity; 6.00 GiB already allocated; 37.00 GiB free; 6.00 GiB reserved in total by PyTorch)\n");
            assertThat(ids(d)).startsWith("hidden-limit").doesNotContain("smaller-micro-batch");
            Diagnosis capped = one(
                    "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 79.15 GiB total capacity; "
                            + "23.10 GiB already allocated; 55.00 GiB free; 23.75 GiB allowed; 23.74 GiB reserved in total by PyTorch)\n");
            assertThat(ids(capped)).contains("smaller-micro-batch");
            Diagnosis full = one(TRAIN + cuda("2.00 MiB", "79.15 GiB", "563.20 MiB", "78.00 GiB", "358.40 MiB"));
            assertThat(ids(full)).isNotEmpty();
        }
    }

    @Test
    void an_evaluation_that_is_past_takes_no_advice_away() {
        Diagnosis d = one("[INFO] evaluation phase finished: accuracy 0.91\n    loss = model(x)\n"
                + cuda("1.00 GiB", "24.00 GiB", "50.00 MiB", "15.00 GiB", "8.10 GiB"));
        assertThat(ids(d)).startsWith("expandable-segments").doesNotContain("smaller-evaluation");
    }

    @Test
    void large_blocks_are_not_kept_whole_for_small_pieces_on_a_full_card() {
        Diagnosis d = one(
                TRAIN + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 6.00 GiB "
                        + "total capacity; 5.24 GiB already allocated; 0 bytes free; 5.29 GiB reserved in total by PyTorch) If reserved "
                        + "memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.\n");
        assertThat(ids(d)).doesNotContain("max-split-size");
    }

    @Nested
    class the_host {
        @Test
        void that_was_short_of_weights_needs_no_fewer_loaders() {
            Diagnosis d = one("Loading checkpoint shards:   0% 0/2 [00:00<?, ?it/s]\n"
                    + "subprocess.CalledProcessError: Command '['python3', '-m', 'autotrain.trainers.clm']' died with "
                    + "<Signals.SIGKILL: 9>.\n");
            assertThat(ids(d)).doesNotContain("host-workers").contains("host-pieces");
        }

        @Test
        void that_was_short_of_samples_needs_fewer_loaders() {
            Diagnosis d = one(
                    "  File \"torch/utils/data/_utils/fetch.py\", line 51, in fetch\n"
                            + "  File \"data.py\", line 9, in __getitem__\n    sample = torch.load(self.files[index])\n"
                            + "RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate 500000000 bytes.\n");
            assertThat(ids(d)).startsWith("host-workers");
        }

        @Test
        void of_a_container_counts_only_what_runs_in_it() {
            Diagnosis d = one("    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n"
                    + "    Restart Count:  3\n");
            assertThat(commands(d)).contains("kubectl top pod POD --containers").noneMatch(c -> c.startsWith("ps "));
            Diagnosis docker = one("        \"OOMKilled\": true,\n        \"ExitCode\": 137,\n");
            assertThat(commands(docker)).contains("docker stats --no-stream", "docker run --memory=SIZE …");
        }
    }

    @Nested
    class a_server {
        @Test
        void that_gave_its_devices_to_stages_has_none_for_tensors() {
            String failed =
                    "vllm serve m --pipeline-parallel-size %s\nValueError: No available memory for the cache blocks. Try "
                            + "increasing `gpu_memory_utilization` when initializing the engine.\n";
            assertThat(commands(one(failed.formatted("2")))).noneMatch(c -> c.contains("tensor-parallel-size"));
            assertThat(commands(one(failed.formatted("1")))).anyMatch(c -> c.contains("tensor-parallel-size"));
        }

        @Test
        void whose_engine_was_given_its_weights_tried_nothing_out() {
            String line =
                    "trtllm-build --checkpoint_dir c\n[TRT] [E] 2: [%s.cpp::makeResizableGpuMemory::433] Error Code 2: OutOfMemory (no further "
                            + "information)\n[TRT] [W] Requested amount of GPU memory (24794633472 bytes) could not be allocated.\n";
            assertThat(all(line.formatted("globWriter")))
                    .isNotEmpty()
                    .allSatisfy(d -> assertThat(ids(d)).doesNotContain("engine-workspace"));
            assertThat(all(line.formatted("tactic")))
                    .anySatisfy(d -> assertThat(ids(d)).contains("engine-workspace"));
        }

        @Test
        void of_pictures_loads_onto_one_card() {
            Diagnosis d =
                    one("return t.to(device, dtype)\n" + FULL + "Stable diffusion model failed to load, exiting\n");
            assertThat(ids(d)).doesNotContain("load-sharded");
        }
    }
}
