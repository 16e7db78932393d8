/* What an out-of-memory says. */
#include "pool/message.h"
#include "trainer.h"

static void expect_size(uint64_t bytes, const char *expected) {
    char text[MESSAGE_SIZE_BYTES];
    message_size(bytes, text);
    if (strcmp(text, expected) != 0) fprintf(stderr, "%s, expected %s\n", text, expected);
    CHECK(strcmp(text, expected) == 0);
}

static void expect_oom(lacuna_agent *a, const char *expected) {
    char text[LACUNA_OOM_TEXT_BYTES];
    size_t length = lacuna_last_oom(a, text, sizeof text);
    if (strcmp(text, expected) != 0) fprintf(stderr, "is       %s\nexpected %s\n", text, expected);
    CHECK(strcmp(text, expected) == 0);
    CHECK_EQ(length, strlen(expected));
}

static void sizes_are_written_as_pytorch_writes_them(void) {
    expect_size(0, "0 bytes");
    expect_size(1024, "1024 bytes");
    expect_size(1025, "1.00 KiB");
    expect_size(MIB, "1024.00 KiB");
    expect_size(MIB + 1, "1.00 MiB");
    expect_size(GIB, "1024.00 MiB");
    expect_size(GIB + GIB / 2, "1.50 GiB");
    expect_size(UINT64_MAX, "17179869184.00 GiB");
}

static void the_stock_policy_names_the_segment_that_it_could_not_get(void) {
    lacuna_agent *a = bookkeeper(64 * MIB, 0);
    take(a, 40 * MIB);
    CHECK_EQ(lacuna_set_fraction(a, 0.75, 0, NULL), LACUNA_OK);
    refuse(a, 5 * MIB);
    expect_oom(a, "Lacuna out of memory. Tried to allocate 20.00 MiB (virtual 0; 64.00 MiB total capacity; "
                  "40.00 MiB already allocated; 40.00 MiB current active; 24.00 MiB free; 48.00 MiB allowed; "
                  "40.00 MiB reserved in total by PyTorch) gap 0 bytes: 0 bytes releasable, 0 bytes split, "
                  "0 bytes pending. Optimisation off.");
    lacuna_close(a);
}

static void the_optimised_policy_names_the_rounded_request_and_the_gap_s_parts(void) {
    lacuna_agent *a = agent_with((lacuna_options){.capacity_bytes = 16 * MIB, .optimisation = 1, .device = 3,
        .other_bytes = 4 * MIB, .bookkeeping_only = 1});
    void *p = take(a, 3 * MIB), *q = take(a, 3 * MIB), *r = take(a, 4 * MIB);
    CHECK_EQ(lacuna_record_stream(a, r, 9), LACUNA_OK);
    give(a, p);
    give(a, r);
    refuse(a, 10 * MIB + 1);
    expect_oom(a, "Lacuna out of memory. Tried to allocate 10.00 MiB (virtual 3; 16.00 MiB total capacity; "
                  "3.00 MiB already allocated; 7.00 MiB current active; 2.00 MiB free; "
                  "10.00 MiB reserved in total by PyTorch) gap 7.00 MiB: 2.00 MiB releasable, 1024.00 KiB split, "
                  "4.00 MiB pending. Optimisation on.");
    give(a, q);
    char cut[8];
    CHECK(lacuna_last_oom(a, cut, sizeof cut) > 100);
    CHECK(strcmp(cut, "Lacuna ") == 0);
    CHECK(lacuna_last_oom(a, NULL, 0) > 100);
    lacuna_close(a);
}

int main(void) {
    RUN(sizes_are_written_as_pytorch_writes_them);
    RUN(the_stock_policy_names_the_segment_that_it_could_not_get);
    RUN(the_optimised_policy_names_the_rounded_request_and_the_gap_s_parts);
    return 0;
}
