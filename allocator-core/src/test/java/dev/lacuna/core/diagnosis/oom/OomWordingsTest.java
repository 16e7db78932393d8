package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedAllocConf;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wordings beside those of the corpus: each framework says it in several ways over its versions. */
class OomWordingsTest {
    private static final long ANY = -1;

    static Stream<Arguments> wordings() {
        return Stream.of(
                arguments(
                        "paddle",
                        "Out of memory error on GPU 3. Cannot allocate 12.500000MB GPU memory, available memory is 6.250000MB.",
                        13107200L),
                arguments(
                        "ascend-runtime",
                        "[npu_driver.cc:691]77 DevMemAllocHugePageManaged:[driver interface] halMemAlloc failed: device_id=5, size=1048576, type=2, drvRetCode=6!",
                        1048576L),
                arguments(
                        "jax-xla",
                        "Ran out of memory in memory space vmem. Used 24.00M of 16.00M vmem. Exceeded vmem capacity by 8.00M",
                        25165824L),
                arguments(
                        "jax-xla",
                        "E external/org_tensorflow/tensorflow/stream_executor/cuda/cuda_driver.cc:828] failed to allocate 2.00G (2147483648 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
                        2147483648L),
                arguments("pytorch-cuda", "Last error:\nFailed to CUDA calloc async 640 bytes", 640L),
                arguments("pytorch-cuda", "Last error:\nFailed to CUDA host alloc 4096 bytes", 4096L),
                arguments(
                        "other",
                        "MemoryError: std::bad_alloc: out_of_memory: CUDA error at: /x/cuda_memory_resource.hpp:70: cudaErrorMemoryAllocation out of memory",
                        ANY),
                arguments(
                        "vllm",
                        "ValueError: The model's max seq len (8192) is larger than the maximum number of tokens that can be stored in KV cache (1024). Try increasing `gpu_memory_utilization`",
                        ANY),
                arguments(
                        "ascend-runtime",
                        "2026-04-09-21:56:40.384.694 Memory_Allocation_Failure(EL0004): Failed to allocate memory requested by GE module.\n        Possible Cause: Available memory is insufficient.\n        Solution: Close applications not in use.\n        TraceBack (most recent call last):\n        Call rtMalloc fail, purpose: page caching, type = 2, size:3221291008, device_id:0[FUNC:Alloc][FILE:device_allocator.cc][LINE:72]\n        Call rtMalloc fail, purpose: page caching, type = 2, size:1610678272, device_id:0[FUNC:Alloc][FILE:device_allocator.cc][LINE:72]",
                        3221291008L),
                arguments(
                        "ascend-runtime",
                        "EL0004: Failed to allocate memory.\n        Possible Cause: Available memory is insufficient.\n        Solution: Close applications not in use.\n        TraceBack (most recent call last):\n        rtMalloc execute failed, reason=[driver error:out of memory][FUNC:FuncErrorReason][FILE:error_message_manage.cc][LINE:49]\n        alloc device memory failed, runtime result = 207001[FUNC:ReportCallError][FILE:log_inner.cpp][LINE:161]",
                        ANY),
                arguments(
                        "ascend-runtime",
                        "RuntimeError: allocate:torch_npu/csrc/core/npu/NPUCachingAllocator.cpp: aclrtMalloc failed, error code is 207001",
                        ANY),
                arguments("pytorch-cudaMallocAsync", "torch.OutOfMemoryError: Allocation on device \n", ANY),
                arguments(
                        "pytorch-cuda",
                        "torch.OutOfMemoryError: CUDA out of memory. Allocation was preemptively rejected because it would exceed per_process_memory_fraction limit. Requested size: 2.00 GiB",
                        2147483648L),
                arguments("pytorch-cuda", "RuntimeError: CUDA driver error: out of memory", ANY),
                arguments("llama.cpp-rocm", "ROCm error: out of memory\n  current device: 0, in function alloc", ANY),
                arguments(
                        "pytorch-cuda",
                        "RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at \"../c10/cuda/CUDACachingAllocator.cpp\":7",
                        ANY),
                arguments(
                        "pytorch-cudaMallocAsync",
                        "- **Exception Type:** torch.OutOfMemoryError\n- **Exception Message:** Allocation on device \n## Stack",
                        ANY),
                arguments("pytorch-xpu", "RuntimeError: Allocation is out of device memory on current platform.", ANY),
                arguments("other", "Native API failed. Native API returns: -5 (PI_ERROR_OUT_OF_RESOURCES) -5", ANY),
                arguments(
                        "other",
                        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,589,934,592 bytes (allocated so far: 4,294,967,296 bytes).",
                        8589934592L),
                arguments(
                        "jax-xla",
                        "RESOURCE_EXHAUSTED: Attempting to allocate 2.25G. That was not possible. There are 1.66G free.; (0x0x0_HBM0)",
                        2415919104L),
                arguments(
                        "jax-xla",
                        "2025-05-18 21:59:55.086788: W external/xla/xla/tsl/framework/bfc_allocator.cc:310] Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.37GiB with freed_by_count=0. The caller indicates that this is not a failure, but this may mean that there could be performance gains if more memory were available.",
                        ANY),
                arguments(
                        "other",
                        "Out of memory: Killed process 1234 (python3) total-vm:123456kB, anon-rss:123456kB",
                        ANY),
                arguments(
                        "other",
                        "ggml_vulkan: Device memory allocation of size 118497280 failed.\nggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory",
                        118497280L),
                arguments("llama.cpp-cuda", "CUDA error 2 at ggml-cuda.cu:6301: out of memory", ANY),
                arguments(
                        "other",
                        "ggml_metal_graph_compute: command buffer 0 failed with status 5\nerror: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)",
                        ANY),
                arguments(
                        "other",
                        "ggml_backend_metal_buffer_type_alloc_buffer: error: failed to allocate buffer, size = 9216.00 MiB",
                        9663676416L),
                arguments(
                        "other",
                        "ggml_gallocr_reserve_n_impl: failed to allocate Vulkan0 buffer of size 8753520640",
                        8753520640L),
                arguments("pytorch-mps", "RuntimeError: Invalid buffer size: 16.00 GB", 17179869184L),
                arguments("other", "mxnet.base.MXNetError: cudaMalloc retry failed: out of memory", ANY),
                arguments(
                        "pytorch-cuda",
                        "node1:123:456 [0] include/alloc.h:209 NCCL WARN Failed to CUDA calloc 268435456 bytes",
                        268435456L),
                arguments(
                        "other",
                        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 29.8 GiB for an array with shape (4000000000,) and data type float64",
                        ANY),
                arguments(
                        "onnxruntime",
                        "CUDA failure 2: out of memory ; GPU=0 ; hostname=abc ; expr=cudaMalloc((void**)&p, size);",
                        ANY),
                arguments(
                        "paddle",
                        "PaddleCheckError: out of memory at [/paddle/paddle/fluid/platform/device_context.cc:219]",
                        ANY),
                arguments(
                        "paddle",
                        "Enforce failed. Expected avail >= min..: Insufficient GPU memory to allocation. at [/paddle/paddle/fluid/platform/gpu_info.cc:262]",
                        ANY),
                arguments(
                        "paddle",
                        "OSError: (External) CUDA error(2), out of memory. \n  [Hint: 'cudaErrorMemoryAllocation'. The API call failed because it was unable to allocate enough memory to perform the requested operation. ] (at /paddle/paddle/phi/backends/gpu/cuda/cuda_info.cc:251)",
                        ANY),
                arguments(
                        "other",
                        "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. self.server_args.mem_fraction_static=0.88",
                        ANY),
                arguments(
                        "other",
                        "slurmstepd: error: Detected 1 oom_kill event in StepId=1234.0. Some of the step tasks have been OOM Killed.",
                        ANY),
                arguments(
                        "tensorflow",
                        "2020-03-11 17:17:25.1: E tensorflow/stream_executor/rocm/rocm_driver.cc:600] failed to allocate 890.06M (933298432 bytes) from device: HIP_ERROR_OutOfMemory",
                        933298432L),
                arguments(
                        "tensorflow",
                        "failed to alloc 2147483648 bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
                        2147483648L),
                arguments(
                        "other",
                        "[TRT] [W] Requested amount of GPU memory (1073741824 bytes) could not be allocated. There may not be enough free memory for allocation to succeed.",
                        1073741824L),
                arguments(
                        "pytorch-xpu",
                        "RuntimeError: Native API failed. Native API returns: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)",
                        ANY),
                arguments(
                        "vllm",
                        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.",
                        ANY),
                arguments(
                        "vllm",
                        "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, which is larger than the available KV cache memory (2.42 GiB). Based on the available memory, the estimated maximum model length is 17632. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
                        ANY),
                arguments(
                        "pytorch-xpu",
                        "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 16.50 GiB. Of the allocated memory 16.50 GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated. Please use `empty_cache` to release all unoccupied cached memory.",
                        536870912L),
                arguments(
                        "ipex-xpu",
                        "RuntimeError: XPU out of memory. Tried to allocate 1.71 GiB (GPU 0; 15.56 GiB total capacity; 176.00 MiB already allocated; 176.00 MiB reserved in total by PyTorch)",
                        ANY),
                arguments(
                        "torch_npu",
                        "RuntimeError: NPU out of memory. NPUWorkspaceAllocator tried to allocate 1.25 GiB(NPU 3; 60.97 GiB total capacity; 512.00 MiB free).",
                        ANY),
                arguments(
                        "mindspore-ascend",
                        "[ERROR] PRE_ACT(123,ffff,python):2023-05-01-10:00:00.000.000 [mindspore/ccsrc/backend/common/mem_reuse/mem_dynamic_allocator.cc:200] AllocMemBuf] Memory not enough: current free memory size[123456] is smaller than required size[1234567], dynamic offset ...",
                        1234567L));
    }

