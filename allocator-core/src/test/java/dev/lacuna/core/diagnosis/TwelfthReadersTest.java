package dev.lacuna.core.diagnosis;

import static dev.lacuna.core.diagnosis.DiagnosedLogs.all;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.commands;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.cuda;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.ids;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.one;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.remedy;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.said;
import static dev.lacuna.core.diagnosis.DiagnosedLogs.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a twelfth reader's logs brought up, in words of our own. */
class TwelfthReadersTest {
    private static final String CAPTURE = "Exception: Capture cuda graph failed: ";

    @Test
    void a_message_that_srun_cut_is_read_whole() {
        String log = " 5: [rank5]:   File \"/x/step.py\", line 3, in forward\n"
                + " 5: [rank5]:     y = self.up(x)\n"
                + " 5: [rank5]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total"
                + " capacity of 40.00 GiB of which 1.25 \n"
                + " 5: GiB is free. Including non-PyTorch memory, this process has 38.70 GiB memory in use. Of the allocated"
                + " memory 35.00 GiB is allocated by PyTorch, and 2.50 GiB is reserved by PyTorch but unallocated.\n";
        OomReport report = one(log).report();
        assertThat(report.freeBytes()).hasValue((5L << 30) / 4);
        assertThat(report.allocatedBytes()).hasValue(35L << 30);
        assertThat(report.rank()).hasValue(5);
    }

    @Test
    void a_line_of_another_rank_is_no_piece_of_a_message() {
        String log = " 5: [rank5]:   File \"/x/step.py\", line 3, in forward\n"
                + " 5: [rank5]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total"
                + " capacity of 40.00 GiB of which 1.25 \n"
                + " 2: GiB is free. Of the allocated memory 35.00 GiB is allocated by PyTorch\n";
        assertThat(one(log).report().allocatedBytes()).isEmpty();
    }

    @Test
    void paddles_first_versions_enforced_with_figures() {
        for (String words : List.of(
                "enforce allocating <= available failed, 9663676416 > 2147483648\nat [/p/platform/gpu_info.cc:89]",
                "Enforce failed. Expected allocating <= available, but received allocating:9663676416 >"
                        + " available:2147483648.\nInsufficient GPU memory to allocation. at [/p/gpu_info.cc:262]")) {
            OomReport report =
                    one("paddle.fluid.core.EnforceNotMet: " + words + "\n").report();
            assertThat(report.framework().id()).isEqualTo("paddle");
            assertThat(report.triedBytes()).hasValue(9L << 30);
            assertThat(report.freeBytes()).hasValue(2L << 30);
        }
        assertThat(all("PADDLE_ENFORCE_LE(allocating, available);  // allocating <= available\n"))
                .isEmpty();
    }

    @Test
    void functions_of_one_library_that_tell_of_one_request_are_one_failure() {
        String log = "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 3221225472\n"
                + "alloc_tensor_range: failed to allocate CPU buffer of size 3221225472\n"
                + "llama_model_load: error loading model: unable to allocate CPU buffer\n";
        assertThat(one(log).report().triedBytes()).hasValue(3L << 30);
        String twice = log + "next model\n".repeat(80) + log.replace("3221225472", "6442450944"); // Another request.
        assertThat(all(twice)).hasSize(2);
    }

    @Test
    void what_a_tpu_programs_list_says_belongs_to_the_reservation_before_it() {
        String log =
                "Attempting to reserve 6.00G at the bottom of memory. That was not possible. There are 2.00G free, 0B"
                        + " reserved, and 2.00G reservable.;\nHBM capacity 16.00G:\n       Currently allocated:   13.50G\n\n"
                        + "Total hbm usage >= 20.00G:\n    reserved  512.00M\n    program   6.00G\n";
        Diagnosis d = one(log);
        assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(d.report().totalBytes()).hasValue(16L << 30);
        assertThat(said(d)).doesNotContain("20.00 GiB"); // What lay there before is counted in.
    }

