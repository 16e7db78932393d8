/* The rendezvous directory: where it is, whom it trusts, what it sweeps away. */
#include "expect.h"
#include "prim/number.h"
#include "rendezvous/rendezvous.h"

#include <inttypes.h>
#include <sys/socket.h>
#include <sys/wait.h>

static void start_time_is_found_behind_any_process_name(void) {
    uint64_t ticks = 0;
    EXPECT(identity_parse_start("7 (cat) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21\n", &ticks));
    EXPECT(ticks == 4711);
    EXPECT(identity_parse_start("7 (a) S (b) 1) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 99 20", &ticks));
    EXPECT(ticks == 99);
    EXPECT(identity_parse_start("7 (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 1", &ticks) && ticks == 1);
}

static void damaged_process_lines_are_refused(void) {
    uint64_t ticks = 0;
    EXPECT(!identity_parse_start("", &ticks));
    EXPECT(!identity_parse_start("7 (cat", &ticks));
    EXPECT(!identity_parse_start("7 (cat) S 1 2 3", &ticks));
    EXPECT(!identity_parse_start("7 (cat) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 x 20", &ticks));
}

static void a_process_knows_its_own_start_and_no_dead_ones(void) {
    uint64_t mine = 0, theirs = 0;
    EXPECT(identity_start_of(getpid(), &mine) && mine > 0);
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    EXPECT(!identity_start_of(child, &theirs));
}

static void the_directory_is_chosen_in_the_order_of_the_design(void) {
    char path[RENDEZVOUS_PATH_BYTES], wanted[64];
    setenv("LACUNA_DIR", "/a/b//", 1);
    setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
    EXPECT(rendezvous_path(path, sizeof path));
    EXPECT_TEXT(path, "/a/b");
    setenv("LACUNA_DIR", "", 1);
    EXPECT(rendezvous_path(path, sizeof path));
    EXPECT_TEXT(path, "/run/user/7/lacuna");
    unsetenv("XDG_RUNTIME_DIR");
    EXPECT(rendezvous_path(path, sizeof path));
    snprintf(wanted, sizeof wanted, "/tmp/lacuna-%u", (unsigned)geteuid());
    EXPECT_TEXT(path, wanted);
    EXPECT(!rendezvous_path(path, 8));
}

static void a_relative_directory_stays_where_the_process_started(void) {
    char path[RENDEZVOUS_PATH_BYTES], start[RENDEZVOUS_PATH_BYTES - 16], wanted[RENDEZVOUS_PATH_BYTES];
    EXPECT(getcwd(start, sizeof start) != NULL && chdir("/") == 0);
    setenv("LACUNA_DIR", "some/where", 1);
    EXPECT(rendezvous_path(path, sizeof path));
    EXPECT(chdir(start) == 0);
    snprintf(wanted, sizeof wanted, "%s/some/where", start);
    EXPECT_TEXT(path, wanted);
}

static bool enters(const char *path, char why[256]) {
    rendezvous r;
    setenv("LACUNA_DIR", path, 1);
    bool entered = rendezvous_enter(&r, why, 256);
    EXPECT(entered == (r.directory.number >= 0));
    rendezvous_leave(&r);
    return entered;
}

static void a_missing_directory_is_made_private(void) {
    char why[256], path[128];
    snprintf(path, sizeof path, "%s/made", scratch_rendezvous());
    mode_t before = umask(0);
    EXPECT(enters(path, why));
    umask(before);
    struct stat s;
    EXPECT(stat(path, &s) == 0 && (s.st_mode & 0777) == 0700);
    EXPECT(enters(path, why));
    rmdir(path);
}

static void an_open_directory_is_refused(void) {
    char why[256], path[128];
    snprintf(path, sizeof path, "%s/open", scratch_rendezvous());
    EXPECT(mkdir(path, 0700) == 0 && chmod(path, 0750) == 0);
    EXPECT(!enters(path, why));
    EXPECT_HOLDS(why, "open to others (mode 750)");
    rmdir(path);
}

static void a_symbolic_link_is_refused_even_with_a_slash(void) {
    char why[256], target[128], link[128], slash[160];
    snprintf(target, sizeof target, "%s/target", scratch_rendezvous());
    snprintf(link, sizeof link, "%s/link", scratch);
    snprintf(slash, sizeof slash, "%s/", link);
    EXPECT(mkdir(target, 0700) == 0 && symlink(target, link) == 0);
    EXPECT(!enters(link, why));
    EXPECT_HOLDS(why, "symbolic link");
    EXPECT(!enters(slash, why));
    unlink(link);
    rmdir(target);
}

static void a_strangers_directory_is_refused(void) {
    char why[256], path[128];
    snprintf(path, sizeof path, "%s/theirs", scratch_rendezvous());
    EXPECT(mkdir(path, 0700) == 0);
    if (chown(path, geteuid() + 1, (gid_t)-1) == 0) {
        EXPECT(!enters(path, why));
        EXPECT_HOLDS(why, "belongs to user");
    } else {
        EXPECT(!enters("/", why)); /* only root can give directories away; the root directory is somebody else's */
    }
    rmdir(path);
}

