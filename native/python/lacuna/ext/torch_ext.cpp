// Compiled by `python3 -m lacuna build-ext` against the headers of the PyTorch that will load it: an out-of-memory of
// the agent then is torch.OutOfMemoryError itself.
#include <c10/util/Exception.h>

extern "C" __attribute__((visibility("default"))) void lacuna_ext_throw(const char *text) {
    C10_THROW_ERROR(OutOfMemoryError, text);
}
