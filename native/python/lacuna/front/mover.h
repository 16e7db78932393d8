// Exchanges the memory of a storage, so that all tensors that share it follow.
#ifndef LACUNA_FRONT_MOVER_H
#define LACUNA_FRONT_MOVER_H

#include <c10/core/StorageImpl.h>

#include "platform.h"

namespace lacuna {

enum Moved { MOVED = 0, NO_MEMORY = 1, FOREIGN = 2, GRAPH = 3 };

// Only memory that an allocator handed out as it hands out all: what was shared with another process, lent, or is copied on
// write has a deleter or a context of its own.
inline bool is_simple(const c10::DataPtr &memory, c10::DeleterFnPtr ours, c10::DeleterFnPtr natives) {
    bool known = memory.get_deleter() == ours || memory.get_deleter() == natives;
    return known && memory.get() != nullptr && memory.get() == memory.get_context();
}

class OnDevice {
 public:
    explicit OnDevice(c10::DeviceIndex device) : before(platform::current_device()) { platform::set_device(device); }
    OnDevice(const OnDevice &) = delete;
    OnDevice &operator=(const OnDevice &) = delete;
    ~OnDevice() { platform::set_device_back(before); }

 private:
    c10::DeviceIndex before;
};

// Nothing is under way on the device while the bytes are copied, and nothing when the former memory goes. Not where the allocator
// had no room but on the side that the storage lies on.
template <class Arrived> Moved move_storage(c10::StorageImpl &storage, c10::Allocator &to, Arrived has_arrived) {
    OnDevice on(storage.device().index());
    c10::DataPtr fresh;
    try {
        fresh = to.allocate(storage.nbytes());
    } catch (const c10::OutOfMemoryError &) {
        return NO_MEMORY; /* of who moves, and not of the training: nothing was asked of it */
    }
    if (!has_arrived(fresh)) return NO_MEMORY;
    if (!platform::synchronize()) return FOREIGN;
    StreamHandle stream = platform::current_stream(storage.device().index());
    const void *former = storage.data_ptr().get();
    if (!platform::copy(fresh.get(), former, storage.nbytes(), stream) || !platform::synchronize()) return FOREIGN;
    storage.set_data_ptr_noswap(std::move(fresh));
    storage.set_allocator(&to);
    return MOVED;
}

} // namespace lacuna

#endif
