/*
 * real_allocator.h - c10::cuda::CUDACachingAllocator of libtorch 2.7.1 without its headers: the order of the virtual
 * functions and the layout of its statistics as they stand in that library.
 */
#ifndef LACUNA_REAL_ALLOCATOR_H
#define LACUNA_REAL_ALLOCATOR_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace real {

/* c10::CachingAllocator::Stat, three of them to an array: all, small pool, large pool. */
struct Stat {
    int64_t current, peak, allocated, freed;
};

struct Statistics {
    Stat allocation[3], segment[3], active[3], inactive_split[3];
    Stat allocated_bytes[3], reserved_bytes[3], active_bytes[3], inactive_split_bytes[3], requested_bytes[3];
    int64_t alloc_retries, ooms;
    int64_t rest[512]; /* later fields; the library writes them, nobody here reads them */
    Statistics(const Statistics &) = default;
    ~Statistics() {} /* not trivial, so that it is returned through memory as the library does */
};

struct Allocator {
    virtual ~Allocator();
    virtual void slot2();
    virtual void slot3();
    virtual void slot4();
    virtual void slot5();
    virtual void *raw_alloc(size_t bytes);
    virtual void *raw_alloc_with_stream(size_t bytes, void *stream);
    virtual void raw_delete(void *block);
    virtual void init(int devices);
    virtual bool initialized();
    virtual double get_memory_fraction(signed char device);
    virtual void set_memory_fraction(double fraction, signed char device);
    virtual void empty_cache();
    virtual void enable(bool on);
    virtual bool is_enabled() const;
    virtual void cache_info(signed char device, size_t *largest);
    virtual void *base(void *block, size_t *bytes);
    virtual void slot18();
    virtual Statistics statistics(signed char device);
};

extern std::atomic<Allocator *> current asm("_ZN3c104cuda20CUDACachingAllocator9allocatorE");

} // namespace real

#endif
