/* Each system call behind the telemetry file fails once: one line is said, nothing is left, training goes on. */
#include "expect.h"
#include "fault.h"
#include "telemetry/telemetry.h"

#include <sys/resource.h>

static telemetry *opened;
static void open_one(void) { opened = telemetry_open(1); }

static void expect_without(enum call call, int n, int error, const char *said) {
    char text[1024];
    int descriptors = open_descriptors();
    fail(call, n, error);
    hear(text, sizeof text, open_one);
    if (opened || lines_of(text) != 1) fprintf(stderr, "call %d, %d-th: said \"%s\"\n", call, n, text);
    EXPECT(failures(call) == 1);
    EXPECT(opened == NULL && lines_of(text) == 1);
    EXPECT_STARTS(text, "lacuna: no telemetry: ");
    EXPECT_HOLDS(text, said);
    EXPECT(open_descriptors() == descriptors);
    EXPECT(files_ending(".mem") == 0);
    telemetry_event(opened, LACUNA_EVENT_ALLOC, 0, 0, 0, 0, 0);
    telemetry_close(opened, true);
}

static void a_full_disk_is_survived(void) {
    expect_without(CALL_FALLOCATE, 1, ENOSPC, "cannot allocate 2113536 bytes");
    expect_without(CALL_FALLOCATE, 1, EDQUOT, "quota");
}

static void a_read_only_directory_is_survived(void) {
    expect_without(CALL_OPENAT, 2, EROFS, "Read-only file system"); /* the first one sweeps */
    expect_without(CALL_MKDIR, 1, EROFS, "cannot make");
}

static void failing_to_look_is_survived(void) {
    expect_without(CALL_OPEN, 2, EMFILE, "start time");
    expect_without(CALL_READ, 2, EIO, "start time");
    expect_without(CALL_OPEN, 3, EACCES, "cannot open");
    expect_without(CALL_OPEN, 3, ELOOP, "symbolic link");
    expect_without(CALL_FSTAT, 1, EIO, "cannot examine");
}

static void failing_to_map_is_survived(void) { expect_without(CALL_MMAP, 1, ENOMEM, "Cannot allocate memory"); }

static void expect_all_the_same(enum call call, int n, int error) {
    char text[1024];
    fail(call, n, error);
    hear(text, sizeof text, open_one);
    EXPECT(opened != NULL && failures(call) == 1);
    EXPECT_TEXT(text, "");
    telemetry_close(opened, true);
}

static void a_limit_on_file_sizes_is_survived(void) {
    char text[1024];
    struct rlimit before, small;
    EXPECT(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 65536;
    EXPECT(setrlimit(RLIMIT_FSIZE, &small) == 0);
    hear(text, sizeof text, open_one);
    EXPECT(setrlimit(RLIMIT_FSIZE, &before) == 0);
    EXPECT(opened == NULL && lines_of(text) == 1 && files_ending(".mem") == 0);
    EXPECT_HOLDS(text, "File too large");
}

static void what_is_not_needed_may_fail(void) {
    expect_all_the_same(CALL_FALLOCATE, 1, EINTR);
    expect_all_the_same(CALL_OPENAT, 1, EMFILE); /* sweeping */
    expect_all_the_same(CALL_OPEN, 1, EMFILE);   /* the boot's name */
    expect_all_the_same(CALL_READ, 1, EIO);
    for (int n = 4; n <= 6; n++) expect_all_the_same(CALL_OPEN, n, EMFILE); /* the command line, the control group's killer */
}

int main(void) {
    scratch_rendezvous();
    RUN(a_full_disk_is_survived);
    RUN(a_read_only_directory_is_survived);
    RUN(failing_to_look_is_survived);
    RUN(failing_to_map_is_survived);
    RUN(a_limit_on_file_sizes_is_survived);
    RUN(what_is_not_needed_may_fail);
    return 0;
}
