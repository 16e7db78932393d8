package dev.lacuna.bridge.find;

import java.util.List;

/** The frameworks that are looked for. A new one is a line here. What a process is called after stands first. */
enum FrameworkKind {
    TORCH_NPU("torch_npu", true, "/libtorch_npu.so", "/torch_npu/_C."),
    MINDSPORE("mindspore", false, "/mindspore/_c_expression", "/libmindspore_core", "/libmindspore_backend"),
    TORCH("torch", true, "/libtorch_python.so", "/libtorch_cpu.so", "/torch/_C."),
    JAX("jax", false, "/jaxlib/", "/libjax_common");

    private final String packageName;
    private final boolean attachable;
    private final List<String> marks;

    FrameworkKind(String packageName, boolean attachable, String... marks) {
        this.packageName = packageName;
        this.attachable = attachable;
        this.marks = List.of(marks);
    }

    /** As its Python package is called. */
    String packageName() {
        return packageName;
    }

    /** Whether it answers to what attaching puts into a process. */
    boolean attachable() {
        return attachable;
    }

    /** Whether this text, a mapped file or all of a process's, names one of its libraries. */
    boolean isIn(String text) {
        return marks.stream().anyMatch(text::contains);
    }
}
