/*
 * What is read of a process before it is touched: its status, its maps, its Python's table for debuggers, on made texts and
 * images; and names looked up in this very process.
 */
#include "check.h"
#include "graft/elf.h"
#include "graft/filters.h"
#include "graft/maps.h"
#include "graft/memory.h"
#include "graft/offsets.h"
#include "graft/process.h"
#include "graft/report.h"
#include "graft/script.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ /proc */

static void a_status_tells_users_tracer_seccomp_and_pending_signals(void) {
    graft_process p = {0};
    graft_process_parse("Name:\tTracerPid:\t9\nTracerPid:\t42\nUid:\t1000\t1001\t1002\t1003\nSigPnd:\t0000000000000002\n"
                        "ShdPnd:\t0000000000000000\nSigBlk:\t0000000000000000\nSeccomp:\t2\nNSpid:\t4711\t17\nx86_Thread_features:\tshstk wrss\n",
                        &p);
    CHECK_EQ(p.tracer, 42);
    CHECK_EQ(p.uid[0], 1000);
    CHECK_EQ(p.uid[2], 1002);
    CHECK_EQ(p.seccomp, 2);
    CHECK_EQ(p.own_pid, 17);
    CHECK(p.shadow_stack);
    CHECK(p.signals_pending);
}

static void a_blocked_signal_is_not_pending_and_a_missing_line_is_no_user(void) {
    graft_process p = {0};
    graft_process_parse("SigPnd:\t0000000000000002\nSigBlk:\t0000000000000002\nx86_Thread_features:\t\nName:\tshstk\n", &p);
    CHECK(!p.signals_pending);
    CHECK(!p.shadow_stack);
    CHECK_EQ(p.uid[1], (uid_t)-1);
}

static void a_process_that_has_ended_is_a_zombie_until_it_is_waited_for(void) {
    graft_process p;
    pid_t child = fork();
    if (child == 0) _exit(0);
    for (int n = 0; n < 1000000; n++) {
        if (graft_process_read(child, &p) && p.state == 'Z') break;
    }
    CHECK_EQ(p.state, 'Z');
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK(!graft_process_read(child, &p));
}

/* ------------------------------------------------------------------ filters */

static graft_process filtered(const char *filters, const char *rights, int32_t own_pid) {
    graft_process p = {0};
    char status[256];
    snprintf(status, sizeof status, "NSpid:\t4711\t%d\nSeccomp:\t2\n%s%s", own_pid, filters, rights);
    graft_process_parse(status, &p);
    return p;
}

#define COUNT(n) "Seccomp_filters:\t" #n "\n"
#define DOCKER "NoNewPrivs:\t0\nCapBnd:\t00000000a80425fb\n"
#define GAVE_UP "NoNewPrivs:\t1\nCapBnd:\t00000000a80425fb\n"
#define HOST "NoNewPrivs:\t0\nCapBnd:\t000001ffffffffff\n"

static void filters_of_the_first_process_are_the_container_s_and_one_more_is_its_own(void) {
    graft_process first = filtered(COUNT(1), GAVE_UP, 1), same = filtered(COUNT(1), GAVE_UP, 17), more = filtered(COUNT(2), DOCKER, 17);
    CHECK_EQ(same.filters, 1);
    CHECK_EQ(same.namespaces, 2);
    CHECK(graft_filters_allow(&same, &first, NULL));
    CHECK(!graft_filters_allow(&more, &first, NULL));
    CHECK(!graft_filters_allow(&same, NULL, NULL));
    first.seccomp = first.filters = 0; /* as the host's, which has none */
    CHECK(!graft_filters_allow(&same, &first, NULL));
}

static void as_many_as_we_have_in_the_same_container_are_no_matter(void) {
    graft_process p = filtered(COUNT(2), GAVE_UP, 17), self = filtered(COUNT(2), GAVE_UP, 18);
    CHECK(graft_filters_allow(&p, NULL, &self));
    self.filters = 3; /* perhaps others than its */
    CHECK(!graft_filters_allow(&p, NULL, &self));
}

