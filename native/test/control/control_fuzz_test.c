/*
 * Feeds the control protocol random and mutated lines. It must answer every one in one printable line, never change a
 * setting that it said it refused, and never leave its buffers (run under AddressSanitizer by `make sanitize`).
 * LACUNA_FUZZ_LINES sets the number of lines, LACUNA_FUZZ_SEED the seed.
 */
#include "control/request.h"
#include "expect.h"

#include <stdint.h>

static uint64_t state;

static uint32_t random_below(uint32_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % bound;
}

static const char *const pieces[] = {
    "hello", "get", "set", "empty-cache", "layers", "profile", "policy", "kinds=KSR", "kinds=KRK", "kinds=dtr", "kinds=off", "kinds=", "kinds=k",
    "fresh=yes", "first=2", "first=9999", "first=", "swap=on", "swap=off", "swap-budget=1MiB", "first=0", "device=0", "device=1", "device=", "optimisation=on", "optimisation=off",
    "optimisation=", "fraction=0.5", "fraction=1", "fraction=1e-9", "fraction=", "fraction=1e", "fraction=0x1p-1",
    "force=yes", "force=no", "by=fuzz", "by=", "=", "==", " ", "  ", "\t", "\"", "text=\"a b\"", "\r", "\x80", "%s%n",
};

static size_t compose(char *line, size_t room) {
    size_t length = 0;
    for (uint32_t words = random_below(8); words > 0; words--) {
        /* Mostly a verb first, so that many lines get past it. */
        uint32_t choices = length == 0 && random_below(4) ? 7 : sizeof pieces / sizeof pieces[0];
        const char *piece = pieces[random_below(choices)];
        size_t bytes = strlen(piece);
        if (length + bytes + 1 > room) break;
        memcpy(line + length, piece, bytes);
        length += bytes;
        if (random_below(8)) line[length++] = ' ';
    }
    return length;
}

static size_t scramble(char *line, size_t length, size_t room) {
    if (random_below(2)) return length;
    for (uint32_t changes = random_below(4); changes > 0; changes--) {
        uint32_t what = random_below(3);
        if (what == 0 && length > 0) line[random_below((uint32_t)length)] = (char)random_below(256);
        else if (what == 1 && length > 0) length = random_below((uint32_t)length);
        else while (length < room && random_below(64)) line[length++] = (char)random_below(256);
    }
    return length;
}

static void expect_sound(const char *reply, size_t bytes) {
    size_t length = strnlen(reply, bytes);
    EXPECT(length > 0 && length < bytes);
    EXPECT(strncmp(reply, "ok", 2) == 0 || strncmp(reply, "error code=", 11) == 0);
    for (size_t i = 0; i < length; i++) EXPECT(reply[i] >= ' ' && reply[i] <= '~');
}

int main(void) {
    const char *lines = getenv("LACUNA_FUZZ_LINES"), *seed = getenv("LACUNA_FUZZ_SEED");
    uint64_t count = lines ? strtoull(lines, NULL, 10) : 50000;
    state = (seed ? strtoull(seed, NULL, 10) : 1) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    lacuna_options options = {.capacity_bytes = UINT64_C(64) << 20};
    lacuna_agent *agent;
    lacuna_device_counters before, after;
    void *block;
    EXPECT(lacuna_open(&options, &agent) == LACUNA_OK);
    EXPECT(lacuna_malloc(agent, UINT64_C(8) << 20, 0, &block) == LACUNA_OK);
    EXPECT(lacuna_rules_known(agent, "dtr") == LACUNA_OK);
    for (uint32_t i = 0, number; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "blocks.%u", i);
        EXPECT(lacuna_swap_layer(agent, name, &number) == LACUNA_OK);
        EXPECT(lacuna_layer_can(agent, number, i == 3 ? LACUNA_LAYER_SWAP : LACUNA_LAYER_SWAP | LACUNA_LAYER_RECOMPUTE,
                                LACUNA_REASON_NONE) == LACUNA_OK);
    }
    uint64_t accepted = 0;
    for (uint64_t i = 0; i < count; i++) {
        char line[LACUNA_LINE_BYTES + 64];
        size_t length = scramble(line, compose(line, sizeof line), sizeof line);
        char *exact = malloc(length + 1); /* so that a sanitizer sees a read past the line */
        EXPECT(exact != NULL);
        memcpy(exact, line, length);
        lacuna_counters(agent, &before);
        char policy[LACUNA_SWAP_LAYERS + 1], policy_after[LACUNA_SWAP_LAYERS + 1];
        lacuna_policy_read(agent, policy);
        char reply[2048];
        request_answer_nobody(agent, exact, length, reply, sizeof reply);
        lacuna_counters(agent, &after);
        free(exact);
        expect_sound(reply, sizeof reply);
        if (reply[0] == 'o') accepted++;
        else EXPECT(before.fraction == after.fraction && before.optimisation == after.optimisation);
        uint32_t letters = lacuna_policy_read(agent, policy_after);
        EXPECT(letters == 0 || (letters == 5 && policy_after[3] != 'R'));
        EXPECT(reply[0] == 'o' || strcmp(policy, policy_after) == 0);
        EXPECT(after.allocated_bytes == UINT64_C(8) << 20);
    }
    printf("ok %llu lines, %llu of them accepted\n", (unsigned long long)count, (unsigned long long)accepted);
    EXPECT(accepted > 0 && accepted < count);
    lacuna_close(agent);
    return 0;
}
