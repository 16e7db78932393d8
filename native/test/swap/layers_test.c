/* Layers of a running model: who asks from outside and who measures and acts within do not get in each other's way. */
#include "swap_world.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAYERS = 40 };

static void name_layers(void) {
    for (uint32_t i = 1, number; i < LAYERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "blocks.%u", i);
        CHECK_EQ(lacuna_swap_layer(agent, name, &number), LACUNA_OK);
        CHECK_EQ(number, i);
    }
    for (uint32_t i = 0; i < LAYERS; i++) {
        CHECK_EQ(lacuna_layer_can(agent, i, LACUNA_LAYER_SWAP | LACUNA_LAYER_RECOMPUTE, LACUNA_REASON_NONE), LACUNA_OK);
    }
}

static void copies_are_told_at_their_rate_for_what_the_layer_saves(void) {
    open_agent(64 * MIB, 64 * MIB);
    CHECK_EQ(lacuna_swap_link(agent, 1000 * MIB, 0), LACUNA_OK);
    tensor t;
    make(&t, 2 * MIB, 7, 1);
    CHECK_EQ(lacuna_swap_out(agent, t.entry, 0), LACUNA_OK);
    let_go(&t);
    bring_back(&t);
    const lacuna_layer_measurement measured = {.forward_ns = 1, .saved_bytes = 8 * MIB, .steps = 1};
    CHECK_EQ(lacuna_profile_layer(agent, swap_layer_number, &measured), LACUNA_OK);
    lacuna_layer_measurement told;
    CHECK_EQ(lacuna_profile_of(agent, swap_layer_number, &told), LACUNA_OK);
    CHECK(told.copy_out_ns >= 8000000 && told.copy_in_ns >= 8000000);
    CHECK_EQ(told.saved_bytes, 8 * MIB);
    lacuna_profile profile;
    int measuring;
    CHECK_EQ(lacuna_profile_read(agent, &profile, &measuring), LACUNA_OK);
    CHECK(profile.link_bytes_per_second > 0 && profile.link_bytes_per_second <= 1000 * MIB);
    unmake(&t);
    close_agent();
}

static void the_peak_of_keeping_everything_counts_what_is_elsewhere(void) {
    open_agent(64 * MIB, 64 * MIB);
    lacuna_phase(agent, LACUNA_PHASE_STEP, 1);
    tensor first, second;
    make(&first, 8 * MIB, 7, 1);
    lacuna_profile_elsewhere(agent, 6 * MIB); /* gone, and then there is more */
    make(&second, 2 * MIB, 7, 1);
    lacuna_profile_elsewhere(agent, 0);
    lacuna_phase(agent, LACUNA_PHASE_STEP, 0);
    CHECK_EQ(lacuna_profile_kept_peak(agent), 16 * MIB);
    lacuna_phase(agent, LACUNA_PHASE_STEP, 1);
    lacuna_phase(agent, LACUNA_PHASE_STEP, 0);
    CHECK_EQ(lacuna_profile_kept_peak(agent), 10 * MIB);
    unmake(&first);
    unmake(&second);
    close_agent();
}

static void what_no_layer_has_is_refused(void) {
    open_agent(64 * MIB, 64 * MIB);
    lacuna_layer_measurement m = {0};
    lacuna_layer_state state;
    CHECK_EQ(lacuna_profile_layer(agent, 1, &m), LACUNA_INVALID);
    CHECK_EQ(lacuna_profile_of(agent, 1, &m), LACUNA_INVALID);
    CHECK_EQ(lacuna_layer_state_of(agent, 1, &state), LACUNA_INVALID);
    CHECK_EQ(lacuna_layer_can(agent, 0, LACUNA_LAYER_SWAP, LACUNA_REASONS), LACUNA_INVALID);
    CHECK_EQ(lacuna_layer_does(agent, 0, 3), LACUNA_INVALID);
    CHECK_EQ(lacuna_layer_does(agent, 1, LACUNA_LAYER_KEEP), LACUNA_INVALID);
    close_agent();
}