static void who_could_not_lay_a_filter_has_been_given_it(void) {
    graft_process docker = filtered(COUNT(1), DOCKER, 1), gave_up = filtered(COUNT(1), GAVE_UP, 1), host = filtered(COUNT(1), HOST, 1);
    CHECK(graft_filters_allow(&docker, &docker, NULL));
    CHECK(!graft_filters_allow(&gave_up, &gave_up, NULL));
    CHECK(!graft_filters_allow(&host, &host, NULL));
}

static void a_kernel_that_does_not_count_them_leaves_only_that(void) {
    graft_process first = filtered("", DOCKER, 1), docker = filtered("", DOCKER, 17), gave_up = filtered("", GAVE_UP, 17);
    graft_process host = filtered("", HOST, 17), not_told = filtered("", "", 17);
    CHECK_EQ(docker.filters, -1);
    CHECK(graft_filters_allow(&docker, &first, NULL));
    CHECK(!graft_filters_allow(&gave_up, &first, &gave_up));
    CHECK(!graft_filters_allow(&host, &first, &host));
    CHECK(!graft_filters_allow(&not_told, &first, NULL));
    CHECK(!graft_filters_allow(&docker, NULL, NULL));
}

/* ------------------------------------------------------------------ maps */

static void add(graft_maps *maps, const char *line) { CHECK(graft_maps_add(maps, line)); }

static void pieces_of_a_file_are_one_module_with_its_code(void) {
    graft_maps maps = {0};
    add(&maps, "1000-2000 r--p 00000000 08:01 77  /usr/lib/libpython3.11.so.1.0\n");
    add(&maps, "2000-5000 r-xp 00001000 08:01 77  /usr/lib/libpython3.11.so.1.0\n");
    add(&maps, "5000-6000 rw-p 00004000 08:01 77  /usr/lib/libpython3.11.so.1.0\n");
    add(&maps, "6000-7000 rw-p 00000000 00:00 0 \n");
    CHECK_EQ(maps.count, 1);
    CHECK_EQ(maps.modules[0].base, 0x1000);
    CHECK_EQ(maps.modules[0].end, 0x6000);
    CHECK_EQ(maps.modules[0].code, 0x2000);
    CHECK(strcmp(maps.modules[0].name, "libpython3.11.so.1.0") == 0);
    graft_maps_free(&maps);
}

static void names_with_blanks_and_of_deleted_files_are_told(void) {
    graft_maps maps = {0};
    add(&maps, "1000-2000 r-xp 00000000 08:01 77  /home/a b/python3.9 (deleted)\n");
    add(&maps, "3000-4000 rw-p 00000000 00:00 0  [stack]\n");
    add(&maps, "5000-6000 r-xp 00000000 00:00 0  [vdso]");
    add(&maps, "7000-8000 rw-p 00000000 00:00 0  [heap]\n");
    add(&maps, "nonsense\n");
    CHECK_EQ(maps.count, 3);
    CHECK(strcmp(maps.modules[0].name, "python3.9") == 0);
    CHECK(graft_maps_find(&maps, "[stack]") != NULL);
    CHECK_EQ(graft_maps_find(&maps, "[vdso]")->base, 0x5000);
    CHECK(graft_maps_find(&maps, "libc.so.6") == NULL);
    graft_maps_free(&maps);
}

/* ------------------------------------------------------------------ ELF */

static void names_hash_as_the_formats_say(void) {
    CHECK_EQ(graft_elf_gnu_hash_of("printf"), 0x156b2bb8);
    CHECK_EQ(graft_elf_hash_of("printf"), 0x077905a6);
    CHECK_EQ(graft_elf_gnu_hash_of(""), 5381);
}

