// Compiled by `python3 -m lacuna build-ext` against the headers of the PyTorch that will load it: an out-of-memory of
// the agent then is torch.OutOfMemoryError itself (torch.cuda.OutOfMemoryError in 1.13).
#include <Python.h>

#include <c10/util/Exception.h>

#if __has_include(<pybind11/pybind11.h>)
#include <torch/csrc/Exceptions.h>
#else
// Distributions that keep pybind11's headers apart cannot compile that header; of it only this is needed, and it is the
// same from 1.13 on.
namespace torch {
struct PyTorchError : public std::exception {
    PyTorchError(const std::string &text = std::string()) : msg(text) {}
    virtual PyObject *python_type() = 0;
    const char *what() const noexcept override { return msg.c_str(); }
    std::string msg;
};
} // namespace torch
#endif

namespace {

// torch.OutOfMemoryError, torch.cuda.OutOfMemoryError in 1.13.
PyObject *out_of_memory_class() {
    PyObject *found = nullptr;
    for (const char *name : {"torch", "torch.cuda"}) {
        PyObject *module = PyImport_ImportModule(name);
        if (found == nullptr && module != nullptr) found = PyObject_GetAttrString(module, "OutOfMemoryError");
        Py_XDECREF(module);
        PyErr_Clear();
    }
    return found;
}

// DefaultCPUAllocator catches c10::Error, and throws a copy of that base class: c10::OutOfMemoryError would arrive as a
// plain RuntimeError. It lets other classes pass, and of this one PyTorch asks which Python exception it is to be.
struct HostOutOfMemory final : public torch::PyTorchError {
    using torch::PyTorchError::PyTorchError;
    // Asked with the interpreter's lock held. By its name: newer builds of PyTorch do not export the class.
    PyObject *python_type() override {
        static PyObject *const found = out_of_memory_class();
        return found != nullptr ? found : PyExc_RuntimeError;
    }
};

} // namespace

// Device memory: the class that PyTorch's own allocators throw.
extern "C" __attribute__((visibility("default"))) void lacuna_ext_throw(const char *text) {
    C10_THROW_ERROR(OutOfMemoryError, text);
}

extern "C" __attribute__((visibility("default"))) void lacuna_ext_throw_host(const char *text) {
    throw HostOutOfMemory(text);
}