    @ParameterizedTest
    @MethodSource("wordings")
    void are_each_read_as_one_report(String framework, String text, long tried) {
        assertThat(OomLogReader.read(text + "\n").reports()).singleElement().satisfies(report -> {
            assertThat(report.framework().id()).isEqualTo(framework);
            if (tried != ANY) {
                assertThat(report.triedBytes()).isEqualTo(OptionalLong.of(tried));
            }
        });
    }

    @Test
    void vllms_start_gives_two_numbers_that_share_a_unit() {
        OomReport report = OomLogReader.read(
                        "ValueError: Free memory on device cuda:1 (7.50/139.75 GiB) on startup is"
                                + " less than desired GPU memory utilization (0.9, 125.75 GiB). Decrease GPU memory utilization")
                .reports()
                .get(0);
        assertThat(report.freeBytes()).hasValue(15L << 29);
        assertThat(report.totalBytes()).hasValue((139L << 30) + (3L << 28));
        assertThat(report.triedBytes()).hasValue((125L << 30) + (3L << 28));
        assertThat(report.device()).hasValue("GPU 1");
    }

    @Test
    void a_warning_that_is_no_failure_is_said_to_be_none() {
        assertThat(OomLogReader.read("Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.37GiB with"
                                + " freed_by_count=0. The caller indicates that this is not a failure, but")
                        .reports())
                .singleElement()
                .satisfies(r -> assertThat(r.claims()).contains(Claim.NOT_A_FAILURE));
    }