static void what_the_c_library_exports_is_found_in_memory(void) {
    graft_maps maps;
    graft_elf elf;
    CHECK(graft_maps_read(getpid(), &maps));
    const graft_module *libc = graft_maps_find(&maps, "libc.so.6");
    CHECK(libc != NULL);
    CHECK_EQ(graft_elf_open(&elf, getpid(), libc->base), GRAFT_ELF_DYNAMIC);
    uint64_t found = graft_elf_find(&elf, "getppid");
    pid_t (*call)(void);
    CHECK(found >= libc->base && found < libc->end);
    memcpy(&call, &found, sizeof call);
    CHECK_EQ(call(), getppid());
    CHECK_EQ(graft_elf_find(&elf, "no_such_name_at_all"), 0);
    graft_maps_free(&maps);
}

static void what_is_no_elf_file_is_none(void) {
    graft_elf elf;
    static const char text[4096] = "no ELF";
    CHECK_EQ(graft_elf_open(&elf, getpid(), (uint64_t)(uintptr_t)text), GRAFT_ELF_NONE);
    CHECK_EQ(graft_elf_open(&elf, getpid(), 0), GRAFT_ELF_NONE);
}

static void text_is_read_up_to_its_zero(void) {
    static const char text[] = "a name that is longer than the room";
    char room[16];
    CHECK(graft_read_text(getpid(), (uint64_t)(uintptr_t)text, room, sizeof room));
    CHECK(strcmp(room, "a name that is ") == 0);
    CHECK(!graft_read_text(getpid(), 8, room, sizeof room));
}

/* ------------------------------------------------------------------ the table for debuggers */

/* As of CPython 3.14: words by their place. */
static void lay_table(uint64_t *words, uint32_t version) {
    static const uint64_t head[] = {0, 0, 0, 316616, 784, 808, 225864, 7280, 7272, 7344, 7360, 7408, 7688, 7672, 7680, 16,
                                    7784, 0, 7800, 7792, 7992, 0, 832, 0, 8, 16, 72, 152, 160, 232, 32};
    static const uint64_t tail[] = {24, 304, 8076, 0, 4, 512};
    memset(words, 0, GRAFT_OFFSETS_BYTES);
    memcpy(words, head, sizeof head);
    memcpy(words, "xdebugpy", 8);
    words[1] = version;
    memcpy(words + 89, tail, sizeof tail);
}

static void the_table_of_3_14_is_understood(void) {
    uint64_t words[GRAFT_OFFSETS_BYTES / 8];
    graft_offsets o;
    lay_table(words, 0x030e08f0);
    CHECK(graft_offsets_parse((const uint8_t *)words, sizeof words, &o));
    CHECK_EQ(o.version, 0x030e);
    CHECK_EQ(o.interpreters_head, 808);
    CHECK_EQ(o.threads_main, 7360);
    CHECK_EQ(o.thread_interpreter, 16);
    CHECK_EQ(o.thread_native_id, 160);
    CHECK_EQ(o.eval_breaker, 24);
    CHECK_EQ(o.support, 304);
    CHECK_EQ(o.remote_debugging_enabled, 8076);
    CHECK_EQ(o.script_path, 4);
    CHECK_EQ(o.script_path_bytes, 512);
}

static void a_table_that_has_grown_in_the_middle_is_understood(void) {
    uint64_t words[GRAFT_OFFSETS_BYTES / 8];
    graft_offsets o;
    lay_table(words, 0x030f00a0);
    memmove(words + 95, words + 89, 6 * 8);
    memset(words + 89, 0x11, 6 * 8);
    CHECK(graft_offsets_parse((const uint8_t *)words, sizeof words, &o));
    CHECK_EQ(o.support, 304);
}

