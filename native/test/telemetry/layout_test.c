/* The layout as data names every field, in order, without holes that nobody owns. */
#include "check.h"
#include "lacuna.h"

static const lacuna_field *field(const char *name) {
    for (const lacuna_field *f = lacuna_layout(); f->name != NULL; f++) {
        if (strcmp(f->name, name) == 0) return f;
    }
    fprintf(stderr, "no field %s\n", name);
    exit(1);
}

static void fields_follow_each_other_within_their_record(void) {
    const lacuna_field *before = NULL;
    int records = 0;
    for (const lacuna_field *f = lacuna_layout(); f->name != NULL; f++) {
        const char *dot = strchr(f->name, '.');
        if (dot == NULL) {
            records++;
            before = NULL;
            continue;
        }
        char record[16] = {0};
        memcpy(record, f->name, (size_t)(dot - f->name));
        CHECK((uint64_t)f->offset + f->size <= field(record)->size);
        CHECK(before == NULL ? f->offset == 0 : f->offset >= before->offset + before->size);
        before = f;
    }
    CHECK_EQ(records, 4);
}

static void the_numbers_of_the_wire_hold(void) {
    CHECK_EQ(field("header")->size, LACUNA_HEADER_BYTES);
    CHECK_EQ(field("device")->size, 512);
    CHECK_EQ(field("event")->size, 32);
    CHECK_EQ(field("header.event_head")->offset, 128);
    CHECK_EQ(field("header.devices")->offset, 1024);
    CHECK_EQ(field("header.oom_text")->size, LACUNA_OOM_TEXT_BYTES);
    CHECK_EQ(field("device.lowest_safe_limit_bytes")->offset, 320);
}

int main(void) {
    RUN(fields_follow_each_other_within_their_record);
    RUN(the_numbers_of_the_wire_hold);
    return 0;
}