static void a_forked_child_is_told_nothing(void) {
    open_agent(64 * MIB, 64 * MIB);
    name_layers();
    lacuna_policy_change change;
    CHECK_EQ(lacuna_policy_tell(agent, 0, "SRK", &change), LACUNA_POLICY_TOLD);
    CHECK_EQ(lacuna_profile_ask(agent, 1), LACUNA_OK);
    agent_hold(agent);
    pid_t child = fork();
    if (child == 0) {
        agent_fork_child(agent);
        uint64_t asked = lacuna_layers_asked(agent);
        _exit((asked & (3u | LACUNA_ASKED_PROFILE | LACUNA_ASKED_POLICY)) == 0 ? 0 : 1);
    }
    agent_release(agent);
    int status = 1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    char letters[LACUNA_SWAP_LAYERS + 1];
    CHECK_EQ(lacuna_policy_read(agent, letters), LAYERS);
    CHECK(strncmp(letters, "SRKKK", 5) == 0);
    close_agent();
}

static void a_rule_takes_the_place_of_letters_and_they_of_it(void) {
    open_agent(64 * MIB, 64 * MIB);
    name_layers();
    lacuna_policy_change change;
    char names[LACUNA_RULES * LACUNA_RULE_BYTES], rule[LACUNA_RULE_BYTES], letters[LACUNA_SWAP_LAYERS + 1];
    CHECK_EQ(lacuna_policy_tell(agent, 0, "dtr", &change), LACUNA_POLICY_LETTERS); /* nobody has it */
    CHECK_EQ(lacuna_rules_known(agent, "dtr,,much-too-long-a-name,capuchin"), LACUNA_OK);
    lacuna_rules_read(agent, names, rule);
    CHECK(strcmp(names, "dtr,capuchin") == 0 && rule[0] == '\0');
    CHECK_EQ(lacuna_policy_tell(agent, 0, "SRK", &change), LACUNA_POLICY_TOLD);
    CHECK_EQ(lacuna_policy_tell(agent, 0, "capuchin", &change), LACUNA_POLICY_TOLD);
    CHECK(strncmp(change.before, "SRK", 3) == 0);
    CHECK_EQ(lacuna_policy_read(agent, letters), 0);
    CHECK((lacuna_layers_asked(agent) & (LACUNA_ASKED_RULE | LACUNA_ASKED_POLICY)) == LACUNA_ASKED_RULE);
    lacuna_rules_read(agent, names, rule);
    CHECK(strcmp(rule, "capuchin") == 0);
    CHECK_EQ(lacuna_rules_dropped(agent, 3), LACUNA_OK);
    CHECK_EQ(lacuna_rules_dropped(agent, 4), LACUNA_OK);
    CHECK_EQ(lacuna_rules_dropped_bytes(agent), 7);
    CHECK_EQ(lacuna_policy_tell(agent, 0, "unheard-of", &change), LACUNA_POLICY_LETTERS); /* which changes nothing */
    CHECK_EQ(lacuna_policy_tell(agent, 0, "KKS", &change), LACUNA_POLICY_TOLD);
    CHECK(strcmp(change.before, "capuchin") == 0);
    CHECK((lacuna_layers_asked(agent) & (LACUNA_ASKED_RULE | LACUNA_ASKED_POLICY)) == LACUNA_ASKED_POLICY);
    CHECK_EQ(lacuna_policy_tell(agent, 0, "dtr", &change), LACUNA_POLICY_TOLD);
    CHECK_EQ(lacuna_policy_tell(agent, 0, NULL, &change), LACUNA_POLICY_TOLD);
    CHECK((lacuna_layers_asked(agent) & (LACUNA_ASKED_RULE | LACUNA_ASKED_POLICY)) == 0);
    lacuna_swap_set(agent, LACUNA_SWAP_OFF, LACUNA_SWAP_KEEP_BUDGET);
    CHECK_EQ(lacuna_policy_tell(agent, 0, "dtr", &change), LACUNA_POLICY_SWAP_OFF);
    close_agent();
}

/* ------------------------------------------------------------------ stress */

static atomic_bool over;

