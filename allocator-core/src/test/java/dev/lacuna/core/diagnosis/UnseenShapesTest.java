package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes of logs that two collections of unseen ones brought up, in words of our own: what is read, judged and advised. */
class UnseenShapesTest {
    private static Diagnosis only(String log) {
        List<Diagnosis> all = new Diagnoser().diagnose(OomLogReader.read(log));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static List<String> ids(Diagnosis d) {
        return d.remedies().stream().map(Remedy::id).toList();
    }

    private static String commands(Diagnosis d) {
        return String.join(
                "\n", d.remedies().stream().flatMap(r -> r.command().stream()).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[x.py:7] return f(a) (W pid=3) [x.py:8] RuntimeError: NPU out of memory.",
                "Available KV cache memory: -1.25 GiB",
                "[PID: 7] 2025-01-02-03:04:05 Resource_Error_Insufficient_Device_Memory(EI0011): Failed to allocate [size: [1MB, 2MB]] bytes of NPU memory.",
                "ResourceExhaustedError: OOM when allocating tensor of shape [128] and type float",
                "[E] ../a/b.cpp (7) - Cuda Error in allocate: 2 (out of memory)",
                "MXNetError: [01:02:03] src/storage/./pooled_storage_manager.h:99: cudaMalloc failed: out of memory",
                "MXNetError: [01:02:03] src/storage/./cpu_device_storage.h:9: Failed to allocate CPU Memory",
                "std::runtime_error: [malloc_or_wait] Unable to allocate 4096 bytes.",
                "std::runtime_error: [malloc] Unable to allocate 4096 bytes."
            })
    void wordings_that_were_missed_are_reports(String text) {
        assertThat(OomLogReader.read("before\n" + text + "\nafter\n").reports()).hasSize(1);
    }

    @Test
    void what_a_whole_program_needs_is_no_request() {
        Diagnosis d = only("RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 12.50G of 8.00G hbm.\n");
        assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
        assertThat(ids(d)).doesNotContain("split-request");
    }

    @ParameterizedTest
    @CsvSource({
        "'Attempting to allocate 3.00G. That was not possible. There are 2.00G free.; (0x0x0_HBM0)', capacity",
        "'Attempting to reserve 3.00G at the bottom of memory. That was not possible. There are 2.00G free', capacity",
        "'Attempting to allocate 30.00M. That was not possible. There are 50.00M free. Due to fragmentation, the largest contiguous region of free memory is 20.00M.', fragmentation"
    })
    void an_allocator_that_keeps_no_cache_says_enough(String text, String cause) {
        Diagnosis d = only("RuntimeError: RESOURCE_EXHAUSTED: " + text + "\n");
        assertThat(d.cause().id()).isEqualTo(cause);
        assertThat(d.confidence()).isEqualTo(Confidence.HIGH);
        assertThat(ids(d)).doesNotContain("get-figures");
    }

    @Test
    void live_memory_that_fills_the_pool_is_capacity() {
        Diagnosis d = only("[ERROR] TotalUsedMemStatistics : 9000000 plus TotalUsedByEventMemStatistics : 0 and plus"
                + " alloc size : 2000000 is more than total mem size : 10000000.\n");
        assertThat(d.cause()).isEqualTo(Cause.CAPACITY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ValueError: Free memory on device (20.00/60.00 GiB) on startup is less than desired GPU memory utilization (0.9, 54.00 GiB).",
                "RuntimeError: Malloc device memory failed, free memory size is less than half of total memory size.Device 0 Device HBM total size:34359738368 Device HBM free size:1073741824 may be other processes"
            })
    void a_check_at_the_start_names_the_others(String text) {
        Diagnosis d = only(text + "\n");
        assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
        assertThat(ids(d).get(0)).isEqualTo("stop-others");
        assertThat(ids(d)).doesNotContain("smaller-micro-batch", "spread");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NPU out of memory. Tried to allocate more than 1EB memory",
                "bfc_arena.cc:3 onnxruntime::BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer of size 4500000000000000000",
                "MemoryError: (ResourceExhausted) Fail to alloc memory of 4000000000000 size, error code is 12."
            })
    void a_size_that_nothing_holds_was_worked_out_wrong(String text) {
        Diagnosis d = only("RuntimeError: " + text + "\n");
        assertThat(ids(d).get(0)).isEqualTo("check-size");
        assertThat(ids(d)).doesNotContain("split-request", "stop-others", "host-others", "smaller-micro-batch");
    }

    @Test
    void a_number_ends_where_the_next_line_begins_with_a_date() {
        Diagnosis d =
                only("BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer of size 285000\n"
                        + "\n2021-01-02 03:04:05 next\n");
        assertThat(d.report().triedBytes()).hasValue(285000);
    }

    @ParameterizedTest
    @CsvSource({"XPU, xpu-smi", "DML, ''"})
    void plug_ins_of_tensorflow_get_nothing_of_cuda(String word, String tool) {
        Diagnosis d = only("OOM when allocating tensor with shape[3,3] and type float on"
                + " /job:localhost/replica:0/task:0/device:" + word + ":0 by allocator a\n");
        assertThat(commands(d)).doesNotContain("nvidia-smi", "cuda").contains(tool);
    }

    @Test
    void the_runtime_below_a_program_without_torch_gets_no_torch() {
        Diagnosis d = only("[ERROR] aclrtSetDevice failed: 507033 (/src/main.cpp:68)\n"
                + "[PID: 7] Memory_Allocation_Failure(EL0004): Failed to allocate memory.\n"
                + "        open device 2 failed, runtime result = 507033.\n");
        assertThat(commands(d)).doesNotContain("torch.");
        assertThat(ids(d)).contains("stop-others").doesNotContain("empty-cache", "collective-buffers", "get-figures");
    }

