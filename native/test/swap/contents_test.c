/* Sums over memory: any change of a word is seen, whatever the alignment and the length. */
#include "check.h"
#include "lacuna.h"

#include <string.h>

enum { ROW = 8 * LACUNA_CONTENTS_COLUMNS, MOST = 5 * ROW + 100 };

static unsigned char memory[MOST + 8];

static void fill(void) {
    for (int i = 0; i < MOST + 8; i++) memory[i] = (unsigned char)(i * 131 + i / 256);
}

static uint64_t sums_of(const unsigned char *at, uint64_t bytes, unsigned char made[LACUNA_CONTENTS_BYTES]) {
    memset(made, 0, LACUNA_CONTENTS_BYTES);
    return lacuna_contents_sums(at, bytes, made);
}

static void every_changed_byte_is_seen(void) {
    const uint64_t lengths[] = {0, 1, 7, ROW - 1, ROW, ROW + 1, 2 * ROW + 9, MOST};
    for (int n = 0; n < 8; n++) {
        for (int offset = 0; offset < 8; offset += 3) {
            unsigned char before[LACUNA_CONTENTS_BYTES], after[LACUNA_CONTENTS_BYTES];
            fill();
            uint64_t used = sums_of(memory + offset, lengths[n], before);
            CHECK_EQ(used, ROW + lengths[n] % ROW);
            for (uint64_t i = 0; i < lengths[n]; i++) {
                memory[offset + i] ^= 0x80;
                sums_of(memory + offset, lengths[n], after);
                CHECK(memcmp(before, after, used) != 0);
                memory[offset + i] ^= 0x80;
            }
            sums_of(memory + offset, lengths[n], after);
            CHECK(memcmp(before, after, used) == 0);
        }
    }
}

static void words_are_added_up_column_by_column(void) {
    uint64_t words[2 * LACUNA_CONTENTS_COLUMNS], made[2 * LACUNA_CONTENTS_COLUMNS];
    for (uint64_t i = 0; i < 2 * LACUNA_CONTENTS_COLUMNS; i++) words[i] = i * i + (i << 40);
    CHECK_EQ(lacuna_contents_sums(words, sizeof words, made), (uint64_t)ROW);
    for (int i = 0; i < LACUNA_CONTENTS_COLUMNS; i++) CHECK_EQ(made[i], words[i] + words[i + LACUNA_CONTENTS_COLUMNS]);
}

int main(void) {
    RUN(every_changed_byte_is_seen);
    RUN(words_are_added_up_column_by_column);
    return 0;
}
