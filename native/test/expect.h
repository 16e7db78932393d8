/*
 * expect.h - what the tests around the allocator share: expectations that say where they failed, scratch directories,
 * and faults injected into system calls.
 */
#ifndef LACUNA_TEST_EXPECT_H
#define LACUNA_TEST_EXPECT_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: in %s: not true: %s\n", __FILE__, __LINE__, __func__, #condition);                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define EXPECT_TEXT(actual, wanted)                                                                                    \
    do {                                                                                                               \
        const char *actual_ = (actual), *wanted_ = (wanted);                                                           \
        if (strcmp(actual_, wanted_) != 0) {                                                                           \
            fprintf(stderr, "%s:%d: in %s: \"%s\" is not \"%s\"\n", __FILE__, __LINE__, __func__, actual_, wanted_);   \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define EXPECT_STARTS(actual, wanted) EXPECT(strncmp((actual), (wanted), strlen(wanted)) == 0)
#define EXPECT_HOLDS(actual, wanted) EXPECT(strstr((actual), (wanted)) != NULL)

#define RUN(test)                                                                                                      \
    do {                                                                                                               \
        test();                                                                                                        \
        printf("ok %s\n", #test);                                                                                      \
        fflush(stdout);                                                                                                \
    } while (0)

/* Empties a directory of files and removes it. */
static inline void remove_directory(const char *path) {
    DIR *stream = opendir(path);
    if (stream) {
        for (struct dirent *e; (e = readdir(stream)) != NULL;) {
            if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) unlinkat(dirfd(stream), e->d_name, 0);
        }
        closedir(stream);
    }
    rmdir(path);
}

static char scratch[64];

static inline void remove_scratch(void) { remove_directory(scratch); }

/* A fresh rendezvous directory of mode 0700 for this test, named in LACUNA_DIR and removed at the end. */
static inline const char *scratch_rendezvous(void) {
    if (!scratch[0]) {
        strcpy(scratch, "/tmp/lacuna-test-XXXXXX");
        EXPECT(mkdtemp(scratch) != NULL);
        atexit(remove_scratch);
    }
    EXPECT(setenv("LACUNA_DIR", scratch, 1) == 0);
    return scratch;
}

/* Number of files in the scratch directory whose names end so. */
static inline int files_ending(const char *ending) {
    int count = 0;
    DIR *stream = opendir(scratch);
    EXPECT(stream != NULL);
    for (struct dirent *e; (e = readdir(stream)) != NULL;) {
        size_t name = strlen(e->d_name), wanted = strlen(ending);
        if (name >= wanted && strcmp(e->d_name + name - wanted, ending) == 0) count++;
    }
    closedir(stream);
    return count;
}

/* Runs `action` with stderr going into `text`. */
static inline void hear(char *text, size_t bytes, void (*action)(void)) {
    char path[] = "/tmp/lacuna-heard-XXXXXX";
    int heard = mkstemp(path), kept = dup(STDERR_FILENO);
    EXPECT(heard >= 0 && kept >= 0);
    unlink(path);
    dup2(heard, STDERR_FILENO);
    action();
    dup2(kept, STDERR_FILENO);
    close(kept);
    ssize_t got = pread(heard, text, bytes - 1, 0);
    EXPECT(got >= 0);
    text[got] = '\0';
    close(heard);
}

static inline int lines_of(const char *text) {
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

#endif
