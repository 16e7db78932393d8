// The one C++ file: an out-of-memory must leave c10::alloc_cpu as a C++ exception, so that torch unwinds and Python
// sees a RuntimeError. Every out-of-memory of the agent leaves through this one throw.
#include "torch_abi.h"

#include <stdexcept>

extern "C" void torch_throw_out_of_memory(const char *text) { throw std::runtime_error(text); }