    @Test
    void paddle_gives_the_free_bytes_in_its_older_words_too() {
        assertThat(only("Out of memory error on GPU 3. Cannot allocate 12.500000MB GPU memory, available memory is"
                                + " 6.250000MB.")
                        .freeBytes())
                .hasValue(6_553_600);
    }

    @Test
    void the_runtimes_error_is_on_the_device_of_the_exception_that_repeats_it() {
        OomReport report = only("[ERROR] 2025-09-17-04:55:13 (PID:12, Device:6, RankID:-1) ERR00100 PTA call acl api"
                + " failed\nEL0004: [PID: 12] 2025-09-17-04:55:13.065.712 Failed to allocate memory.\n"
                + "        TraceBack (most recent call last):\n        Failed to allocate resource[DeviceMemory] with"
                + " info [size:65536]. Reason: Memory resources are exhausted.\n");
        assertThat(report.device()).hasValue("NPU 6");
        assertThat(report.triedBytes()).hasValue(65536);
    }

    @Test
    void a_tpus_table_gives_the_capacity_and_what_is_allocated() {
        OomReport report = only("RuntimeError: Resource exhausted: Attempting to reserve 3.00G at the bottom of memory."
                + " That was not possible. There are 1.50G free, 0B reserved, and 1.50G reservable.; \n"
                + "HBM capacity 8.00G:\n       Top-of-Memory reserved:  512.00M (     536,870,912 bytes)\n"
                + "          Currently allocated:    6.00G (   6,442,450,944 bytes)\n");
        assertThat(report.totalBytes()).hasValue(8L << 30);
        assertThat(report.allocatedBytes()).hasValue(6L << 30);
        assertThat(report.freeBytes()).hasValue(3L << 29);
    }

    @Test
    void a_settings_string_with_brackets_in_disorder_is_read_as_far_as_it_makes_sense() {
        assertThat(PrintedAllocConf.shownIn(
                        "PYTORCH_CUDA_ALLOC_CONF=roundup_power2_divisions:[256:1,512[,1024:4],max_split_size_mb:64"))
                .hasValueSatisfying(conf -> assertThat(conf.options())
                        .containsEntry("max_split_size_mb", "64")
                        .containsEntry("roundup_power2_divisions", "[256:1,512[,1024:4]"));
    }

    private static OomReport only(String text) {
        List<OomReport> reports = OomLogReader.read(text).reports();
        assertThat(reports).hasSize(1);
        return reports.get(0);
    }
}
