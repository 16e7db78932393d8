package dev.lacuna.core.diagnosis.oom.grammar.library;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.core.diagnosis.oom.passage.Cursor;
import dev.lacuna.core.diagnosis.oom.passage.LookBack;
import dev.lacuna.core.diagnosis.oom.passage.OomGrammar;
import dev.lacuna.core.diagnosis.oom.passage.Passage;
import dev.lacuna.core.diagnosis.oom.passage.ReportDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Messages that are one phrase, with figures behind labels: of servers, of libraries with an allocator of their own, of who grants a
 * host's memory. Each is a line of a table.
 */
public final class PhraseGrammar implements OomGrammar {
    private static final String FAISS = "failedtocudamalloc";
    private static final Set<Claim> DEVICE = Set.of();
    private static final Set<Claim> LIBRARY = Set.of(Claim.OUTSIDE_ALLOCATION);
    private static final int NEAR = 300;
    private static final int TAIL = 64;

    private static final Set<Claim> HOST = Set.of(Claim.HOST_MEMORY);
    private static final Set<Claim> FULL = Set.of(Claim.NO_CACHE);
    private static final Set<Claim> JVM = Set.of(Claim.HOST_MEMORY, Claim.LIMIT);
    private static final Set<Claim> KILLED = Set.of(Claim.HOST_MEMORY, Claim.KILLED);

    /**
     * A figure of a message.
     *
     * @param label what stands before it
     * @param within characters behind the figure before, or behind the phrase, in which the label begins
     * @param quantity what it means
     */
    private record Figure(String label, int within, Quantity quantity) {}

    /**
     * A message.
     *
     * @param words its phrase, in lower case and without white space
     * @param library who prints it
     * @param claims what it says in words
     * @param figures its figures, in order; each may be missing
     * @param needsFigure whether it is this message only with its first figure
     * @param device word before the number of a device that follows at once; empty for none
     * @param tail what else has to follow near by; empty for nothing
     * @param reach characters within which that begins
     */
    private record Form(
            String words,
            String library,
            Set<Claim> claims,
            List<Figure> figures,
            boolean needsFigure,
            String device,
            String tail,
            int reach) {
        static Form of(String words, String library, Set<Claim> claims, Figure... figures) {
            return new Form(words, library, claims, List.of(figures), false, "", "", TAIL);
        }

        static Form measured(String words, String library, Set<Claim> claims, Figure... figures) {
            return new Form(words, library, claims, List.of(figures), true, "", "", TAIL);
        }

        Form naming(String word) {
            return new Form(words, library, claims, figures, needsFigure, word, tail, reach);
        }

        Form followedBy(String after) {
            return new Form(words, library, claims, figures, needsFigure, device, after, TAIL);
        }

        Form endingIn(String after, int within) {
            return new Form(words, library, claims, figures, needsFigure, device, after, within);
        }
    }

