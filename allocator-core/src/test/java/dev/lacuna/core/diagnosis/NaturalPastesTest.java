package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people paste when memory has run out: classes of messages and situations that readers with fresh eyes met, in words of our own. */
class NaturalPastesTest {
    private static String heading(Diagnosis diagnosis) {
        return DiagnosisText.heading(Locale.ENGLISH, diagnosis);
    }

    private static String old(String tried, String total, String allocated, String free, String reserved) {
        return "RuntimeError: CUDA out of memory. Tried to allocate " + tried + " (GPU 0; " + total
                + " total capacity; "
                + allocated + " already allocated; " + free + " free; " + reserved
                + " reserved in total by PyTorch)\n";
    }

    @Nested
    class two_failures_of_one_server {
        private static final String LARGER =
                "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when"
                        + " initializing the engine.\n";
        private static final String SMALLER =
                "ValueError: Free memory on device (30.0/48.0 GiB) on startup is less than"
                        + " desired GPU memory utilization (0.9, 43.2 GiB). Decrease it.\n";

        @Test
        void that_ask_for_opposite_things_are_never_one() {
            for (String between : List.of("", "then I tried again\n".repeat(20))) {
                assertThat(all(LARGER + between + SMALLER))
                        .extracting(Diagnosis::cause)
                        .containsExactly(Cause.LIMIT, Cause.OUTSIDE_THE_POOL);
                assertThat(all(SMALLER + between + LARGER))
                        .extracting(Diagnosis::cause)
                        .containsExactly(Cause.OUTSIDE_THE_POOL, Cause.LIMIT);
            }
        }

        @Test
        void that_say_the_same_are_one() {
            assertThat(all("INFO Available KV cache memory: -1.25 GiB\n" + LARGER))
                    .hasSize(1);
        }
    }

    @Nested
    class a_full_device {
        @ParameterizedTest
        @CsvSource({
            "2.00 MiB,10.00 GiB,9.20 GiB,3.10 MiB,9.40 GiB",
            "20.00 MiB,24.00 GiB,22.60 GiB,41.00 MiB,23.10 GiB",
            "180.00 MiB,24.00 GiB,22.10 GiB,190.00 MiB,22.80 GiB",
        })
        void whose_last_mib_are_free_had_no_room(
                String tried, String total, String allocated, String free, String reserved) {
            Diagnosis d = one(old(tried, total, allocated, free, reserved));
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(said(d)).contains("The device is full").doesNotContain("had room", "below the framework");
            assertThat(ids(d)).startsWith("smaller-micro-batch").doesNotContain("hidden-limit", "stop-others");
        }

        @Test
        void is_told_from_one_that_others_fill() {
            Diagnosis d = one(old("20.00 MiB", "24.00 GiB", "2.00 GiB", "30.00 MiB", "2.20 GiB"));
            assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(ids(d)).startsWith("stop-others");
        }

        @Test
        void is_no_matter_of_a_gap_that_serves_no_small_request() {
            Diagnosis d = one(old("2.00 MiB", "16.00 GiB", "14.60 GiB", "1.50 MiB", "15.20 GiB"));
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(said(d)).contains("cannot serve it").doesNotContain("would have fitted in one piece");
            Diagnosis large = one(old("2.00 MiB", "16.00 GiB", "11.00 GiB", "1.50 MiB", "15.20 GiB"));
            assertThat(large.cause())
                    .as("a gap above the threshold is fragmentation whatever was asked for")
                    .isEqualTo(Cause.FRAGMENTATION);
        }

        @Test
        void is_headed_so_where_a_small_gap_decided_one_request() {
            Diagnosis d = one(old("40.00 MiB", "12.00 GiB", "11.00 GiB", "10.00 MiB", "11.20 GiB"));
            assertThat(d.cause()).as("the contract's rule").isEqualTo(Cause.FRAGMENTATION);
            assertThat(d.runnerUp()).hasValue(Cause.CAPACITY);
            assertThat(heading(d)).isEqualTo("nearly full");
            assertThat(ids(d)).startsWith("smaller-micro-batch");
            Diagnosis clear = one(old("3.00 GiB", "24.00 GiB", "17.00 GiB", "1.00 GiB", "21.00 GiB"));
            assertThat(heading(clear)).isEqualTo("fragmentation");
        }