    @Test
    void what_ollama_asks_for_again_with_fewer_layers_is_no_failure() {
        String failed =
                "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 7000.00 MiB on device 0: cudaMalloc failed:"
                        + " out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 7340032000\n";
        String asked = "time=2026-01-02T03:04:05.678Z level=INFO source=runner.go:1 msg=load request=\"{Operation:%s"
                + " Parallel:2 KvSize:16384 GPULayers:20}\"\n";
        for (String operation : List.of("fit", "alloc", "commit")) {
            assertThat(one(failed + asked.formatted(operation)).report().claims())
                    .contains(Claim.NOT_A_FAILURE);
        }
        Diagnosis gaveUp = one(failed + asked.formatted("close"));
        assertThat(gaveUp.report().claims()).doesNotContain(Claim.NOT_A_FAILURE);
        assertThat(commands(gaveUp)).anyMatch(c -> c.startsWith("OLLAMA_")).noneMatch(c -> c.startsWith("--ctx-size"));
    }

    @Test
    void llama_cpp_built_for_amd_speaks_of_cuda() {
        String oom =
                "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: cudaMalloc failed: out of"
                        + " memory\nllama_model_load: error loading model: unable to allocate backend buffer\n";
        assertThat(commands(one("ggml_cuda_init: found 1 ROCm devices:\n" + oom)))
                .contains("rocm-smi --showpids");
        assertThat(commands(one("ggml_cuda_init: found 1 CUDA devices:\n" + oom)))
                .anyMatch(c -> c.startsWith("nvidia-smi"));
    }

    @Test
    void nccl_names_the_device_before_its_warning() {
        String warning = "gpu-a:4711:4733 [%d] include/alloc.h:103 NCCL WARN Cuda failure 2 'out of memory'\n"
                + "gpu-a:4711:4733 [%d] include/alloc.h:206 NCCL WARN Failed to CUDA calloc async 4194304 bytes\n";
        List<Diagnosis> two = all(warning.formatted(0, 0) + warning.formatted(6, 6));
        assertThat(two).extracting(d -> d.report().device().orElse("")).containsExactly("GPU 0", "GPU 6");
        assertThat(two).allMatch(d -> d.report().triedBytes().orElse(0) == 4L << 20);
        OomLog log = OomLogReader.read(
                warning.formatted(0, 0) + warning.formatted(6, 6).replace("4194304", "8"));
        assertThat(Rules.judge(new Run(List.of(new JudgedLog("job.log", log, new Diagnoser().diagnose(log))))))
                .extracting(Finding::id)
                .doesNotContain("first-to-fail"); // All ranks of a collective fail at one step.
        assertThat(one("NCCL WARN Cuda failure 2 'out of memory'\n").report().device())
                .isEmpty();
    }

    @Test
    void a_request_that_a_server_hands_on_in_words_of_its_own_failed_once() {
        String own = "RuntimeError: Not enough memory to handle 8192 prefill tokens. You need to decrease"
                + " `--max-batch-prefill-tokens`\n";
        String log = own + "ERROR text_generation_launcher: Method Warmup encountered an error.\n"
                + "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB (GPU 0; 16.00 GiB total capacity;"
                + " 10.00 GiB already allocated; 2.00 GiB free; 12.50 GiB reserved in total by PyTorch) If reserved memory is >>"
                + " allocated memory try setting max_split_size_mb to avoid fragmentation.\n\n" + own + own;
        Diagnosis d = one(log);
        assertThat(d.report().repeats()).isEqualTo(1);
        assertThat(ids(d)).startsWith("fewer-requests");
        assertThat(commands(d)).startsWith("--max-batch-prefill-tokens 4096");
    }

    @Test
    void sglangs_own_floor_is_the_least_share_that_is_advised() {
        String refused =
                "ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=%s."
                        + " Raise --mem-fraction-static above %s (minimum viable = 1 - available/pre = 0.7).\n";
        Diagnosis d = one(refused.formatted("0.7", "0.784"));
        assertThat(remedy(d, "sglang-larger").command()).contains("--mem-fraction-static 0.82");
        assertThat(text(remedy(d, "sglang-larger").why())).contains("0.784");
        assertThat(ids(one(refused.formatted("0.95", "0.923")))).doesNotContain("sglang-larger");
        assertThat(ids(one(refused.formatted("0.9", "0.972")))).doesNotContain("sglang-larger");
        String bare =
                "ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.92.\n";
        assertThat(commands(one(bare))).contains("--mem-fraction-static 0.95");
    }