    private static final List<Form> FORMS = List.of(
            // Servers.
            Form.of("loadedweightsleavenogpumemoryforthekvcache", "sglang", Set.of(Claim.SHARE_TOO_SMALL)),
            Form.of("notenoughmemorytohandle", "tgi", DEVICE).followedBy("tokens"),
            // Places for tokens, of which a larger share of the device holds more.
            Form.of("prefilloutofmemory.trytolower", "sglang", Set.of(Claim.SHARE_TOO_SMALL)),
            Form.of("decodeoutofmemory.trytolower", "sglang", Set.of(Claim.SHARE_TOO_SMALL)),
            Form.of("alloc_req_slotsrunsoutofmemory", "sglang", Set.of(Claim.LIMIT)),
            Form.of("[tm][error]cudaruntimeerror:outofmemory", "lmdeploy", DEVICE),
            Form.of("noenoughgpumemoryforruntime", "lmdeploy", DEVICE),
            Form.measured(
                    "insufficientgpumemoryerror:theavailablesinglegpumemoryis",
                    "mlc-llm",
                    Set.of(Claim.SHARE_TOO_SMALL),
                    tell("", 0, Quantity.FREE)),
            Form.of("llamarunnerexited,youmaynothaveenoughavailablememory", "ollama", DEVICE),
            Form.of("insufficientvramformodelandcache", "exllamav2", DEVICE),
            Form.of("insufficientvraminsplitformodelandcache", "exllamav3", DEVICE),
            Form.of("maxtokensinpagedkvcache(", "tensorrt-llm", Set.of(Claim.SHARE_TOO_SMALL))
                    .followedBy("mustbelargeenough"),
            Form.of(
                    "modelloadingwasstoppedduetoinsufficientsystemresources",
                    "lm-studio",
                    FULL,
                    tell("requiresapproximately", 60, Quantity.TRIED)),
            Form.of("modelloadingabortedduetoinsufficientsystemresources", "lm-studio", FULL),
            Form.of("failedtoallocatebufferforkvcache", "llama.cpp", DEVICE),
            Form.measured(
                    "modelrequiresmoresystemmemory(",
                    "ollama",
                    Set.of(Claim.HOST_MEMORY, Claim.NO_CACHE),
                    tell("", 0, Quantity.TRIED),
                    tell("thanisavailable(", 2, Quantity.FREE)),
            // Libraries on a device.
            Form.of("standardgpuresources:allocfailtype", "faiss", DEVICE, tell("size", 90, Quantity.TRIED))
                    .naming("dev"),
            Form.measured(FAISS, "faiss", DEVICE, tell("", 0, Quantity.TRIED)),
            Form.of("indevice::create_buffer", "wgpu", DEVICE).endingIn("notenoughmemoryleft", NEAR),
            Form.of("wgpuerror:outofmemory", "wgpu", DEVICE),
            Form.of("lightgbmerror:[cuda]outofmemory", "lightgbm", DEVICE),
            Form.of("lightgbmerror:memoryobjectallocationfailure", "lightgbm", DEVICE),
            Form.of("erroroutofmemoryatline", "bitsandbytes", DEVICE),
            Form.of("failedtoallocateagain.", "nnabla", DEVICE),
            Form.of("memoryerrorinalloc", "nnabla", DEVICE).endingIn("cudamemory", NEAR),
            Form.of("error==cudasuccess(2vs.0)outofmemory", "caffe", DEVICE),
            Form.of("error==cudasuccess.2vs0.errorat:", "caffe", DEVICE).endingIn("outofmemory", NEAR),
            Form.measured(
                    "exceededmaxsizeofmemoryobjectallocation:",
                    "openvino",
                    Set.of(Claim.LIMIT),
                    tell("requested", 2, Quantity.TRIED),
                    tell("supportedbydeviceis", 40, Quantity.ALLOWED)),
            Form.measured("can'tallocate", "dali", DEVICE, tell("", 0, Quantity.TRIED))
                    .followedBy("bytesondevice"),
            Form.measured(
                    "memoryerror:errorallocating",
                    "theano",
                    FULL,
                    tell("", 0, Quantity.TRIED),
                    tell("driverreport", 40, Quantity.FREE),
                    tell("freeand", 2, Quantity.TOTAL)),
            Form.measured(
                            "errorallocating",
                            "theano",
                            FULL,
                            tell("", 0, Quantity.TRIED),
                            tell("driverreport", 40, Quantity.FREE),
                            tell("freeand", 2, Quantity.TOTAL))
                    .followedBy("ofdevicememory(outofmemory)"),
            Form.of("opencl_error>'what():memoryobjectallocationfailure", "opencl", DEVICE),
            Form.of("openencodesessionexfailed:outofmemory", "nvenc", DEVICE),
            Form.of("systemisoutofgpuandsharedhostmemory", "blender", DEVICE),
            Form.of("systemisoutofgpumemory", "blender", DEVICE),
            Form.of("cudaerror:outofmemoryincu", "blender", DEVICE),
            Form.measured("jit_malloc():outofmemory!couldnotallocate", "drjit", DEVICE, tell("", 0, Quantity.TRIED))
                    .followedBy("ofdevicememory"),
            Form.of("deviceoutofmemory(oom)reportedbypytorch", "mindie", DEVICE),
            Form.of("inferenceoutofmemorywhen`maxinputtokenlen`", "mindie", DEVICE),
            Form.measured(
                    "pxgcudadevicememoryallocatorfailtoallocatememory", "physx", DEVICE, tell("", 0, Quantity.TRIED)),
            Form.of("outofmemoryondevice.toviewmoredetail", "matlab", DEVICE),
            Form.measured(
                    "outofgpumemorytryingtoallocate",
                    "cuda.jl",
                    DEVICE,
                    tell("", 0, Quantity.TRIED),
                    tell("/", 60, Quantity.TOTAL),
                    tell("cudaallocatorusage:", 4, Quantity.RESERVED),
                    tell("(cappedat", 2, Quantity.ALLOWED),
                    tell("memorypoolusage:", 4, Quantity.ALLOCATED),
                    tell("(", 2, Quantity.RESERVED)),
            Form.measured(
                    "[metal::malloc]attemptingtoallocate",
                    "mlx",
                    Set.of(Claim.LIMIT),
                    tell("", 0, Quantity.TRIED),
                    tell("maximumallowedbuffersizeof", 40, Quantity.ALLOWED)),
            // MLX until 0.22, and since.
            Form.measured("[malloc_or_wait]unabletoallocate", "mlx", DEVICE, tell("", 0, Quantity.TRIED)),
            Form.measured("[malloc]unabletoallocate", "mlx", DEVICE, tell("", 0, Quantity.TRIED)),
            Form.of("pooled_storage_manager.h:", "mxnet", Set.of(Claim.OUTSIDE_ALLOCATION))
                    .followedBy("cudamallocfailed:outofmemory"),
            Form.of("cudaerrorinallocate:2(outofmemory)", "tensorrt", DEVICE),
            Form.measured("cudaerror2allocating", "tensorrt", DEVICE, tell("", 0, Quantity.TRIED))
                    .followedBy("outofmemory"),
            Form.of("outofmemoryerrorinnvinfer1", "tensorrt", DEVICE),
            Form.of("initialpoolsizeexceedsthemaximumpoolsize", "rmm", DEVICE),
            Form.of("splitandretryoom:", "rmm", DEVICE),
            Form.measured("failedtoallocdevicememory:", "neuron", DEVICE, tell("", 0, Quantity.TRIED)),
            Form.measured("pt_devmemallocationfailedforsize::", "habana", DEVICE, tell("", 0, Quantity.TRIED)),
            Form.of("resultsincuda_error_out_of_memory", "numba", DEVICE),
            Form.of("cumemallocfailed:outofmemory", "pycuda", DEVICE),
            Form.of("cudafailedwitherror2outofmemory", "tensorview", DEVICE),
            Form.of("parallel_forfailed:outofmemory", "thrust", DEVICE),
            Form.of("instanceof'thrust::system::system_error'what():", "thrust", DEVICE)
                    .followedBy("failed:outofmemory"),
            Form.of("gpuassert:outofmemory", "cuda", DEVICE),
            Form.of("(cudaerrormemoryallocation):outofmemory", "cuda", DEVICE),
            Form.of("cudaerrormemoryallocation-outofmemory", "cuda", DEVICE),
            Form.of("gpubuffer::allocatefailedoutofmemory", "amber", DEVICE),
            Form.of("e==cudaerrorcudartunloading", "cuda", DEVICE).followedBy("cuda:outofmemory"),
            Form.of("cufft_alloc_failed", "cufft", LIBRARY),
            Form.of("cusolver_status_alloc_failed", "cusolver", LIBRARY),
            Form.of("cusparse_status_alloc_failed", "cusparse", LIBRARY),
            Form.measured(
                    "outofmemory.requested",
                    "catboost",
                    DEVICE,
                    tell("", 0, Quantity.TRIED),
                    tell(";free", 1, Quantity.FREE)),
            Form.measured("memoryerror:allocationof", "tinygrad", DEVICE, tell("", 0, Quantity.TRIED))
                    .followedBy("failedon"),
            Form.of("failed:mem_object_allocation_failure", "opencl", DEVICE),
            Form.of("cl_mem_object_allocation_failure", "opencl", DEVICE),
            Form.of("graph_memory_allocation_error:outofmemory", "poplar", DEVICE),
            Form.of("noexecutablebatchsizefound,reachedzero", "accelerate", DEVICE),
            Form.of("makesureyouhaveenoughgpuramtofit", "transformers", DEVICE),
            Form.of("wgpuerror:outofmemory", "wgpu", DEVICE),
            Form.measured("couldnotallocatetensorwith", "directml", DEVICE, tell("", 0, Quantity.TRIED))
                    .followedBy("videomemory"),
            // The host, and who grants it.
            Form.of("cpu_device_storage.h:", "mxnet", HOST).followedBy("failedtoallocatecpumemory"),
            Form.measured("cannotallocatevectorofsize", "r", HOST, tell("", 0, Quantity.TRIED)),
            Form.measured("arrowmemoryerror:mallocofsize", "arrow", HOST, tell("", 0, Quantity.TRIED)),
            Form.measured("arrowmemoryerror:reallocofsize", "arrow", HOST, tell("", 0, Quantity.TRIED)),
            Form.of("fatalerror:runtime:outofmemory", "go", HOST),
            Form.of("failed-javascriptheapoutofmemory", "node", JVM),
            Form.of("runtimeerror:badallocation", "c++", HOST),
            Form.of("llvmerror:outofmemory", "llvm", HOST),
            Form.of("java.lang.outofmemoryerror:javaheapspace", "java", JVM),
            Form.of("java.lang.outofmemoryerror:gcoverheadlimitexceeded", "java", JVM),
            Form.of("java.lang.outofmemoryerror:directbuffermemory", "java", JVM),
            Form.of("failedtomapsegmentfromsharedobject:cannotallocatememory", "linux", HOST),
            Form.of("msg=\"llamarunnerterminated\"error=\"signal:killed", "ollama", KILLED),
            Form.of("llamarunnerprocesshasterminated:signal:killed", "ollama", KILLED),
            Form.of("%memorybudget.restarting", "dask", Set.of(Claim.HOST_MEMORY, Claim.LIMIT)),
            Form.of("aprocessofthisunithasbeenkilledbytheoomkiller", "systemd", HOST),
            Form.of("duetomemorypressurefor/", "systemd-oomd", Set.of(Claim.HOST_MEMORY, Claim.LIMIT)),
            Form.of(
                    "containerkilledbyyarnforexceedingmemorylimits",
                    "yarn",
                    Set.of(Claim.HOST_MEMORY, Claim.LIMIT, Claim.BATCH_SYSTEM)),
            Form.measured(
                    "jobhasgoneover",
                    "htcondor",
                    Set.of(Claim.HOST_MEMORY, Claim.LIMIT, Claim.BATCH_SYSTEM),
                    tell("memorylimitof", 8, Quantity.ALLOWED)),
            Form.of("containerkilledduetomemoryusage", "ecs", Set.of(Claim.HOST_MEMORY, Claim.LIMIT, Claim.CONTAINER)),
            Form.of("yoursessioncrashedafterusingallavailableram", "colab", Set.of(Claim.HOST_MEMORY, Claim.EXHAUSTED)),
            Form.of(
                    "yournotebooktriedtoallocatemorememorythanisavailable",
                    "kaggle",
                    Set.of(Claim.HOST_MEMORY, Claim.EXHAUSTED)));

