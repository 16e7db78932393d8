/* The devices of a process and its children. */
#include "control/request.h"
#include "process/devices.h"
#include "process/process.h"
#include "suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_reply(lacuna_agent *a, const char *line, const char *start, const char *part) {
    char reply[2048];
    request_answer_nobody(a, line, strlen(line), reply, sizeof reply);
    CHECK(strncmp(reply, start, strlen(start)) == 0);
    CHECK(strstr(reply, part) != NULL);
}

static lacuna_header *map_file(const char *directory) {
    char path[600];
    DIR *stream = opendir(directory);
    int fd = -1;
    for (struct dirent *e; (e = readdir(stream)) != NULL && fd < 0;) {
        if (strstr(e->d_name, ".mem") == NULL) continue;
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        fd = open(path, O_RDONLY);
    }
    closedir(stream);
    CHECK(fd >= 0);
    void *map = mmap(NULL, LACUNA_HEADER_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    CHECK(map != MAP_FAILED);
    return map;
}

enum { LAST = LACUNA_MAX_DEVICES - 1 };

static int serve_devices(const char *directory) {
    void *p, *of_first;
    char text[256];
    if (here.standin != NULL) here.standin->reset(3, 64 * MIB);
    lacuna_process_phase(LACUNA_PHASE_SETUP, 1);
    lacuna_agent *second = lacuna_process_device(here.backend, 1), *first = lacuna_process_device(here.backend, 0);
    CHECK(second != NULL && first != NULL && first != second);
    CHECK(lacuna_process_device(here.backend, 1) == second && lacuna_process_agents(NULL, 0) == 2);
    lacuna_agent *host = process_agent(); /* where the backend is the host's, its first device */
    bool own_host = here.backend != LACUNA_BACKEND_VIRTUAL;
    CHECK(host != NULL && (host != first) == own_host && devices_host() == host);
    CHECK(lacuna_process_agent() == first); /* an accelerator comes before the host */
    CHECK_EQ(devices_host_is_aside(), own_host);
    uint32_t devices = own_host ? 3 : 2;
    CHECK_EQ(lacuna_process_agents(NULL, 0), devices);
    CHECK_EQ(lacuna_malloc(second, 4 * MIB, 0, &p), LACUNA_OK);
    CHECK(lacuna_process_owner(p) == second && lacuna_process_owner(&p) == NULL);

    lacuna_header *header = map_file(directory);
    CHECK_EQ(header->device_count, LACUNA_MAX_DEVICES);
    CHECK_EQ(header->devices[1].allocated_bytes, 4 * MIB);
    CHECK_EQ(header->devices[1].backend, here.backend);
    CHECK_EQ(header->devices[1].phases, 1u << LACUNA_PHASE_SETUP); /* begun before there was any device */
    CHECK_EQ(header->devices[0].allocated_bytes, 0);
    CHECK_EQ(header->devices[0].backend_index, 0);
    CHECK_EQ(header->devices[1].backend_index, 1);
    CHECK_EQ(header->devices[2].sequence, 0);
    CHECK_EQ(header->devices[LAST].sequence != 0, own_host); /* and stands behind all devices */
    if (own_host) CHECK_EQ(header->devices[LAST].backend, LACUNA_BACKEND_VIRTUAL);
    if (own_host) CHECK_EQ(header->devices[LAST].backend_index, 0);

    snprintf(text, sizeof text, "devices=%u", devices);
    check_reply(second, "hello", "ok ", text);
    check_reply(second, "get device=1", "ok ", "allocated_bytes=4194304");
    check_reply(second, "get device=0", "ok ", "allocated_bytes=0");
    check_reply(first, "set device=1 optimisation=off", "ok ", "optimisation=off");
    CHECK_EQ(count(second).optimisation, 0);
    CHECK_EQ(count(first).optimisation, 1);
    check_reply(first, "get device=9", "error code=no-device", "");
    CHECK_EQ(lacuna_malloc(first, 6 * MIB, 0, &of_first), LACUNA_OK);
    check_reply(second, "get", "ok ", "allocated_bytes=6291456"); /* whatever agent the socket was opened for */
    check_reply(host, "set optimisation=off", "ok ", "optimisation=off");
    CHECK_EQ(count(first).optimisation, 0);
    CHECK_EQ(lacuna_free(first, of_first), LACUNA_OK);
    munmap(header, LACUNA_HEADER_BYTES);

    lacuna_shared where;
    int descriptors[4];
    bool shares = lacuna_share(second, p, &where, descriptors, 4) == LACUNA_OK;
    pid_t child = fork();
    if (child == 0) { /* a real device is the parent's: its blocks can be freed here, and nothing reaches its driver */
        uint64_t calls = here.standin != NULL ? here.standin->calls("cuCtxGetCurrent") : 0;
        if (own_host && lacuna_process_agents(NULL, 0) != 1) _exit(1);
        if (lacuna_free(lacuna_process_owner(p), p) != LACUNA_OK) _exit(2);
        if (own_host && lacuna_malloc(second, 60 * MIB, 0, &p) != LACUNA_OUT_OF_MEMORY) _exit(3);
        if (here.standin != NULL && here.standin->calls("cuCtxGetCurrent") != calls) _exit(4);
        if (shares && fcntl(descriptors[0], F_GETFD) >= 0) _exit(5); /* a child that lives on must not keep the memory */
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    CHECK(!shares || fcntl(descriptors[0], F_GETFD) >= 0);
    CHECK_EQ(lacuna_free(second, p), LACUNA_OK);
    return 0;
}

/* The first tensors were the host's, as where the framework for an accelerator is imported late. */
static int serve_host_first(const char *directory) {
    void *p;
    if (here.standin != NULL) here.standin->reset(2, 64 * MIB);
    lacuna_agent *host = process_agent();
    CHECK(host != NULL && lacuna_process_agent() == host && !devices_host_is_aside());
    CHECK_EQ(lacuna_malloc(host, 4 * MIB, 0, &p), LACUNA_OK);
    check_reply(host, "get", "ok ", "allocated_bytes=4194304");
    lacuna_agent *device = lacuna_process_device(here.backend, 0);
    CHECK(device != NULL && device != host && lacuna_process_agent() == device && devices_host() == host);
    CHECK(devices_host_is_aside());
    lacuna_header *header = map_file(directory);
    CHECK_EQ(header->devices[0].backend, LACUNA_BACKEND_VIRTUAL); /* a number is for good */
    CHECK_EQ(header->devices[1].backend, here.backend);
    CHECK_EQ(header->devices[1].backend_index, 0);
    munmap(header, LACUNA_HEADER_BYTES);
    check_reply(host, "get", "ok ", " allocated_bytes=0");
    check_reply(host, "get device=0", "ok ", " allocated_bytes=4194304");
    CHECK(lacuna_process_owner(p) == host);
    CHECK_EQ(lacuna_free(devices_host(), p), LACUNA_OK);
    return 0;
}

/* In a process of its own: its agents stay to its end. */
static void in_a_process(int (*serve)(const char *directory)) {
    char directory[] = "/tmp/lacuna-test-XXXXXX";
    CHECK(mkdtemp(directory) != NULL && setenv("LACUNA_DIR", directory, 1) == 0);
    setenv("LACUNA_CAPACITY", "64MiB", 1);
    pid_t child = fork();
    if (child == 0) {
        int status = serve(directory);
        process_farewell();
        _exit(status);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    CHECK_EQ(rmdir(directory), 0); /* nothing was left there */
}

static void the_devices_of_a_process_share_its_file_and_its_socket(void) {
    if (here.real == NULL) in_a_process(serve_devices);
}

static void an_accelerator_that_comes_after_the_host_is_meant_all_the_same(void) {
    if (here.real == NULL && here.backend != LACUNA_BACKEND_VIRTUAL) in_a_process(serve_host_first);
}

void test_processes(void) {
    RUN(the_devices_of_a_process_share_its_file_and_its_socket);
    RUN(an_accelerator_that_comes_after_the_host_is_meant_all_the_same);
}