    @Test
    void a_decoding_that_found_no_place_is_told_fewer_requests_first() {
        Diagnosis d = one("  File \"/x/sglang/srt/a.py\", line 7, in alloc\n"
                + "RuntimeError: Decode out of memory. Try to lower your batch size.\nTry to allocate 96 tokens.\n");
        assertThat(ids(d)).startsWith("fewer-requests", "sglang-larger");
    }

    @Test
    void what_a_log_shows_to_be_set_is_never_raised() {
        String lmdeploy = "lmdeploy - INFO - TurbomindEngineConfig(session_len=%d, max_batch_size=%d,"
                + " cache_max_entry_count=%s)\nRuntimeError: [TM][ERROR] CUDA runtime error: out of memory /l/allocator.h:9\n";
        assertThat(commands(one(lmdeploy.formatted(32768, 128, "0.8"))))
                .contains("--cache-max-entry-count 0.4", "--max-batch-size 16 --session-len 8192");
        assertThat(commands(one(lmdeploy.formatted(4096, 1, "0.1"))))
                .contains("--session-len 2048")
                .noneMatch(c -> c.contains("entry-count") || c.contains("batch-size"));
        String llama =
                "llama_new_context_with_model: n_ctx      = %d\nllama_new_context_with_model: n_ctx_train = 131072\n"
                        + "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4000.00 MiB on device 0: cudaMalloc failed: out of"
                        + " memory\n";
        assertThat(commands(one(llama.formatted(4096)))).contains("--ctx-size 2048 --ubatch-size 128");
        assertThat(commands(one(llama.formatted(65536)))).contains("--ctx-size 4096 --ubatch-size 128");
        String sglang = "python3 -m sglang.launch_server --max-running-requests 8\n";
        assertThat(commands(one(sglang + cuda("1.00 GiB", "80.00 GiB", "500.00 MiB", "78.00 GiB", "100.00 MiB"))))
                .anyMatch(c -> c.startsWith("--max-running-requests 4"));
    }

    @Test
    void graphs_that_are_captured_come_before_requests() {
        String oom = cuda("600.00 MiB", "80.00 GiB", "200.00 MiB", "79.00 GiB", "150.00 MiB");
        Diagnosis sglang = one("  File \"/x/sglang/srt/runner.py\", line 5, in __init__\n" + CAPTURE + oom);
        assertThat(ids(sglang)).startsWith("sglang-smaller", "fewer-graphs", "fewer-requests");
        assertThat(commands(sglang)).contains("--cuda-graph-max-bs 8");
        Diagnosis vllm = one("  File \"/x/vllm/worker/model_runner.py\", line 5, in capture_model\n" + oom);
        assertThat(commands(vllm)).contains("--enforce-eager");
        assertThat(ids(vllm)).startsWith("vllm-utilisation", "fewer-graphs", "fewer-requests");
        assertThat(ids(one("  File \"/x/sglang/srt/runner.py\", line 5, in forward\n" + oom)))
                .doesNotContain("fewer-graphs");
        assertThat(ids(one(CAPTURE + oom))).doesNotContain("fewer-graphs"); // Nothing says who serves.
    }

    @Test
    void pools_that_are_taken_at_the_start_shrink_before_requests_do() {
        Diagnosis d = one("  File \"/x/sglang/srt/runner.py\", line 5, in forward\n"
                + cuda("3.00 GiB", "80.00 GiB", "1.00 GiB", "76.00 GiB", "1.50 GiB"));
        assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(ids(d)).startsWith("sglang-smaller", "fewer-requests");
    }

    @Test
    void where_no_share_fits_beside_others_none_is_printed() {
        Diagnosis d = one(
                "(VllmWorker rank=0 pid=7) loading\nRuntimeError: NPU out of memory. Tried to allocate 64.00 MiB (NPU"
                        + " 0; 60.00 GiB total capacity; 5.00 GiB already allocated; 5.00 GiB current active; 6.00 MiB free; 5.10 GiB"
                        + " reserved in total by PyTorch)\n");
        assertThat(ids(d)).startsWith("stop-others", "beside-others").doesNotContain("vllm-utilisation");
    }

    @Test
    void a_limit_below_is_looked_for_and_nobody_is_stopped_where_the_device_had_room() {
        Diagnosis d = one(
                "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 6.00 GiB. GPU 0 has a total capacity of"
                        + " 96.00 GiB of which 9.00 GiB is free. Of the allocated memory 76.00 GiB is allocated by PyTorch, and 100.00"
                        + " MiB is reserved by PyTorch but unallocated.\n");
        assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
        assertThat(ids(d)).startsWith("hidden-limit").doesNotContain("stop-others");
    }

