package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of servers, libraries and who grants memory, each as short as it is printed, and what is advised for each. */
class PhraseWordingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.7.|sglang|",
                "[TP0] Decode out of memory. Try to lower your batch size.|sglang|",
                "RuntimeError: Prefill out of memory. Try to lower your batch size.|sglang|",
                "Server error: Not enough memory to handle 2048 prefill tokens. You need to decrease it|tgi|",
                "Error: Warmup(Generation(\"Not enough memory to handle 9000 total tokens with 2 prefill tokens.\"))|tgi|",
                "RuntimeError: [TM][ERROR] CUDA runtime error: out of memory /src/turbomind/a.cu:3|lmdeploy|",
                "RuntimeError: No enough gpu memory for runtime.|lmdeploy|",
                "RuntimeError: alloc_req_slots runs out of memory. Please set a smaller number for `--max-running-requests`.|sglang|",
                "cuda failed with error 2 out of memory. use CUDA_LAUNCH_BLOCKING=1 to get correct traceback.|tensorview|",
                "  what():  parallel_for failed: out of memory|thrust|",
                "terminate called after throwing an instance of 'thrust::system::system_error'  what():  reduce failed: out of memory|thrust|",
                "time=2025-01-02T03:04:05Z level=ERROR source=a.go:4 msg=\"llama runner terminated\" error=\"signal: killed\"|ollama|",
                "Error: llama runner process has terminated: signal: killed|ollama|",
                "distributed.nanny - WARNING - Worker exceeded 90% memory budget. Restarting|dask|",
                "distributed.nanny.memory - WARNING - Worker tcp://10.0.0.1:34937 (pid=12) exceeded 95% memory budget. Restarting...|dask|",
                "RuntimeError: [TensorRT-LLM][ERROR] CUDA runtime error in error: out of memory (/src/a/ipc.cpp:7)|tensorrt-llm|",
                "MemoryError: Unable to allocate 3.0 GB for array with form (12, 34) and data type float64|numpy|3221225472",
                "Error: llama runner exited, you may not have enough available memory to run this model?|ollama|",
                "GPUassert: out of memory kernel.cu 12|cuda|",
                "RuntimeError: Insufficient VRAM for model and cache|exllamav2|",
                "Error: model requires more system memory (3 GiB) than is available (1 GiB)|ollama|3221225472",
                "StandardGpuResources: alloc fail type FlatData dev 2 space Device stream 0 size 4096 bytes (cudaMalloc error)|faiss|4096",
                "faiss::gpu::allocMemorySpace at a.cpp:2; details: Failed to cudaMalloc 8192 bytes|faiss|8192",
                "lightgbm.basic.LightGBMError: [CUDA] out of memory /tmp/a.cpp 21|lightgbm|",
                "lightgbm.basic.LightGBMError: Memory Object Allocation Failure|lightgbm|",
                "Error out of memory at line 83 in file /src/csrc/ops.cu|bitsandbytes|",
                "Check failed: error == cudaSuccess (2 vs. 0)  out of memory|caffe|",
                "[GPU] Exceeded max size of memory object allocation: requested 7000 bytes, but max alloc size supported by device is 4000 bytes.|openvino|7000",
                "Can't allocate 65536 bytes on device 0.|dali|65536",
                "MemoryError: Error allocating 1024 bytes of device memory (CNMEM_STATUS_OUT_OF_MEMORY).|theano|1024",
                "Out of memory on device. To view more detail about available memory on the GPU, use 'gpuDevice()'.|matlab|",
                "ERROR: Out of GPU memory trying to allocate 2.000 GiB|cuda.jl|2147483648",
                "RuntimeError: [metal::malloc] Attempting to allocate 900 bytes which is greater than the maximum allowed buffer size of 800 bytes.|mlx|900",
                "[METAL] Command buffer execution failed: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)|mlx|",
                "2025-Jan-02 03:04:05.678901  42:42  ERROR  TDRV:dmem_alloc_internal    Failed to alloc DEVICE memory: 4096|neuron|4096",
                "RuntimeError: [Rank:0] FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed for size::4096 (0)MB|habana|4096",
                "wgpu error: Out of Memory|wgpu|",
                "RuntimeError: Could not allocate tensor with 4096 bytes. There is not enough GPU video memory available!|directml|4096",
                "Error: cannot allocate vector of size 1.0 Gb|r|1073741824",
                "pyarrow.lib.ArrowMemoryError: malloc of size 4096 failed|arrow|4096",
                "fatal error: runtime: out of memory|go|",
                "ImportError: a.so: failed to map segment from shared object: Cannot allocate memory|linux|",
                "train.service: A process of this unit has been killed by the OOM killer.|systemd|",
                "CudaAPIError: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY|numba|",
                "pycuda._driver.MemoryError: cuMemAlloc failed: out of memory|pycuda|",
                "llama_kv_cache_init: failed to allocate buffer for kv cache|llama.cpp|",
                "Container killed by YARN for exceeding memory limits. 5 GB of 5 GB physical memory used.|yarn|",
                "Job has gone over cgroup memory limit of 512 megabytes. Peak usage: 510 megabytes.|htcondor|",
                "OutOfMemoryError: Container killed due to memory usage|ecs|",
                "Your session crashed after using all available RAM.|colab|",
                "Your notebook tried to allocate more memory than is available. It has restarted.|kaggle|",
                "Condition failed. CUDA error #2 (cudaErrorMemoryAllocation): out of memory.|cuda|",
                "cudaMalloc GpuBuffer::Allocate failed out of memory|amber|",
                "DGLError: a.cc:1: Check failed: e == cudaErrorCudartUnloading: CUDA: out of memory|cuda|",
                "RuntimeError: cuFFT error: CUFFT_ALLOC_FAILED|cufft|",
                "cusolver error: CUSOLVER_STATUS_ALLOC_FAILED, when calling `cusolverDnCreate(handle)`|cusolver|",
                "pool.h:303: Error: Out of memory. Requested 2048.5 MB; Free 1024 MB|catboost|2148007936",
                "MemoryError: Allocation of 2.00 GB failed on CUDA. Used: 7.61 GB|tinygrad|2147483648",
                "pyopencl._cl.MemoryError: clEnqueueWriteBuffer failed: MEM_OBJECT_ALLOCATION_FAILURE|opencl|",
                "clCreateBuffer(): CL_MEM_OBJECT_ALLOCATION_FAILURE|opencl|",
                "poplar::graph_memory_allocation_error: Out of memory: cannot fit all variables onto the tiles|poplar|",
                "RuntimeError: No executable batch size found, reached zero.|accelerate|",
                "ValueError: Some modules are on the CPU or the disk. Make sure you have enough GPU RAM to fit the model.|transformers|",
                "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory|node|",
                "RuntimeError: bad allocation|c++|",
                "PxgCudaDeviceMemoryAllocator fail to allocate memory 4096 bytes!! Result = 2|physx|4096",
                "Warmup failed, because of multimodal model inference out of memory when `maxInputTokenLen` set to 512.|mindie|",
                "[7.25] memory: usage 131072kB, limit 131072kB, failcnt 15|linux|",
                "Memory on the node (IP: 10.0.0.2, ID: 5) where the task (actor ID: 6, name=A.b, pid=7, memory used=1.50GB) was running was 60.00GB / 62.00GB (0.967742), which exceeds the memory usage threshold of 0.95. Ray killed this worker.|ray|",
                "nvcc error   : 'cicc' died due to signal 9 (Kill signal)|launcher|",
                "已杀死|shell|",
                "run.sh: 行 3: 42 已杀死|shell|",
                "MUSA error: out of memory|torch_musa|",
                "cuDNN failure 2: CUDNN_STATUS_ALLOC_FAILED ; GPU=0 ; hostname=h ; expr=finder(a, b)|cntk|",
                "systemd-oomd[8]: Killed /user.slice/a.scope due to memory pressure for /user.slice being 72.31% > 50.00%|systemd-oomd|"
            })
    void are_told_apart_by_who_prints_them(String text, String library, Long tried) {
        List<OomReport> reports =
                OomLogReader.read("before\n" + text + "\nafter\n").reports();
        assertThat(reports).hasSize(1);
        assertThat(reports.get(0).library()).contains(library);
        assertThat(reports.get(0).triedBytes())
                .isEqualTo(tried == null ? OptionalLong.empty() : OptionalLong.of(tried));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Not enough memory to handle this, he said",
                "we can't allocate 3 more people on device drivers",
                "DefaultCPUAllocator: can't allocate",
                "details: Failed to cudaMalloc the rest",
                "the session crashed after using all RAM",
                "LightGBMError: something about memory",
                "tensor is not initialized",
                "java.lang.OutOfMemoryError: Java heap space",
                "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 147456, Hardware limit: 101376.",
                "ImportError: libgomp.so.1: cannot allocate memory in static TLS block",
                "KV cache pool is full. Retract requests. #retracted_reqs: 1",
                "RuntimeError: unable to open shared memory object </torch_4_5> in read-write mode: Too many open files (24)",
                "the concurrent.futures.executor has memory"
            })
    void what_only_resembles_them_is_none(String text) {
        assertThat(OomLogReader.read(text + "\n").reports()).isEmpty();
    }

    @Test
    void a_tensor_that_tensorflow_could_not_copy_found_no_memory() {
        OomReport report = OomLogReader.read(
                        "InternalError: Failed copying input tensor: Dst tensor is not initialized.\n")
                .reports()
                .get(0);
        assertThat(report.framework().id()).isEqualTo("tensorflow");
    }

    @Test
    void xgboost_tells_what_was_free_in_a_list() {
        OomReport report = OomLogReader.read(
                        "XGBoostError: [1:2:3] a.cu:23: Memory allocation error on worker 0: std::bad_alloc:"
                                + " cudaErrorMemoryAllocation: out of memory\n- Free memory: 1.5GB\n- Requested memory: 2GB\n")
                .reports()
                .get(0);
        assertThat(report.library()).contains("xgboost");
        assertThat(report.freeBytes()).hasValue(3L << 29);
        assertThat(report.triedBytes()).hasValue(2L << 30);
    }

    @ParameterizedTest
    @CsvSource({"MLU,torch_mlu", "MUSA,torch_musa"})
    void an_extension_that_speaks_as_pytorch_does_is_not_cuda(String device, String library) {
        String text = "RuntimeError: " + device + " out of memory. Tried to allocate 2.00 GiB (" + device
                + " 0; 24.00 GiB total capacity; 20.00 GiB already allocated; 1.00 GiB free; 21.00 GiB reserved in total by PyTorch)";
        Diagnosis diagnosis = diagnose(text);
        assertThat(diagnosis.report().framework().id()).isEqualTo("other");
        assertThat(diagnosis.report().library()).contains(library);
        assertThat(commands(diagnosis))
                .noneMatch(c -> c.contains("CUDA") || c.contains("cuda") || c.contains("nvidia"));
        assertThat(ids(diagnosis)).contains("smaller-micro-batch");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.|vllm-cache|--gpu-memory-utilization 0.95",
                "ValueError: The model's max seq len (16384) is larger than the maximum number of tokens that can be stored in KV cache (9088). Try increasing `gpu_memory_utilization`|fewer-requests|--max-model-len 9088",
                "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.|sglang-larger|--mem-fraction-static 0.90",
                "Free memory on device cuda:0 (4.51/23.57 GiB) on startup is less than desired GPU memory utilization (0.9, 21.21 GiB). Decrease|stop-others|~~",
                "Error: llama runner process has terminated: cudaMalloc failed: out of memory|llama-layers|PARAMETER num_gpu N"
            })
    void a_server_that_speaks_alone_is_advised_as_one(String text, String first, String command) {
        Diagnosis diagnosis = diagnose(text);
        assertThat(diagnosis.remedies().get(0).id()).isEqualTo(first);
        assertThat(diagnosis.remedies().get(0).command().orElse("")).isEqualTo(command);
        assertThat(ids(diagnosis))
                .doesNotContain("smaller-micro-batch", "recompute", "shard", "get-figures", "fraction", "empty-cache")
                .contains("fewer-requests", "smaller-weights");
    }

    @Test
    void a_servers_own_message_is_a_servers_also_where_a_trainer_started_it() {
        String text = "trainer.train()\n  File \"/x/transformers/trainer.py\", line 1, in training_step\n"
                + "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`\n";
        assertThat(ids(diagnose(text))).startsWith("vllm-cache").doesNotContain("smaller-micro-batch");
    }

    @ParameterizedTest
    @CsvSource({
        "/opt/ComfyUI/execution.py,--lowvram",
        "/opt/stable-diffusion-webui/modules/processing.py,--medvram",
        "/venv/diffusers/pipelines/flux/pipeline_flux.py,pipe.enable_model_cpu_offload()"
    })
    void pictures_are_advised_as_pictures(String path, String command) {
        String text = "  File \"" + path + "\", line 3, in run\n"
                + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 8.00 GiB of which 1.00 GiB is free. Of the allocated memory 6.50 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.\n";
        Diagnosis diagnosis = diagnose(text);
        assertThat(commands(diagnosis)).contains(command);
        assertThat(ids(diagnosis)).contains("smaller-pictures").doesNotContain("smaller-micro-batch", "shard");
    }

    @Test
    void windows_is_told_by_the_words_of_pytorchs_allocator_there_and_not_by_the_name_of_a_module() {
        Diagnosis windows =
                diagnose("RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough"
                        + " memory: you tried to allocate 4096 bytes.");
        assertThat(commands(windows)).noneMatch(c -> c.startsWith("ps "));
        Diagnosis yarn = diagnose("(executor 3 exited) Container killed by YARN for exceeding memory limits."
                + " Consider boosting spark.yarn.executor.memoryOverhead.");
        assertThat(commands(yarn)).anyMatch(c -> c.startsWith("ps ")).anyMatch(c -> c.startsWith("spark-submit"));
    }

    private static Diagnosis diagnose(String text) {
        List<Diagnosis> all = new Diagnoser().diagnose(OomLogReader.read(text + "\n"));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static List<String> ids(Diagnosis diagnosis) {
        return diagnosis.remedies().stream().map(Remedy::id).toList();
    }

    private static List<String> commands(Diagnosis diagnosis) {
        return diagnosis.remedies().stream().flatMap(r -> r.command().stream()).toList();
    }
}