static void what_cannot_be_made_is_said(void) {
    char why[256];
    EXPECT(!enters("/nowhere/at/all", why));
    EXPECT_HOLDS(why, "cannot make /nowhere/at/all: No such file or directory");
    EXPECT(!enters("/etc/passwd", why));
    EXPECT_HOLDS(why, "not a directory");
}

static void place_file(const rendezvous *r, const char *name, long second) {
    int fd = openat(r->directory.number, name, O_CREAT | O_WRONLY, 0600);
    EXPECT(fd >= 0);
    const struct timespec times[2] = {{.tv_sec = second}, {.tv_sec = second}};
    EXPECT(futimens(fd, times) == 0);
    close(fd);
}

static bool has(const rendezvous *r, const char *name) { return faccessat(r->directory.number, name, F_OK, 0) == 0; }

static void sweeping_keeps_the_newest_black_boxes_and_everything_alive(void) {
    rendezvous r;
    char why[256], name[RENDEZVOUS_NAME_BYTES];
    scratch_rendezvous();
    EXPECT(rendezvous_enter(&r, why, sizeof why));
    const long dead = 1; /* process 1 did not start at these ticks */
    for (int i = 0; i < RENDEZVOUS_KEPT_BLACK_BOXES + 4; i++) {
        snprintf(name, sizeof name, "%ld-%d.mem", dead, 900000000 + i);
        place_file(&r, name, 1000 + i);
    }
    place_file(&r, "1-900000000.sock", 1000);
    place_file(&r, "notes.mem", 1);
    place_file(&r, "audit.log", 1);
    rendezvous_name(&r, ".mem", name);
    place_file(&r, name, 1);
    rendezvous_sweep(&r);
    EXPECT(files_ending(".mem") == RENDEZVOUS_KEPT_BLACK_BOXES + 2);
    EXPECT(!has(&r, "1-900000003.mem") && has(&r, "1-900000004.mem"));
    EXPECT(!has(&r, "1-900000000.sock") && has(&r, "audit.log") && has(&r, name));
    rendezvous_leave(&r);
    remove_scratch();
    EXPECT(mkdir(scratch, 0700) == 0);
}

static void sweeping_leaves_a_socket_that_answers(void) {
    rendezvous r;
    char why[256];
    struct sockaddr_un address;
    scratch_rendezvous();
    EXPECT(rendezvous_enter(&r, why, sizeof why));
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    rendezvous_socket(&r, "1-77", 4, &address);
    EXPECT(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0);
    rendezvous_sweep(&r);
    EXPECT(has(&r, "1-77.sock"));
    close(listener);
    rendezvous_sweep(&r);
    EXPECT(!has(&r, "1-77.sock"));
    rendezvous_leave(&r);
}

static void sizes_and_fractions_read_the_same_in_every_locale(void) {
    uint64_t bytes = 0;
    double value = 0;
    EXPECT(number_size("512", &bytes) && bytes == 512);
    EXPECT(number_size("20MiB", &bytes) && bytes == 20u << 20);
    EXPECT(number_size("8GiB", &bytes) && bytes == UINT64_C(8) << 30);
    const char *wrong_sizes[] = {"", "GiB", "-1", "1.5GiB", "8GB", "8 GiB", "8gib", "99999999999999999999", "8388608TiB"};
    for (size_t i = 0; i < sizeof wrong_sizes / sizeof wrong_sizes[0]; i++) EXPECT(!number_size(wrong_sizes[i], &bytes));
    EXPECT(number_decimal("0.94", &value) && value == 0.94);
    EXPECT(number_decimal("9.4e-1", &value) && value == 0.94);
    EXPECT(number_decimal("1e999", &value) && !number_is_fraction(value));
    const char *wrong_numbers[] = {"", "nan", "inf", "0x1p-1", "0,94", " 1", "1 ", "+1", "1.2.3", "e5", "."};
    for (size_t i = 0; i < sizeof wrong_numbers / sizeof wrong_numbers[0]; i++) {
        EXPECT(!number_decimal(wrong_numbers[i], &value));
    }
    const double printed[] = {1, 0.94, 1.0 / 3, 0.1 + 0.2, 1e-9, 0.99999999999999989};
    for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++) {
        char text[NUMBER_TEXT_BYTES];
        number_print(printed[i], text);
        EXPECT(number_decimal(text, &value) && value == printed[i]);
    }
    char text[NUMBER_TEXT_BYTES];
    number_print(0.94, text);
    EXPECT_TEXT(text, "0.94");
}

int main(void) {
    RUN(start_time_is_found_behind_any_process_name);
    RUN(damaged_process_lines_are_refused);
    RUN(a_process_knows_its_own_start_and_no_dead_ones);
    RUN(the_directory_is_chosen_in_the_order_of_the_design);
    RUN(a_relative_directory_stays_where_the_process_started);
    RUN(a_missing_directory_is_made_private);
    RUN(an_open_directory_is_refused);
    RUN(a_symbolic_link_is_refused_even_with_a_slash);
    RUN(a_strangers_directory_is_refused);
    RUN(what_cannot_be_made_is_said);
    RUN(sweeping_keeps_the_newest_black_boxes_and_everything_alive);
    RUN(sweeping_leaves_a_socket_that_answers);
    RUN(sizes_and_fractions_read_the_same_in_every_locale);
    return 0;
}