    @Test
    void a_device_that_could_not_be_opened_is_told_nothing_of_smaller_work() {
        Diagnosis d = one("[ERROR] aclrtSetDevice(id) failed: 507033 (/x/main.cpp:9)\n[ERROR] [PID: 9]"
                + " 2026-01-02-03:04:05.678.901 Memory_Allocation_Failure(EL0004): Failed to allocate memory.\n"
                + "        Possible Cause: Available memory is insufficient.\n");
        assertThat(ids(d)).containsExactly("stop-others");
        Diagnosis rank = one("    torch._C._cuda_setDevice(device)\nRuntimeError: CUDA error: out of memory\n");
        assertThat(ids(rank)).contains("stop-others").doesNotContain("smaller-micro-batch", "smaller-work");
    }

    @Test
    void a_front_end_for_pictures_is_known_by_its_folder_and_by_its_last_line() {
        String oom =
                "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 16.00"
                        + " GiB. Of the allocated memory 14.50 GiB is allocated by PyTorch, and 300.00 MiB is reserved by PyTorch but"
                        + " unallocated.\n";
        for (String log : List.of(
                "  File \"G:\\art\\comfyui\\nodes.py\", line 4, in sample\n" + oom,
                "  File \"/opt/comfyui/nodes.py\", line 4, in sample\n" + oom,
                oom + "\nPrompt executed in 12.50 seconds\n")) {
            assertThat(ids(one(log))).as(log).contains("image-parts").doesNotContain("no-grad");
        }
        String environment =
                "  File \"/opt/comfyui/venv/lib/python3.12/site-packages/torch/x.py\", line 4, in step\n" + oom;
        assertThat(ids(one(environment))).doesNotContain("image-parts");
    }

    @Test
    void rocm_is_told_why_its_split_size_and_not_the_segments_of_the_message() {
        Diagnosis d = one(
                "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of"
                        + " 24.00 GiB of which 1.00 GiB is free. Of the allocated memory 14.00 GiB is allocated by PyTorch, and 8.00 GiB"
                        + " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting"
                        + " PYTORCH_HIP_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n");
        assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
        assertThat(text(remedy(d, "max-split-size").why())).contains("ROCm");
        assertThat(remedy(d, "max-split-size").command()).contains("PYTORCH_HIP_ALLOC_CONF=max_split_size_mb:512");
    }

    @Test
    void a_process_that_signal_nine_ended_is_told_by_the_number_of_shells_too() {
        for (String line : List.of(
                "trainer-1 exited with code 137",
                "Error: the job failed with exit code 137",
                "subprocess.CalledProcessError: Command 'bash run.sh' returned non-zero exit status 137.",
                "worker 2 exited (code 137)")) {
            Diagnosis d = one("step 12\n" + line + "\n");
            assertThat(d.report().claims()).as(line).contains(Claim.KILLED, Claim.HOST_MEMORY);
            assertThat(d.confidence()).isEqualTo(Confidence.LOW);
        }
        for (String line : List.of(
                "trainer-1 exited with code 1370",
                "Gracefully stopping... (press Ctrl+C again to force)\ntrainer-1 exited with code 137",
                "Aborting on container exit...\ndata-1 exited with code 137",
                "Liveness probe failed\nthe container exited with code 137",
                "\"OOMKilled\": false,\nexited with code 137",
                "Reason:       Error\n      Exit Code:    137",
                "command terminated with exit code 137",
                "loss 137 of status 3")) {
            assertThat(all("step 12\n" + line + "\n")).as(line).isEmpty();
        }
    }

    @Test
    void reading_in_pieces_of_any_width_changes_nothing() {
        String log = " 1: step\n 1: [rank1]: " + cuda("2.00 GiB", "40.00 GiB", "1.25 GiB", "35.00 GiB", "2.50 GiB");
        int figures = log.indexOf("which");
        for (int cut = figures; cut < figures + 120; cut++) {
            String broken = log.substring(0, cut) + "\n 1: " + log.substring(cut);
            OomReport report = OomLogReader.read(broken).reports().get(0);
            assertThat(report.allocatedBytes()).as(broken).hasValue(35L << 30);
        }
    }
}
