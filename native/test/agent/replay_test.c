/* Many commands in one call do what as many calls do. */
#include "trainer.h"

enum { IDS = 300 };

typedef struct run {
    lacuna_agent *agent;
    void *blocks[IDS];
} run;

/* The same command through the single calls. */
static lacuna_placement by_hand(run *r, const lacuna_command *c) {
    lacuna_placement placed = {0};
    lacuna_agent *a = r->agent;
    switch (c->kind) {
    case LACUNA_COMMAND_ALLOC:
        lacuna_malloc(a, c->value, c->stream, &r->blocks[c->id]);
        if (r->blocks[c->id] != NULL) placed = place(a, r->blocks[c->id]);
        break;
    case LACUNA_COMMAND_FREE:
        lacuna_free(a, r->blocks[c->id]);
        r->blocks[c->id] = NULL;
        break;
    case LACUNA_COMMAND_PHASE: lacuna_phase(a, (int)(c->value / 2), (int)(c->value % 2)); break;
    case LACUNA_COMMAND_EMPTY_CACHE: lacuna_empty_cache(a); break;
    case LACUNA_COMMAND_OPTIMISATION: lacuna_set_optimisation(a, (int)c->value, NULL); break;
    case LACUNA_COMMAND_LIMIT:
        CHECK_EQ(lacuna_set_fraction(a, (double)c->value / (double)(64 * MIB), 1, NULL), LACUNA_OK);
        break;
    case LACUNA_COMMAND_RECORD_STREAM: lacuna_record_stream(a, r->blocks[c->id], c->stream); break;
    case LACUNA_COMMAND_STREAM_DONE: lacuna_stream_done(a, c->stream); break;
    }
    return placed;
}

/* A random command that is legal where the ids in `live` are taken. */
static lacuna_command any_command(uint64_t *seed, int live[IDS]) {
    lacuna_command c = {.kind = LACUNA_COMMAND_ALLOC, .id = (uint32_t)random_below(seed, IDS)};
    uint64_t choice = random_below(seed, 400);
    c.stream = (uint32_t)random_below(seed, 3);
    if (choice == 0) c.kind = LACUNA_COMMAND_EMPTY_CACHE;
    else if (choice < 3) c = (lacuna_command){.kind = LACUNA_COMMAND_OPTIMISATION, .value = random_below(seed, 2)};
    else if (choice < 5) c = (lacuna_command){.kind = LACUNA_COMMAND_LIMIT, .value = (32 + random_below(seed, 33)) * MIB};
    else if (choice < 12) c = (lacuna_command){.kind = LACUNA_COMMAND_PHASE, .value = random_below(seed, 6)};
    else if (choice < 30) c.kind = LACUNA_COMMAND_RECORD_STREAM;
    else if (choice < 50) c.kind = LACUNA_COMMAND_STREAM_DONE;
    else if (live[c.id]) c.kind = LACUNA_COMMAND_FREE;
    else c.value = random_below(seed, UINT64_C(1) << (8 + random_below(seed, 16)));
    if (c.kind == LACUNA_COMMAND_ALLOC) live[c.id] = 1;
    if (c.kind == LACUNA_COMMAND_FREE) live[c.id] = 0;
    return c;
}

static void equals_the_single_calls_placement_by_placement(void) {
    enum { PIECE = 500 };
    uint64_t seed = 5;
    for (uint64_t round = 0; round < effort(4, 60); round++) {
        run r = {.agent = bookkeeper(64 * MIB, (int)(round % 2))};
        lacuna_agent *replayed = bookkeeper(64 * MIB, (int)(round % 2));
        int live[IDS] = {0};
        for (int piece = 0; piece < 12; piece++) {
            lacuna_command commands[PIECE];
            lacuna_placement out[PIECE], expected;
            for (int i = 0; i < PIECE; i++) commands[i] = any_command(&seed, live);
            CHECK_EQ(lacuna_replay(replayed, commands, PIECE, IDS, out), LACUNA_OK);
            CHECK(agent_is_valid(replayed));
            for (int i = 0; i < PIECE; i++) {
                expected = by_hand(&r, &commands[i]);
                CHECK_EQ(memcmp(&out[i], &expected, sizeof expected), 0);
            }
            lacuna_device_counters c = count(r.agent), d = count(replayed);
            c.time_ns = d.time_ns = c.last_step_ns = d.last_step_ns = 0;
            CHECK_EQ(memcmp(&c, &d, sizeof c), 0);
        }
        CHECK(agent_is_valid(r.agent));
        lacuna_close(r.agent);
        lacuna_close(replayed);
    }
}

static void unsound_commands_are_refused_before_anything_is_done(void) {
    const lacuna_command bad[] = {
        {.kind = 0}, {.kind = 10}, {.kind = LACUNA_COMMAND_POLICY, .value = 2}, {.kind = LACUNA_COMMAND_ALLOC, .id = 1, .value = 1},
        {.kind = LACUNA_COMMAND_FREE, .id = UINT32_MAX}, {.kind = LACUNA_COMMAND_PHASE, .value = 6},
        {.kind = LACUNA_COMMAND_OPTIMISATION, .value = 2}, {.kind = LACUNA_COMMAND_LIMIT, .value = 0},
        {.kind = LACUNA_COMMAND_LIMIT, .value = 64 * MIB + 1},
    };
    lacuna_agent *a = bookkeeper(64 * MIB, 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lacuna_command both[2] = {{.kind = LACUNA_COMMAND_ALLOC, .id = 0, .value = 512}, bad[i]};
        CHECK_EQ(lacuna_replay(a, both, 2, 1, NULL), LACUNA_INVALID);
        CHECK_EQ(count(a).allocations, 0);
    }
    CHECK_EQ(lacuna_replay(a, NULL, 1, 1, NULL), LACUNA_INVALID);
    CHECK_EQ(lacuna_replay(a, NULL, 0, 0, NULL), LACUNA_OK);
    lacuna_close(a);
}

int main(void) {
    RUN(equals_the_single_calls_placement_by_placement);
    RUN(unsound_commands_are_refused_before_anything_is_done);
    return 0;
}