static void a_table_that_makes_no_sense_is_refused(void) {
    uint64_t words[GRAFT_OFFSETS_BYTES / 8];
    graft_offsets o;
    const uint8_t *table = (const uint8_t *)words;
    lay_table(words, 0x030d00f0);
    CHECK(!graft_offsets_parse(table, sizeof words, &o));
    lay_table(words, 0x030e08f0);
    words[0] ^= 1;
    CHECK(!graft_offsets_parse(table, sizeof words, &o));
    lay_table(words, 0x030e08f0);
    words[94] = 256;
    CHECK(!graft_offsets_parse(table, sizeof words, &o));
    lay_table(words, 0x030e08f0);
    words[91] = 1 << 20; /* the switch behind the interpreter's end */
    CHECK(!graft_offsets_parse(table, sizeof words, &o));
    lay_table(words, 0x030e08f0);
    CHECK(!graft_offsets_parse(table, 64, &o));
}

/* ------------------------------------------------------------------ scripts */

/* As where every folder is full, in the middle of the file. */
static void a_script_that_fits_nowhere_is_refused_and_leaves_nothing(void) {
    static char text[1 << 16];
    graft_python python = {.pid = getpid(), .own_pid = getpid()};
    graft_posting posting = {text, sizeof text, ""};
    graft_script script;
    lacuna_graft_report report = {.start_ticks = 77};
    struct rlimit before, small;
    memset(text, 'x', sizeof text);
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 8192, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    int code = graft_script_write(&script, &python, &posting, &report);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    CHECK_EQ(code, LACUNA_GRAFT_NO_ROOM);
    CHECK(access(script.here, F_OK) != 0);
    CHECK_EQ(graft_script_write(&script, &python, &posting, &report), LACUNA_GRAFT_OK);
    CHECK_EQ(access(script.here, F_OK), 0);
    graft_script_remove(&script);
    CHECK(access(script.here, F_OK) != 0);
}

/* ------------------------------------------------------------------ reports */

static void codes_have_the_words_of_the_interface(void) {
    CHECK(strcmp(graft_code_word(LACUNA_GRAFT_OK), "ok") == 0);
    CHECK(strcmp(graft_code_word(LACUNA_GRAFT_SWITCHED_OFF), "switched-off") == 0);
    CHECK(strcmp(graft_code_word(LACUNA_GRAFT_OTHER_MACHINE_CODE), "other-machine-code") == 0);
    CHECK(strcmp(graft_code_word(99), "fault") == 0);
}

static void who_looks_at_nothing_is_told_so(void) {
    lacuna_graft_report r;
    CHECK_EQ(sizeof r, lacuna_graft_report_bytes());
    CHECK_EQ(lacuna_graft_look(0, &r), LACUNA_GRAFT_NO_PROCESS);
    CHECK_EQ(lacuna_graft_look(-1, &r), LACUNA_GRAFT_NO_PROCESS);
    CHECK_EQ(lacuna_graft_look(getpid(), &r), LACUNA_GRAFT_NOT_PERMITTED);
    CHECK_EQ(lacuna_graft_run(getpid(), 1, "pass", 4, NULL, &r), LACUNA_GRAFT_OTHER_PROCESS);
}

int main(void) {
    a_status_tells_users_tracer_seccomp_and_pending_signals();
    a_blocked_signal_is_not_pending_and_a_missing_line_is_no_user();
    a_process_that_has_ended_is_a_zombie_until_it_is_waited_for();
    filters_of_the_first_process_are_the_container_s_and_one_more_is_its_own();
    as_many_as_we_have_in_the_same_container_are_no_matter();
    who_could_not_lay_a_filter_has_been_given_it();
    a_kernel_that_does_not_count_them_leaves_only_that();
    pieces_of_a_file_are_one_module_with_its_code();
    names_with_blanks_and_of_deleted_files_are_told();
    names_hash_as_the_formats_say();
    what_the_c_library_exports_is_found_in_memory();
    what_is_no_elf_file_is_none();
    text_is_read_up_to_its_zero();
    the_table_of_3_14_is_understood();
    a_table_that_has_grown_in_the_middle_is_understood();
    a_table_that_makes_no_sense_is_refused();
    a_script_that_fits_nowhere_is_refused_and_leaves_nothing();
    codes_have_the_words_of_the_interface();
    who_looks_at_nothing_is_told_so();
    return 0;
}
