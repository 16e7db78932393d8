/* Machines without an accelerator: what is missing is named, and nothing is left behind. */
#include "agent/agent.h"
#include "expect.h"
#include "process/devices.h"

#include <errno.h>
#include <sys/wait.h>

static const struct {
    int backend;
    const char *file, *missing, *first_call;
} vendors[] = {{LACUNA_BACKEND_CUDA, "libcuda.so.1", "no CUDA driver: libcuda.so.1", "cuInit"},
               {LACUNA_BACKEND_ASCEND, "libascendcl.so", "no Ascend runtime: libascendcl.so", "aclInit"}};

static void expect_refusal(int backend, const char *words) {
    lacuna_agent *a = NULL;
    errno = 0;
    EXPECT((lacuna_open(&(lacuna_options){.backend = backend}, &a)) == LACUNA_SYSTEM);
    EXPECT(a == NULL && errno == ENODEV);
    EXPECT_HOLDS(lacuna_open_error(), words);
}

static void a_library_that_is_not_there_is_named(void) {
    for (int v = 0; v < 2; v++) expect_refusal(vendors[v].backend, vendors[v].missing);
    lacuna_agent *a;
    EXPECT((lacuna_open(NULL, &a)) == LACUNA_OK);
    EXPECT_TEXT(lacuna_open_error(), "");
    lacuna_close(a);
}

/* Another library under the vendor's name is one that lacks every call. */
static void a_library_without_a_call_is_too_old(void) {
    for (int v = 0; v < 2; v++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", scratch_rendezvous(), vendors[v].file);
        EXPECT((symlink("/lib/x86_64-linux-gnu/libm.so.6", path)) == 0);
        pid_t child = fork();
        if (child == 0) {
            setenv("LD_LIBRARY_PATH", scratch, 1);
            char number[2] = {(char)('0' + v), 0};
            execl("/proc/self/exe", "missing_test", number, (char *)NULL);
            _exit(9);
        }
        int status;
        EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

static lacuna_agent *found;
static void look_for_it(void) { found = lacuna_process_device(LACUNA_BACKEND_CUDA, 3); }

static void a_process_without_the_device_is_told_once(void) {
    char text[1024];
    hear(text, sizeof text, look_for_it);
    EXPECT(found == NULL);
    EXPECT_HOLDS(text, "CUDA device 3");
    EXPECT_HOLDS(text, "no CUDA driver");
    hear(text, sizeof text, look_for_it);
    EXPECT(found == NULL);
    EXPECT_TEXT(text, "");
    EXPECT(lacuna_process_device(0, 0) == NULL && lacuna_process_device(LACUNA_BACKEND_CUDA, 16) == NULL &&
          lacuna_process_device(LACUNA_BACKEND_CUDA, -1) == NULL);
}

int main(int count, char **words) {
    if (count == 2) {
        int v = words[1][0] - '0';
        expect_refusal(vendors[v].backend, vendors[v].first_call);
        return 0;
    }
    if (access("/usr/lib/x86_64-linux-gnu/libcuda.so.1", F_OK) == 0) {
        puts("a CUDA driver is here: nothing is missing");
        return 0;
    }
    RUN(a_library_that_is_not_there_is_named);
    RUN(a_library_without_a_call_is_too_old);
    RUN(a_process_without_the_device_is_told_once);
    return 0;
}
