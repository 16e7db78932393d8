// What Python calls of a front that stands (front/__init__.py, compact/move.py). Included once, behind the front's own functions.
#ifndef LACUNA_FRONT_EXPORTS_H
#define LACUNA_FRONT_EXPORTS_H

extern "C" {

// Whether a captured graph lives, or a private pool.
__attribute__((visibility("default"))) int lacuna_front_has_graphs(void) {
    return lacuna::front->has_graphs();
}

// Moves the memory of a c10::StorageImpl to the side that serves its device now (lacuna::Moved).
__attribute__((visibility("default"))) int lacuna_front_move(void *storage) {
    try {
        return lacuna::front->move(*static_cast<c10::StorageImpl *>(storage));
    } catch (const std::exception &) {
        return lacuna::FOREIGN; /* refused by the device; the storage is as it was */
    }
}

__attribute__((visibility("default"))) void lacuna_front_release_other(int device) {
    lacuna::front->release_other(static_cast<c10::DeviceIndex>(device));
}

// Whether something waits for the end of a step. Costs nothing.
__attribute__((visibility("default"))) int lacuna_front_is_owing(void) {
    return lacuna::front->is_owing();
}

// A step has ended. Without Python's lock.
__attribute__((visibility("default"))) void lacuna_front_settle(void) {
    try {
        lacuna::front->settle();
    } catch (const std::exception &) {
        /* the device refuses everything: training hears of it itself */
    }
}

// Native alone serves again, until a front is installed anew. 0 where that cannot be now.
__attribute__((visibility("default"))) int lacuna_front_remove(void) {
    return lacuna::remove();
}

} // extern "C"

#endif
