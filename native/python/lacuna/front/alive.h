// Whether native can still be asked: it is destroyed as the process exits.
#ifndef LACUNA_FRONT_ALIVE_H
#define LACUNA_FRONT_ALIVE_H

#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace lacuna {

// Native is destroyed at exit while the agent's own thread still looks. This library was loaded after native's and is finished
// before it: then nobody asks native any more.
class Alive {
 public:
    Alive() : held(end().lock, std::defer_lock) {
        if (!end().reached.load()) held.lock();
    }
    operator bool() const { return held.owns_lock() && !end().reached.load(); }

 private:
    struct End {
        std::shared_mutex lock;
        std::atomic<bool> reached{false};
    };
    struct AtExit {
        ~AtExit() {
            End &of = end();
            of.reached.store(true);
            for (int ms = 0; ms < 1000; ms++) { /* who asks just now is done in microseconds */
                if (of.lock.try_lock()) {
                    of.lock.unlock();
                    break;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }
    };

    static End &end() {
        static End *one = new End; /* outlives whoever asks */
        return *one;
    }
    static AtExit at_exit;

    std::shared_lock<std::shared_mutex> held;
};
inline Alive::AtExit Alive::at_exit;

} // namespace lacuna

#endif