static void *tell(void *argument) {
    uint64_t dice = (uint64_t)(uintptr_t)argument + 7;
    for (uint64_t turn = effort(2000, 50000); turn > 0; turn--) {
        char letters[LAYERS + 1] = {0};
        uint64_t count = 1 + random_below(&dice, LAYERS), first = random_below(&dice, LAYERS);
        for (uint64_t i = 0; i < count; i++) letters[i] = "KSR"[random_below(&dice, 3)];
        lacuna_policy_change change;
        int status = lacuna_policy_tell(agent, (uint32_t)first, random_below(&dice, 20) ? letters : NULL, &change);
        CHECK(status == LACUNA_POLICY_TOLD || status == LACUNA_POLICY_TOO_MANY || status == LACUNA_POLICY_SWAP_OFF ||
              status == LACUNA_POLICY_CANNOT);
        CHECK(strspn(change.before, "KSR") == strlen(change.before));
        if (random_below(&dice, 4) == 0) lacuna_profile_ask(agent, 1);
        if (random_below(&dice, 16) == 0) lacuna_swap_set(agent, (int)random_below(&dice, 3), LACUNA_SWAP_KEEP_BUDGET);
    }
    return NULL;
}

static void *act(void *argument) {
    uint64_t dice = (uint64_t)(uintptr_t)argument + 70;
    while (!atomic_load(&over)) {
        uint64_t asked = lacuna_layers_asked(agent);
        char letters[LACUNA_SWAP_LAYERS + 1];
        uint32_t count = lacuna_policy_read(agent, letters);
        CHECK(count == 0 || count == LAYERS);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_EQ(lacuna_layer_does(agent, i, letters[i] == 'S' ? LACUNA_LAYER_SWAP : LACUNA_LAYER_KEEP), LACUNA_OK);
        }
        uint32_t number = (uint32_t)random_below(&dice, LAYERS);
        lacuna_layer_measurement m = {.forward_ns = dice, .saved_bytes = 1, .steps = 1};
        CHECK_EQ(lacuna_profile_layer(agent, number, &m), LACUNA_OK);
        CHECK_EQ(lacuna_layer_can(agent, number, (uint32_t)random_below(&dice, 8), LACUNA_REASON_FAILED), LACUNA_OK);
        if (asked & LACUNA_ASKED_PROFILE) CHECK_EQ(lacuna_profile_done(agent, &(lacuna_profile){1, 2, 3, 4}), LACUNA_OK);
        tensor t = {.bytes = MIB, .seed = 5};
        make(&t, MIB, 5, 1);
        lacuna_swap_out(agent, t.entry, 0);
        unmake(&t);
    }
    return NULL;
}

static void *look(void *argument) {
    (void)argument;
    while (!atomic_load(&over)) {
        for (uint32_t i = 0; i < LAYERS; i++) {
            lacuna_layer_usage usage;
            lacuna_layer_measurement m;
            lacuna_layer_state state;
            CHECK_EQ(lacuna_swap_usage(agent, i, &usage), LACUNA_OK);
            CHECK_EQ(lacuna_profile_of(agent, i, &m), LACUNA_OK);
            CHECK_EQ(lacuna_layer_state_of(agent, i, &state), LACUNA_OK);
            CHECK(m.can & LACUNA_LAYER_KEEP);
            CHECK(strchr("KSR", state.asked) != NULL && strchr("KSR", state.does) != NULL);
        }
    }
    return NULL;
}

static void policies_come_while_layers_swap_and_are_looked_at(void) {
    open_agent(64 * MIB, 64 * MIB);
    name_layers();
    pthread_t told[2], acts, looks;
    atomic_store(&over, false);
    for (uintptr_t i = 0; i < 2; i++) CHECK(pthread_create(&told[i], NULL, tell, (void *)i) == 0);
    CHECK(pthread_create(&acts, NULL, act, NULL) == 0 && pthread_create(&looks, NULL, look, NULL) == 0);
    for (int i = 0; i < 2; i++) pthread_join(told[i], NULL);
    atomic_store(&over, true);
    pthread_join(acts, NULL);
    pthread_join(looks, NULL);
    CHECK(agent_is_valid(agent));
    close_agent();
}

int main(void) {
    RUN(copies_are_told_at_their_rate_for_what_the_layer_saves);
    RUN(the_peak_of_keeping_everything_counts_what_is_elsewhere);
    RUN(what_no_layer_has_is_refused);
    RUN(a_forked_child_is_told_nothing);
    RUN(a_rule_takes_the_place_of_letters_and_they_of_it);
    RUN(policies_come_while_layers_swap_and_are_looked_at);
    return 0;
}
