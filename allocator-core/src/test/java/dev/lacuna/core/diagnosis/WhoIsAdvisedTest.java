package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Advice that real logs got and that was another program's, version's, platform's or role's. */
class WhoIsAdvisedTest {
    private static final String FULL =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 30.00 GiB. GPU 0 has a total capacity of 20.00 GiB of"
                    + " which 13.00 GiB is free. Of the allocated memory 5.00 GiB is allocated by PyTorch, and 200.00 MiB is"
                    + " reserved by PyTorch but unallocated.\n";

    private static Diagnosis only(String log) {
        List<Diagnosis> all = new Diagnoser().diagnose(OomLogReader.read(log));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static List<String> ids(String log) {
        return only(log).remedies().stream().map(Remedy::id).toList();
    }

    private static String commands(String log) {
        return String.join(
                "\n",
                only(log).remedies().stream().flatMap(r -> r.command().stream()).toList());
    }

    private static String why(String log, String id) {
        return only(log).remedies().stream()
                .filter(remedy -> remedy.id().equals(id))
                .map(remedy -> DiagnosisText.render(Locale.ENGLISH, remedy.why()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void comfyui_is_told_by_its_own_line_and_not_by_the_place_of_an_environment() {
        assertThat(ids("!!! Exception during processing !!! " + FULL)).startsWith("smaller-pictures", "image-parts");
        String trainer = "File \"/h/ComfyUI/.venv/lib/python3.11/site-packages/torch/nn.py\", line 7\n" + FULL;
        assertThat(ids(trainer)).contains("smaller-micro-batch").doesNotContain("image-parts");
    }

    @Test
    void workers_that_name_their_part_tell_how_many_there_are() {
        String log = "[2026-01-01 00:00:00 DP0 TP0] Load weight end.\n[2026-01-01 00:00:00 DP3 TP3] Load weight end.\n"
                + "[2026-01-01 00:00:01 DP0 TP3] Not enough memory. Please try to increase --mem-fraction-static.\n"
                + "sglang/srt/x.py\n";
        assertThat(commands(log)).contains("--tp 8");
        assertThat(only(log).report().rank()).hasValue(3);
        assertThat(ids(log)).endsWith("fewer-requests");
    }

    @Test
    void a_start_that_wants_more_than_is_free_is_told_to_want_less() {
        String log =
                "vllm/v1/worker/gpu_worker.py\nValueError: Free memory on device (50.00/80.00 GiB) on startup is less than"
                        + " desired GPU memory utilization (0.9, 72.00 GiB). Decrease GPU memory utilization.\n";
        assertThat(ids(log)).containsExactly("stop-others", "vllm-utilisation");
        assertThat(why(log, "vllm-utilisation")).contains("start");
    }

    @Test
    void a_script_that_calls_a_server_gets_arguments() {
        String vllm =
                "  llm = LLM(model='m')\nValueError: The model's max seq len (4096) is larger than the maximum number of"
                        + " tokens that can be stored in KV cache (3000). Try increasing `gpu_memory_utilization`.\n";
        assertThat(commands(vllm)).contains("LLM(…, max_model_len=3000)").doesNotContain("--max-model-len");
        String llama =
                "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 144.00 MiB on device 2: cudaMalloc failed: out of memory\n"
                        + "    llm = LlamaCpp(\n";
        assertThat(commands(llama)).contains("n_ctx=N").doesNotContain("--ctx-size", "--n-gpu-layers");
    }

    @Test
    void tritons_configuration_is_a_file() {
        assertThat(commands(
                        "backend_model.cc:7] /opt/tritonserver/backends/x.so\n[TensorRT-LLM][ERROR] CUDA runtime error in"
                                + " ::cudaMallocAsync(p, n, s): out of memory (/a.h:7)\n"))
                .contains("config.pbtxt");
    }

    @Test
    void hip_under_ollama_is_amds() {
        assertThat(commands("llama runner process: CUDA error: out of memory\n  current device: 0, in function alloc at"
                        + " ggml-cuda.cu:7\n  hipMalloc((void **) &ptr, size)\n"))
                .contains("rocm-smi")
                .doesNotContain("nvidia-smi");
    }

    @Test
    void tensorflow_1_has_no_asynchronous_allocator() {
        assertThat(
                        ids(
                                "ResourceExhaustedError (see above for traceback): OOM when allocating tensor with shape[1,2,3,4]\n"))
                .doesNotContain("tf-async");
    }

    @Test
    void a_program_in_rust_gets_no_python() {
        assertThat(commands("Error: Tch tensor error: Internal torch error: " + FULL))
                .doesNotContain("torch.");
    }

    @Test
    void building_an_engine_is_no_serving() {
        List<String> ids = ids("[W] [TRT] Requested amount of GPU memory (9000000000 bytes) could not be allocated.\n"
                + "[E] Skipping tactic 0x0 due to exception\n");
        assertThat(ids).startsWith("engine-workspace").doesNotContain("fewer-requests", "smaller-weights");
    }

    @Test
    void the_hosts_advice_is_of_what_was_running() {
        String product =
                "numpy.core._exceptions.MemoryError: Unable to allocate 90.0 MiB for an array with shape (7,)\n";
        assertThat(commands(product)).doesNotContain("numpy.load");
        assertThat(commands("    a = np.load(path)\n" + product)).contains("numpy.load");
        String offload = "File \"deepspeed/ops/adam/cpu_adam.py\", line 7, in step\nRuntimeError: [enforce fail at"
                + " alloc_cpu.cpp:7] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9000000000 bytes.\n";
        assertThat(ids(offload)).startsWith("host-offload");
    }

    @Test
    void a_warning_is_no_failure_and_needs_no_remedy() {
        String warning = "W bfc_allocator.cc:7] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB with"
                + " freed_by_count=0. The caller indicates that this is not a failure, but may mean that there could be"
                + " performance gains if more memory were available.\n";
        assertThat(only(warning).isFailure()).isFalse();
        assertThat(only(warning).remedies()).isEmpty();
        assertThat(only(FULL).isFailure()).isTrue();
    }

    @Test
    void processes_that_one_control_group_loses_at_once_are_one_failure() {
        String kill = "Memory cgroup out of memory: Killed process %d (python3) total-vm:7kB\n";
        String at = "oom_reaper: reaped process 7 (python3)\n";
        assertThat(only(kill.formatted(7) + at + kill.formatted(8) + at + kill.formatted(9))
                        .report()
                        .repeats())
                .isEqualTo(1);
    }

    @Test
    void ranks_that_print_into_one_line_are_told_apart() {
        String sentence =
                "RuntimeError: CUDA out of memory. Tried to allocate %d.00 GiB (GPU %d; 8.00 GiB total capacity; 5.00 GiB"
                        + " already allocated; 1.00 GiB free; 6.00 GiB reserved in total by PyTorch)";
        List<Diagnosis> both = new Diagnoser()
                .diagnose(OomLogReader.read(
                        "[rank1]: " + sentence.formatted(2, 1) + "[rank2]: " + sentence.formatted(3, 2)));
        assertThat(both).hasSize(2);
        assertThat(both.get(1).report().rank()).hasValue(2);
    }
}
