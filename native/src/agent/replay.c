/*
 * replay.c - runs a list of commands in one call.
 */
#include "agent/agent.h"
#include "agent/serve.h"

#include "pool/publish.h"
#include "prim/pages.h"

#include <string.h>

/* ------------------------------------------------------------------ checking, before anything is done */

static bool names_block(uint32_t kind) {
    return kind == LACUNA_COMMAND_ALLOC || kind == LACUNA_COMMAND_FREE || kind == LACUNA_COMMAND_RECORD_STREAM;
}

static bool is_sound(const lacuna_agent *a, const lacuna_command *c, uint32_t ids) {
    if (names_block(c->kind)) return c->id < ids;
    switch (c->kind) {
    case LACUNA_COMMAND_PHASE: return c->value < 2 * LACUNA_PHASE_COUNT;
    case LACUNA_COMMAND_OPTIMISATION: return c->value <= 1;
    case LACUNA_COMMAND_POLICY: return c->value <= LACUNA_POOL_POLICY_LIFETIME;
    case LACUNA_COMMAND_LIMIT: return c->value >= 1 && c->value <= a->counters.total_bytes;
    case LACUNA_COMMAND_EMPTY_CACHE:
    case LACUNA_COMMAND_STREAM_DONE: return true;
    default: return false;
    }
}

/* The names outlive the call, so that a long trace can be fed in pieces. */
static bool provide_ids(lacuna_agent *a, uint32_t ids) {
    if (ids <= a->replay.ids) return true;
    block **grown = pages_take(ids * sizeof *grown);
    if (grown == NULL) return false;
    if (a->replay.ids > 0) memcpy(grown, a->replay.blocks, a->replay.ids * sizeof *grown);
    pages_give(a->replay.blocks, a->replay.ids * sizeof *grown);
    a->replay.blocks = grown;
    a->replay.ids = ids;
    return true;
}

/* ------------------------------------------------------------------ doing */

static int allocate(lacuna_agent *a, const lacuna_command *c, lacuna_placement *out) {
    block **named = &a->replay.blocks[c->id];
    if (*named != NULL) return LACUNA_INVALID;
    if (c->value == 0) return LACUNA_OK;
    *named = serve_malloc(a, c->value, c->stream);
    if (*named != NULL) operate_place(*named, out);
    return LACUNA_OK;
}

static int run(lacuna_agent *a, const lacuna_command *c, lacuna_placement *out) {
    block **named = names_block(c->kind) ? &a->replay.blocks[c->id] : NULL;
    switch (c->kind) {
    case LACUNA_COMMAND_ALLOC: return allocate(a, c, out);
    case LACUNA_COMMAND_FREE:
        if (*named != NULL) serve_free(a, *named);
        *named = NULL;
        break;
    case LACUNA_COMMAND_RECORD_STREAM:
        if (*named != NULL) pending_note(a, *named, c->stream);
        break;
    case LACUNA_COMMAND_PHASE: serve_phase(a, (enum lacuna_phase)(c->value / 2), c->value % 2 != 0); break;
    case LACUNA_COMMAND_EMPTY_CACHE: operate_empty_cache(a); break;
    case LACUNA_COMMAND_OPTIMISATION: return serve_set_rules(a, c->value != 0, a->counters.policy) ? LACUNA_OK : LACUNA_SYSTEM;
    case LACUNA_COMMAND_POLICY: return serve_set_rules(a, optimised(a), (uint32_t)c->value) ? LACUNA_OK : LACUNA_SYSTEM;
    case LACUNA_COMMAND_LIMIT:
        operate_set_limit(a, c->value, (double)c->value / (double)a->counters.total_bytes);
        break;
    case LACUNA_COMMAND_STREAM_DONE: pending_stream_done(a, c->stream); break;
    }
    return LACUNA_OK;
}

int lacuna_replay(lacuna_agent *a, const lacuna_command *commands, size_t count, uint32_t ids, lacuna_placement *out) {
    if (a == NULL || (commands == NULL && count > 0)) return LACUNA_INVALID;
    for (size_t i = 0; i < count; i++) {
        if (!is_sound(a, &commands[i], ids)) return LACUNA_INVALID;
    }
    agent_lock(a);
    int status = provide_ids(a, ids) ? LACUNA_OK : LACUNA_SYSTEM;
    for (size_t i = 0; i < count && status == LACUNA_OK; i++) {
        lacuna_placement placed = {0};
        status = run(a, &commands[i], &placed);
        if (out != NULL) out[i] = placed;
    }
    publish_counters(a);
    agent_unlock(a);
    return status;
}