    @Test
    void buffers_that_were_set_larger_are_needed() {
        Diagnosis d = only(
                "NPU function error: call aclnnA failed, error code is 207001\nEL0004: Failed to allocate memory.\n"
                        + "  Failed to allocate resource[DeviceMemory] with info [size:2147483648]. Reason: a\n"
                        + "  HcclAllocComResource of hccl failed\n");
        assertThat(d.cause()).isEqualTo(Cause.POOL_CROWDS_OUT);
        assertThat(ids(d)).doesNotContain("collective-buffers");
    }

    @Test
    void a_server_is_not_told_what_it_was_started_with() {
        Diagnosis d = only("vllm serve M -tp 2 --max-model-len 4000 --gpu-memory-utilization 0.6\n"
                + "RuntimeError: NPU out of memory. Tried to allocate 4.00 GiB (NPU 0; 60.00 GiB total capacity;"
                + " 58.00 GiB already allocated; 58.00 GiB current active; 1.00 GiB free; 58.20 GiB reserved in total by"
                + " PyTorch)\n");
        assertThat(commands(d))
                .contains("--max-model-len 2000", "--tensor-parallel-size 4")
                .doesNotContain("8192", "utilization");
    }

    @Test
    void a_server_beside_others_gets_the_share_that_is_left_where_it_fits() {
        Diagnosis d =
                only("(VllmWorkerProcess pid=1) RuntimeError: NPU out of memory. Tried to allocate 22.00 MiB (NPU 6;"
                        + " 60.00 GiB total capacity; 10.00 GiB already allocated; 10.00 GiB current active; 20.00 MiB free;"
                        + " 10.50 GiB reserved in total by PyTorch)\n");
        assertThat(d.cause()).isEqualTo(Cause.OUTSIDE_THE_POOL);
        assertThat(commands(d)).doesNotContain("HCCL", "--gpu-memory-utilization"); // Others leave less than it holds.
    }

    @Test
    void a_ray_worker_of_vllm_serves() {
        Diagnosis d =
                only("(NPURayWorkerWrapper pid=4) RuntimeError: NPU out of memory. Tried to allocate 3.00 GiB (NPU 3;"
                        + " 60.00 GiB total capacity; 58.00 GiB already allocated; 58.00 GiB current active; 14.00 MiB free;"
                        + " 58.10 GiB reserved in total by PyTorch)\n");
        assertThat(ids(d)).contains("fewer-requests").doesNotContain("smaller-micro-batch", "recompute");
    }

    @Test
    void closing_the_gap_of_a_full_device_is_no_cure() {
        Diagnosis d =
                only("RuntimeError: NPU out of memory. Tried to allocate 130.00 MiB (NPU 0; 29.50 GiB total capacity;"
                        + " 28.40 GiB already allocated; 28.40 GiB current active; 31.00 MiB free; 28.70 GiB reserved in total by"
                        + " PyTorch)\n");
        assertThat(d.cause()).isEqualTo(Cause.FRAGMENTATION);
        assertThat(d.confidence()).isEqualTo(Confidence.MEDIUM);
        assertThat(d.runnerUp()).contains(Cause.CAPACITY);
        assertThat(d.remedies().toString()).doesNotContain("why.last");
    }

    @Test
    void a_card_of_intel_with_room_refuses_single_allocations() {
        Diagnosis d =
                only("torch.OutOfMemoryError: XPU out of memory. Tried to allocate 8.00 GiB. GPU 0 has a total capacity"
                        + " of 15.00 GiB. Of the allocated memory 0 bytes is allocated by PyTorch, and 0 bytes is reserved by"
                        + " PyTorch but unallocated.\n");
        assertThat(d.cause()).isEqualTo(Cause.LIMIT);
        assertThat(ids(d).get(0)).isEqualTo("split-request");
    }

    @Test
    void julia_gets_nothing_of_torch() {
        Diagnosis d = only("ERROR: LoadError: cudnnFind: 2: CUDNN_STATUS_ALLOC_FAILED\n [1] a at ./b.jl:3\n");
        assertThat(commands(d)).doesNotContain("torch");
        assertThat(ids(d)).contains("smaller-work");
    }

    @Test
    void an_exception_below_the_line_of_source_that_raised_it_is_printed() {
        Diagnosis d = only("    raise ValueError(\"No available memory for the cache blocks. \"\n"
                + "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`\n");
        assertThat(d.cause()).isEqualTo(Cause.LIMIT);
    }

    @Test
    void a_cap_that_is_far_away_did_not_refuse() {
        Diagnosis d = only("MPS backend out of memory (MPS allocated: 1.00 GB, other allocations: 0 bytes, max allowed:"
                + " 15.00 GB). Tried to allocate 256 bytes on shared pool.\n");
        assertThat(d.cause()).isEqualTo(Cause.UNKNOWN);
        assertThat(ids(d)).doesNotContain("mps-watermark");
    }

    @Test
    void xla_under_pytorch_gets_nothing_of_jax() {
        Diagnosis d =
                only("tensorflow/compiler/xla/xla_client/xla_util.cc:90] RESOURCE_EXHAUSTED: Attempting to reserve"
                        + " 3.00G at the bottom of memory. That was not possible. There are 2.00G free\n");
        assertThat(commands(d)).doesNotContain("jax");
    }
}