    private static final List<String> WORDS = FORMS.stream().map(Form::words).toList();

    private static Figure tell(String label, int within, Quantity quantity) {
        return new Figure(label, within, quantity);
    }

    @Override
    public List<String> anchors() {
        return WORDS;
    }

    @Override
    public Optional<ReportDraft> read(Passage passage, int anchor) {
        return FORMS.stream()
                .filter(form -> passage.lower().startsWith(form.words(), anchor))
                .findFirst()
                .map(form -> read(passage, anchor, form))
                .flatMap(Function.identity());
    }

    private static Optional<ReportDraft> read(Passage passage, int anchor, Form form) {
        Cursor cursor = new Cursor(passage, anchor);
        cursor.accept(form.words());
        ReportDraft draft = new ReportDraft(Framework.OTHER, anchor).by(form.library());
        form.claims().forEach(draft::claims);
        draft.upTo(cursor.position());
        if (form.words().equals(FAISS) && LookBack.to("faiss", passage.lower(), anchor, NEAR) < 0) {
            return Optional.empty(); // NCCL's words are the same.
        }
        if (form.library().equals("java") && !isRaised(passage, anchor, cursor)) {
            return Optional.empty();
        }
        if (!form.tail().isEmpty() && !new Cursor(passage, cursor.position()).find(form.tail(), form.reach())) {
            return Optional.empty();
        }
        if (!form.device().isEmpty() && cursor.find(form.device(), 40)) {
            OptionalLong number = cursor.integer();
            number.ifPresent(n -> draft.on("GPU", n));
        }
        if (form.library().equals("mlx")) {
            draft.named("Metal");
        }
        boolean first = true;
        for (Figure figure : form.figures()) {
            if (!tells(cursor, draft, figure) && first && form.needsFigure()) {
                return Optional.empty();
            }
            first = false;
        }
        if (form.library().equals("cuda.jl") && draft.comesToCap()) {
            draft.claims(Claim.LIMIT);
        }
        return Optional.of(draft);
    }

    /** An error of Java's as its machine prints it: behind what raised it, or before its first frame. A title alone is none. */
    private static boolean isRaised(Passage passage, int anchor, Cursor after) {
        String before = passage.lower().substring(Math.max(0, anchor - TAIL), anchor);
        boolean behind = before.endsWith("causedby:")
                || before.contains("exceptioninthread")
                || before.contains("anerroroccurredwhilecalling")
                || before.contains("lostexecutor")
                || before.contains("losttask");
        return behind || JVM_FRAMES.stream().anyMatch(frame -> new Cursor(passage, after.position()).find(frame, TAIL));
    }

    private static final List<String> JVM_FRAMES = List.of(".java:", ".scala:", "(nativemethod)", "(unknownsource)");

    private static boolean tells(Cursor cursor, ReportDraft draft, Figure figure) {
        int before = cursor.position();
        boolean there = figure.label().isEmpty() || cursor.find(figure.label(), figure.within());
        if (there
                && (cursor.size(draft, figure.quantity(), Cursor.ALL_UNITS)
                        || cursor.bytes(draft, figure.quantity()))) {
            draft.upTo(cursor.position());
            return true;
        }
        cursor.moveTo(before);
        return false;
    }
}