        @Test
        void with_little_more_outside_than_usual_sends_nobody_after_others_first() {
            Diagnosis d = one(old("700.00 MiB", "32.00 GiB", "30.10 GiB", "40.00 MiB", "30.50 GiB"));
            assertThat(d.cause()).as("the contract's rule").isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(d.confidence()).isEqualTo(Confidence.LOW);
            assertThat(heading(d)).isEqualTo("nearly full");
            assertThat(ids(d)).startsWith("smaller-micro-batch").endsWith("stop-others");
        }

        @Test
        void whose_total_was_lost_is_less_sure_of_pieces() {
            Diagnosis d = one(old("30.00 MiB", "6.00 GiBx", "4.90 GiB", "0 bytes", "5.10 GiB"));
            assertThat(d.report().totalBytes()).isEmpty();
            assertThat(d.confidence()).isNotEqualTo(Confidence.HIGH);
            assertThat(ids(d)).startsWith("smaller-micro-batch");
        }

        @Test
        void that_one_process_holds_by_its_number_on_the_host_has_no_others() {
            Diagnosis d =
                    one("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 150.00 MiB. GPU 0 has a total"
                            + " capacity of 80.00 GiB of which 90.00 MiB is free. Process 4242 has 79.80 GiB memory in use. Of the"
                            + " allocated memory 70.00 GiB is allocated by PyTorch, and 800.00 MiB is reserved by PyTorch but"
                            + " unallocated.\n");
            assertThat(ids(d)).doesNotContain("stop-others");
            assertThat(said(d)).contains("can only be this one");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "CUDA out of memory. Tried to allocate 200.00 MiB.\nGPU 0 has a total capacity of 48.00 GiB of which"
                            + " 120.00 MiB is free. ... this process has 47.70 GiB memory in use ...\n",
                    "I tensorflow/core/common_runtime/bfc_allocator.cc:700] Stats:\nLimit: 10000000000\nInUse: 9960000000\n"
                            + "MaxInUse: 9990000000\nW tensorflow/core/common_runtime/bfc_allocator.cc:275] Ran out of memory"
                            + " trying to allocate 30.00MiB. See logs\n"
                })
        void by_the_processs_own_count_is_capacity(String log) {
            Diagnosis d = one(log);
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(ids(d)).doesNotContain("stop-others");
        }
    }

    @Nested
    class room {
        @Test
        void many_times_what_others_hold_sends_nobody_after_them() {
            Diagnosis d = one(old("4.00 GiB", "24.00 GiB", "6.00 GiB", "15.00 GiB", "6.50 GiB"));
            assertThat(ids(d)).startsWith("hidden-limit").doesNotContain("stop-others");
        }

        @Test
        void that_one_tensor_of_more_than_half_of_it_lacks_is_no_matter_of_pieces() {
            Diagnosis d = one(old("7.00 GiB", "12.00 GiB", "200.00 MiB", "6.90 GiB", "2.50 GiB"));
            assertThat(ids(d)).startsWith("split-request");
            assertThat(d.confidence()).isNotEqualTo(Confidence.HIGH);
            assertThat(said(d)).contains("One request takes 7.00 GiB of the device's 12.00 GiB");
        }
    }

    @Nested
    class a_kill {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Loading shards:  50%|#####     | 1/2 [00:10<00:10, 10.1s/it]Killed\n",
                    "  0%|          | 0/40 [00:00<?, ?it/s]killed\n",
                    " 12%|#   | 5/40 [00:03<00:20,  1.7it/s, loss=0.31]Killed\n",
                    "  0%|          | 0/40 [00:00<?, ?it/s]\rKilled\n",
                    "killed\n",
                    "training-7f9   1/1   Running   0   3h\ncommand terminated with exit code 137\n",
                    "tcmalloc: large alloc 4294967296 bytes == 0x1 @ 0x2\nINFO | KernelRestarter: restarting kernel (1/5)\n"
                })
        void is_recognised_wherever_the_word_was_printed(String log) {
            Diagnosis d = one(log);
            assertThat(d.report().claims()).contains(Claim.KILLED);
            assertThat(d.confidence()).isEqualTo(Confidence.LOW);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "tcmalloc: large alloc 4294967296 bytes == 0x1 @ 0x2\n",
                    "INFO | KernelRestarter: restarting kernel (1/5)\n",
                    "[a, b]killed by the referee\n",
                    "the job was killed\n"
                })
        void is_not_meant_by_half_of_it(String log) {
            assertThat(all(log)).isEmpty();
        }
    }

    @Nested
    class words_without_figures {
        @Test
        void of_mindspore_for_a_kernel_do_not_say_whose_device() {
            Diagnosis d =
                    one("RuntimeError: Malloc for kernel input failed, Memory isn't enough, node:Default/Add-op1\n");
            assertThat(d.report().framework().id()).startsWith("mindspore");
            assertThat(ids(d)).contains("smaller-micro-batch");
            assertThat(commands(d)).noneMatch(c -> c.contains("npu-smi") || c.contains("nvidia-smi"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "    return f(x)\ntorch.OutOfMemoryError\n",
                    "torch.cuda.OutOfMemoryError:\n",
                    "- **Exception:** torch.OutOfMemoryError\n"
                })
        void are_a_failure_where_a_class_stands_alone(String log) {
            assertThat(one(log).report().framework().id()).isEqualTo("pytorch-cuda");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "    except torch.cuda.OutOfMemoryError:\n        retry()\n",
                    "raise torch.OutOfMemoryError\n",
                    "what does torch.OutOfMemoryError mean\n"
                })
        void are_none_in_a_program_or_a_question(String log) {
            assertThat(all(log)).isEmpty();
        }

        @Test
        void are_the_message_that_stands_below_them() {
            assertThat(all("Type: torch.OutOfMemoryError\nMessage: " + Messages.cuda(3, 24, 19, 1, 21) + "\n"))
                    .hasSize(1);
        }

        @Test
        void that_close_a_message_of_rays_are_the_nodes_memory() {
            String closing = "Refer to the documentation on how to address the out of memory issue:"
                    + " https://docs.ray.io/en/latest/x.html. Consider more memory on this node.\n";
            Diagnosis d = one(closing);
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(d.report().isOfHost()).isTrue();
            assertThat(all("(raylet) 0 Workers (tasks / actors) killed due to memory pressure (OOM). " + closing))
                    .isEmpty();
        }

        @Test
        void of_a_first_collective_are_about_devices_of_ranks() {
            Diagnosis d =
                    one("rank: 1, memory allocated: 0\n  File \"a.py\", line 3, in start\n    distributed.barrier()\n"
                            + "RuntimeError: CUDA error: out of memory\n");
            assertThat(ids(d)).startsWith("own-device").contains("stop-others").doesNotContain("fraction");
        }

        @Test
        void of_the_driver_alone_are_no_reason_for_a_smaller_pool() {
            assertThat(ids(one("RuntimeError: CUDA error: out of memory\n"))).doesNotContain("fraction");
            assertThat(ids(one(
                            "ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 2 'out of"
                                    + " memory'\n")))
                    .contains("fraction");
        }

        @Test
        void beside_a_table_of_an_empty_device_lead_there() {
            String row = "|   %d  Tesla V100-SXM2...  On   | 00000000:00:0%d.0 Off |                    0 |\n"
                    + "| N/A   54C    P0   246W / 300W |  %sMiB / 16130MiB |    100%%      Default |\n";
            Diagnosis d = one("| NVIDIA-SMI 450.80.02    Driver Version: 450.80.02    CUDA Version: 11.0     |\n"
                    + String.format(row, 0, 8, "15600") + String.format(row, 1, 9, "    3")
                    + "RuntimeError: CUDA error: out of memory\n");
            assertThat(commands(d)).startsWith("CUDA_VISIBLE_DEVICES=1");
        }
    }

    @Nested
    class a_sum_that_is_printed {
        @Test
        void of_the_hosts_memory_says_what_is_missing() {
            Diagnosis d = one("\"model requires more system memory (9.5 GiB) than is available (7.0 GiB)\"\n");
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(said(d)).contains("2.50 GiB more of the host's memory").doesNotContain("in one piece");
        }

        @Test
        void in_a_table_of_a_compiled_program_is_said() {
            Diagnosis d = one("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4000000000 bytes.\n"
                    + "BufferAssignment OOM Debugging.\nBufferAssignment stats:\n"
                    + "             parameter allocation:    1.00GiB\n"
                    + "              constant allocation:        16B\n"
                    + "        maybe_live_out allocation:    7.00GiB\n"
                    + "     preallocated temp allocation:    3.73GiB\n"
                    + "                 total allocation:   11.73GiB\n");
            assertThat(said(d)).contains("needs 11.73 GiB");
        }

        @Test
        void as_a_shape_is_worked_out() {
            Diagnosis d = one("OOM when allocating tensor with shape[512,64,256,256] and type float on"
                    + " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n");
            assertThat(said(d)).contains("a tensor of 8.00 GiB");
            assertThat(d.report().triedBytes()).as("never a guess").isEmpty();
            assertThat(ids(d)).startsWith("smaller-micro-batch");
        }
    }

    @Nested
    class advice {
        @Test
        void for_xla_is_a_larger_share_since_the_pool_is_capped_either_way() {
            Diagnosis d = one("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 9000000000 bytes.\n");
            assertThat(commands(d)).startsWith("XLA_PYTHON_CLIENT_MEM_FRACTION=0.95");
            assertThat(ids(d)).contains("smaller-micro-batch").doesNotContain("xla-preallocate");
            assertThat(d.remedies().get(0).why().key())
                    .as("nothing tells that JAX runs")
                    .isEqualTo("remedy.xla-fraction.why.if");
            assertThat(ids(one("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 60000000000 bytes.\n")))
                    .as("hardly a device has that")
                    .startsWith("smaller-micro-batch");
            assertThat(ids(one(
                            "export XLA_PYTHON_CLIENT_MEM_FRACTION=0.9\nRESOURCE_EXHAUSTED: Out of memory while trying to"
                                    + " allocate 9000000000 bytes.\n")))
                    .doesNotContain("xla-fraction");
        }

        @Test
        void knows_no_word_of_a_later_pytorch() {
            Diagnosis d =
                    one("python3 train.py\n" + old("40.00 MiB", "12.00 GiB", "11.00 GiB", "10.00 MiB", "11.10 GiB"));
            assertThat(ids(d)).contains("recompute", "swap", "mixed-precision").doesNotContain("optimisation-on");
            assertThat(commands(d))
                    .noneMatch(c -> c.contains("use_reentrant") || c.contains("save_on_cpu"))
                    .contains("torch.cuda.amp.autocast()")
                    .noneMatch(c -> c.contains("torch.autocast"));
        }

        @Test
        void takes_no_option_for_a_crate_of_rusts() {
            Diagnosis d = one("python run.py --batch-size 8\n"
                    + old("3.00 GiB", "24.00 GiB", "17.00 GiB", "1.00 GiB", "21.00 GiB"));
            assertThat(ids(d)).contains("upgrade", "smaller-micro-batch");
        }

        @Test
        void dates_a_message_by_the_class_of_its_exception() {
            String cut = old("40.00 MiB", "12.00 GiB", "11.00 GiB", "10.00 MiB", "11.20 GiB");
            Diagnosis d = one(cut.replace("RuntimeError", "torch.cuda.OutOfMemoryError"));
            assertThat(d.report().form().versions()).isEqualTo("1.10–2.0");
            assertThat(one(cut).report().form().versions()).isEqualTo("1.4–1.9");
        }

        @Test
        void to_a_server_whose_weights_are_loading_names_no_requests() {
            Diagnosis d = one(old("130.00 MiB", "16.00 GiB", "15.50 GiB", "10.00 MiB", "15.60 GiB")
                    + "Error: ShardCannotStart\nERROR text_generation_launcher: Shard 0 failed to start\n");
            assertThat(ids(d)).startsWith("spread").doesNotContain("fewer-requests");
        }

        @Test
        void to_a_constructor_that_copies_weights_names_no_batch() {
            Diagnosis d = one("    model = DistributedDataParallel(model)\n"
                    + old("2.00 GiB", "40.00 GiB", "37.50 GiB", "1.50 GiB", "37.70 GiB"));
            assertThat(ids(d)).doesNotContain("smaller-micro-batch").contains("load-sharded");
        }

        @Test
        void to_a_server_whose_tokens_are_used_up_is_a_larger_share() {
            Diagnosis d = one("RuntimeError: Prefill out of memory. Try to lower your batch size.\n");
            assertThat(commands(d)).noneMatch(c -> c.contains("--mem-fraction-static 0.8"));
        }

        @Test
        void for_pictures_trains_nothing() {
            Diagnosis d = one("  File \"/x/diffusers/models/embeddings.py\", line 3, in forward\n"
                    + Messages.cuda(3, 24, 22, 1, 22) + "\n");
            assertThat(commands(d)).startsWith("pipe.enable_model_cpu_offload()");
            assertThat(ids(d)).doesNotContain("recompute", "delete-loss");
        }

        @Test
        void for_tensorflow_1_knows_no_allocator_of_tensorflow_2() {
            Diagnosis d = one("OOM when allocating tensor with shape[8,8] and type float on"
                    + " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n"
                    + "\t [[{{node a/Conv2D}} = Conv2D[T=DT_FLOAT, padding=\"SAME\"](a, b)]]\n");
            assertThat(ids(d)).doesNotContain("tf-async");
        }
    }
}
