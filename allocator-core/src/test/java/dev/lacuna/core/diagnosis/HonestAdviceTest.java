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
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What would send a reader the wrong way, as logs from the field showed it: shapes of theirs, with texts of our own. */
class HonestAdviceTest {
    private static final String TORCH = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 700.00 MiB."
            + " GPU 0 has a total capacity of 20.00 GiB of which 600.00 MiB is free. Of the allocated memory 18.00 GiB"
            + " is allocated by PyTorch, and 900.00 MiB is reserved by PyTorch but unallocated.\n";

    @Nested
    class a_process_that_was_killed {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "loading the weights\nKilled\n",
                    "RuntimeError: DataLoader worker (pid 31) is killed by signal: Killed.\n",
                    "level=ERROR msg=\"llama runner terminated\" error=\"signal: killed\"\n"
                })
        void is_most_likely_the_hosts_memory_and_nobody_is_sure(String log) {
            Diagnosis d = one(log);
            assertThat(d.report().isOfHost()).isTrue();
            assertThat(d.confidence()).isEqualTo(Confidence.LOW);
            assertThat(said(d)).contains("signal 9").doesNotContain("ran out, not the device");
        }

        @Test
        void after_a_failure_that_was_printed_says_nothing_more() {
            assertThat(one(TORCH + "Killed\n").report().isOfHost()).isFalse();
        }

        @ParameterizedTest
        @ValueSource(strings = {"Killed by the user\n", "the job was Killed\n", "Killed: 9 lives\n"})
        void is_not_meant_by_the_word_alone(String log) {
            assertThat(all(log)).isEmpty();
        }

        @Test
        void by_a_control_groups_limit_is_told_by_the_kernels_call_trace() {
            String trace = "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
                    + "Call Trace:\n dump_stack+0x6d/0x8b\n out_of_memory+0x109/0x510\n";
            assertThat(one(trace).cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(one(trace + " mem_cgroup_out_of_memory+0xbb/0xd0\n").cause())
                    .isEqualTo(Cause.LIMIT);
        }
    }

    @Nested
    class a_server {
        @Test
        void that_found_the_device_in_use_was_crowded_out_by_others() {
            Diagnosis d = one("ValueError: Free memory on device (9.00/80.00 GiB) on startup is less than desired GPU"
                    + " memory utilization (0.9, 72.0 GiB).\n");
            assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
            assertThat(ids(d)).startsWith("stop-others").doesNotContain("vllm-utilisation");
            assertThat(said(d)).contains("71.00 GiB of 80.00 GiB were in use before");
        }

        @Test
        void that_found_a_little_too_little_may_take_a_smaller_share() {
            Diagnosis d = one("ValueError: Free memory on device (60.00/80.00 GiB) on startup is less than desired GPU"
                    + " memory utilization (0.9, 72.0 GiB).\n");
            assertThat(commands(d)).contains("--gpu-memory-utilization 0.74");
        }

        @ParameterizedTest
        @CsvSource({
            "256 prefill tokens,--max-batch-prefill-tokens 128",
            "9000 total tokens with 2 prefill tokens,--max-batch-total-tokens 4500"
        })
        void is_told_fewer_tokens_than_it_could_not_handle(String tokens, String command) {
            assertThat(commands(one("Server error: Not enough memory to handle " + tokens + ". Decrease it\n")))
                    .contains(command);
        }

        @Test
        void is_known_by_its_loggers_prefix() {
            Diagnosis d = one("ERROR 01-02 03:04:05 [engine.py:160] " + TORCH);
            assertThat(ids(d)).contains("vllm-utilisation").doesNotContain("smaller-micro-batch", "bucket-lengths");
        }

        @Test
        void whose_ranks_all_say_the_same_at_once_has_no_first_to_fail() {
            String line = "RuntimeError: CUDA out of memory occurred when warming up sampler with 8 dummy requests.\n";
            OomLog log = OomLogReader.read("(VllmWorker rank=7 pid=1) ERROR 03-16 06:12:38 [a.py:3] " + line
                    + "(VllmWorker rank=0 pid=2) ERROR 03-16 06:12:38 [a.py:3] " + line);
            assertThat(log.reports()).hasSize(2);
            assertThat(Rules.judge(new Run(List.of(new JudgedLog("log", log, new Diagnoser().diagnose(log))))))
                    .isEmpty();
        }

        @Test
        void out_of_slots_is_not_told_of_shares_of_memory() {
            Diagnosis d = one("RuntimeError: alloc_req_slots runs out of memory. Please set a smaller number\n");
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(commands(d)).noneMatch(c -> c.contains("mem-fraction"));
        }
    }

    @Nested
    class llama_cpp {
        private static final String FAILED =
                "E ggml_backend_cuda_buffer_type_alloc_buffer: allocating 5000.00 MiB on device 1: cudaMalloc failed: out"
                        + " of memory\nE ggml_gallocr_reserve_n_impl: failed to allocate CUDA1 buffer of size 5242880000\n";

        @Test
        void that_plans_again_and_goes_on_has_not_failed() {
            assertThat(
                            said(
                                    one(
                                            FAILED
                                                    + "W sched_reserve: compute buffer allocation failed, retrying without pipeline parallelism\n")))
                    .contains("no failure");
            assertThat(said(one(FAILED))).doesNotContain("no failure");
        }

        @Test
        void is_known_by_its_source_wherever_that_lies() {
            assertThat(one("CUDA error 2 at /tmp/pip-install-a/vendor/llama.cpp/ggml-cuda.cu:781: out of memory\n")
                            .report()
                            .framework()
                            .id())
                    .isEqualTo("llama.cpp-cuda");
        }

        @Test
        void speaks_through_ollama() {
            assertThat(one("Error: llama runner process has terminated: CUDA error: out of memory\n")
                            .report()
                            .framework()
                            .id())
                    .isEqualTo("llama.cpp-cuda");
        }

        @Test
        void short_of_the_hosts_memory_may_move_layers_to_the_device() {
            assertThat(said(one("Error: model requires more system memory (30.0 GiB) than is available (20.0 GiB)\n")))
                    .contains("only layers that move there")
                    .doesNotContain("nothing on the device would help");
        }
    }

    @Nested
    class figures {
        @Test
        void that_exceed_the_whole_device_are_capacity_though_free_is_not_printed() {
            Diagnosis d = one("torch.OutOfMemoryError: XPU out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total"
                    + " capacity of 8.00 GiB. Of the allocated memory 7.50 GiB is allocated by PyTorch, and 0 bytes is"
                    + " reserved by PyTorch but unallocated.\n");
            assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
            assertThat(DiagnosisText.render(Locale.ENGLISH, d.headline())).contains("512 MiB");
        }

        @Test
        void beyond_every_device_are_a_wrong_number() {
            assertThat(ids(one(
                            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate more than 1EB memory.\n")))
                    .containsExactly("check-size");
        }

        @Test
        void that_meet_a_printed_cap_send_nobody_after_other_processes() {
            Diagnosis d = one(
                    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB. GPU 0 has a total"
                            + " capacity of 80.00 GiB of which 70.00 GiB is free. 1.05 GiB allowed; Of the allocated memory"
                            + " 1017.00 MiB is allocated by PyTorch, and 55.00 MiB is reserved by PyTorch but unallocated.\n");
            assertThat(ids(d)).startsWith("raise-limit").doesNotContain("stop-others");
        }

        @Test
        void of_an_empty_pool_leave_nothing_to_swap() {
            Diagnosis d = one("RuntimeError: Current platform can NOT allocate memory block with size larger than 4GB!"
                    + " Tried to allocate 5.00 GiB (GPU 0; 15.00 GiB total capacity; 0 bytes already allocated; 0 bytes"
                    + " reserved in total by PyTorch)\n");
            assertThat(ids(d)).startsWith("split-request").doesNotContain("swap", "recompute");
        }
    }

    @Nested
    class who_reads {
        @Test
        void in_comfyui_turns_its_own_switch() {
            Diagnosis d = one("  File \"C:\\ComfyUI\\comfy\\ops.py\", line 3, in f\n"
                    + "torch.OutOfMemoryError: Allocation on device \n\nGot an OOM, unloading all loaded models.\n");
            assertThat(commands(d)).contains("--disable-cuda-malloc").noneMatch(c -> c.contains("ALLOC_CONF"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "  File \"F:\\SD\\webui\\modules\\a.py\", line 3, in load_model\n",
                    "  File \"/app/wgp.py\", line 3, in generate_video\n"
                })
        void what_only_makes_pictures_trains_nothing(String where) {
            assertThat(ids(one(where + "RuntimeError: CUDA error: out of memory\n")))
                    .doesNotContain("smaller-micro-batch", "fraction");
        }

        @ParameterizedTest
        @CsvSource({"/home/me,true", "C:\\me,false"})
        void on_windows_is_not_sent_to_segments_that_cannot_expand_there(String home, boolean upgrade) {
            Diagnosis d =
                    one("  File \"" + home + "\", line 3, in f\nRuntimeError: CUDA out of memory. Tried to allocate"
                            + " 200.00 MiB (GPU 0; 12.00 GiB total capacity; 9.00 GiB already allocated; 0 bytes free; 11.00 GiB"
                            + " reserved in total by PyTorch)\n");
            assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
            assertThat(ids(d).contains("upgrade")).isEqualTo(upgrade);
        }

        @Test
        void a_message_of_pytorch_before_its_fraction_existed() {
            assertThat(ids(one(
                            "RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/a.cu:25\n")))
                    .doesNotContain("fraction");
        }

        @Test
        void only_the_advice_that_hip_adds_to_its_error() {
            assertThat(one("Search for `hipErrorOutOfMemory' in the runtime's documentation.\n")
                            .report()
                            .framework()
                            .id())
                    .isEqualTo("pytorch-rocm");
            assertThat(
                            all(
                                    "torch.AcceleratorError: HIP error: out of memory\nSearch for `hipErrorOutOfMemory' in it.\n"))
                    .hasSize(1);
        }

        @Test
        void nccls_own_shared_memory_is_not_the_loaders() {
            assertThat(said(one("misc/shmutils.cc:112 NCCL WARN Error while creating shared memory segment"
                            + " /dev/shm/nccl-a1 (size 5967872)\n")))
                    .contains("NCCL")
                    .doesNotContain("data loaders");
        }

        @Test
        void dask_ends_a_worker_by_a_limit_of_its_own() {
            Diagnosis d = one("distributed.nanny - WARNING - Worker exceeded 95% memory budget. Restarting\n");
            assertThat(d.cause()).isEqualTo(Cause.LIMIT);
            assertThat(said(d)).contains("Dask ended a worker").doesNotContain("container");
            assertThat(ids(d)).startsWith("dask-memory");
        }
    }
}
