/*
 * operation.h - what an agent does, under its lock, with nothing but pools. serve.h adds swapping and the guard.
 * Each is one moment of docs/allocator.md; none publishes the counters.
 */
#ifndef LACUNA_OPERATION_H
#define LACUNA_OPERATION_H

#include "pool/policy.h"
#include "pool/state.h"

/* The block, or NULL: then memory may be let go elsewhere and the request made again, or it has failed. */
block *operate_malloc(lacuna_agent *a, alloc_request *r);
/* The lock was given away since. */
void operate_resume(lacuna_agent *a, const alloc_request *r);
void operate_fail(lacuna_agent *a, const alloc_request *r);
/* The framework's own allocator was asked last and has failed, with these words. */
void operate_failed(lacuna_agent *a, uint64_t tried, const char *text);
/* A block of another agent's that lies here in its copy, in no list yet: it was handed out long ago. */
void operate_adopt(lacuna_agent *a, block *b, uint64_t requested, uint64_t stream);
void operate_free(lacuna_agent *a, block *b);
/* False for an end without a begin, which is ignored. */
bool operate_phase(lacuna_agent *a, enum lacuna_phase phase, bool begin);

/* Phases with names (named.h). */
void operate_named_phase(lacuna_agent *a, const char *name, bool begin);
bool operate_named_use(const lacuna_agent *a, uint32_t number, lacuna_named_use *out);
void operate_empty_cache(lacuna_agent *a);
/* For what is about to move to the stock pools: a free segment of just the large blocks' bytes, and one of `longest`, the block
 * that each is exchanged by. Nothing where another policy serves, and where there is no room for both. */
void operate_make_room(lacuna_agent *a, uint64_t bytes, uint64_t longest);
/* On or off, and by which lacuna_pool_policy; false, and nothing changed, without memory for what that one records. */
bool operate_set_rules(lacuna_agent *a, bool on, uint32_t policy);
/* The cap in bytes, and the fraction that it came from. No guard. */
void operate_set_limit(lacuna_agent *a, uint64_t limit, double fraction);
void operate_place(const block *b, lacuna_placement *out);

/* Brings the counters that follow from others up to date. */
void operate_settle_counters(lacuna_agent *a);

#endif
