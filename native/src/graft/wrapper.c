#include "graft/wrapper.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the trainer's namespace, so without names of ours. The few lines are all that a signal's handler can strike. Up to Python 3.11
 * a second interpreter that the main thread is in would run them, and Python aborts where one ends with a thread of ours in it:
 * there no signal can be handled, which is found out first, by a number that is none. */
static const char in_main_thread[] =
    "try:\n"
    "    exec('''try:\n"
    "    __import__('_signal').signal(0, 0)\n"
    "except ValueError as where:\n"
    "    if 'range' not in str(where):\n"
    "        raise LookupError''', {})\n"
    "    __import__('_thread').start_new_thread(exec, ('''%s''', {'__name__': 'lacuna_graft'}))\n"
    "except KeyboardInterrupt:\n"
    "    __import__('_thread').interrupt_main()\n"
    "except LookupError:\n"
    "    __import__('os').write(2, b'lacuna: the main thread is in a second interpreter: not attached\\n')\n"
    "    %s\n"
    "except (RuntimeError, MemoryError):\n"
    "    __import__('os').write(2, b'lacuna: cannot start a thread in this process: not attached\\n')\n"
    "    %s\n"
    "except BaseException:\n"
    "    __import__('ctypes').pythonapi.PyThreadState_SetAsyncExc(\n"
    "        __import__('ctypes').c_ulong(__import__('_thread').get_ident()),\n"
    "        __import__('ctypes').py_object(__import__('sys').exc_info()[0]))\n";

/* Said where who posted it looks: a link holds its words without any room of its own. So short a one does in every file system. */
static const char tell_words[] =
    "try:\n"
    "        __import__('os').symlink('%s', '%s')\n"
    "    except OSError:\n"
    "        pass";
static const char tell_failure[] =
    "try:\n"
    "        word = __import__('errno').errorcode.get(getattr(failure, 'errno', None), type(failure).__name__)\n"
    "        told = ('%%s %%s' %% (word, failure)).encode('ascii', 'replace').decode()[:59]\n"
    "        __import__('os').symlink(told, '%s')\n"
    "    except (OSError, ValueError):\n"
    "        pass";

/* In the new thread. What fails is said in one line, as the agent does it. */
static const char in_thread[] =
    "try:\n"
    "    if __import__('os').getpid() == %d:\n"
    "        %s\n"
    "        exec(compile(text, '<lacuna graft>', 'exec'), {'__name__': 'lacuna_graft'})\n"
    "except BaseException as failure:\n"
    "    __import__('os').write(2, ('lacuna: not attached: %%r' %% (failure,)).encode()[:500] + b'\\\\n')\n"
    "    %s\n"
    "%s";

static char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
static char *format(const char *pattern, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, pattern);
    if (vasprintf(&text, pattern, arguments) < 0) text = NULL;
    va_end(arguments);
    return text;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static char *tell(const char *words, const char *refused) { return *refused ? format(tell_words, words, refused) : strdup("pass"); }

static char *wrap(int32_t pid, const char *refused, const char *read_text, const char *at_last) {
    char *elsewhere = tell("- its main thread is in a second interpreter", refused);
    char *no_thread = tell("EAGAIN no thread can be started", refused);
    char *failure = *refused ? format(tell_failure, refused) : strdup("pass");
    char *inner = failure ? format(in_thread, pid, read_text, failure, at_last) : NULL;
    char *all = elsewhere && no_thread && inner ? format(in_main_thread, inner, elsewhere, no_thread) : NULL;
    free(elsewhere);
    free(no_thread);
    free(failure);
    free(inner);
    return all;
}
#pragma GCC diagnostic pop

bool graft_wrap_takes(const char *refused) {
    size_t length = strlen(refused);
    for (size_t i = 0; i < length; i++) {
        if (refused[i] < ' ' || refused[i] > '~' || strchr("'\"\\", refused[i])) return false;
    }
    return length == 0 || (refused[0] == '/' && length < GRAFT_REFUSED_BYTES);
}

char *graft_wrap_memory(int32_t pid, const graft_posting *posting, uint64_t at, uint64_t mapping, uint64_t mapping_bytes) {
    char *all = NULL;
    char *read_text = format("memory = open('/proc/self/mem', 'rb', 0)\n"
                             "        memory.seek(%" PRIu64 ")\n"
                             "        text = memory.read(%" PRIu64 ")\n"
                             "        memory.close()", at, posting->bytes);
    char *at_last = format("finally:\n"
                           "    try:\n"
                           "        import ctypes\n"
                           "        ctypes.CDLL(None).munmap(ctypes.c_void_p(%" PRIu64 "), ctypes.c_size_t(%" PRIu64 "))\n"
                           "    except (ImportError, OSError, AttributeError):\n"
                           "        pass # without ctypes the pages stay until the process ends\n", mapping, mapping_bytes);
    if (read_text && at_last) all = wrap(pid, posting->refused, read_text, at_last);
    free(read_text);
    free(at_last);
    return all;
}

/* Each line of the text as a comment: the file is parsed in the main thread, and comments cost next to nothing. */
static size_t put_as_comments(char *to, const char *text, size_t bytes) {
    size_t used = 0;
    to[used++] = '#';
    for (size_t i = 0; i < bytes; i++) {
        to[used++] = text[i];
        if (text[i] == '\n') to[used++] = '#';
    }
    to[used++] = '\n';
    return used;
}

static size_t lines_of(const char *text, size_t bytes) {
    size_t lines = 1;
    for (size_t i = 0; i < bytes; i++) lines += text[i] == '\n';
    return lines;
}

char *graft_wrap_file(int32_t pid, const graft_posting *posting, const char *path, size_t *size) {
    static const char mark[] = "#lacuna\n";
    char *read_text = format("with open('%s', 'rb') as file:\n"
                             "            text = file.read().split(b'#lacuna\\\\n', 1)[1]\n"
                             "        __import__('os').unlink('%s')\n"
                             "        text = b'\\\\n'.join([line[1:] for line in text.split(b'\\\\n')])", path, path);
    char *head = read_text ? wrap(pid, posting->refused, read_text, "") : NULL;
    const char *text = posting->text;
    size_t bytes = (size_t)posting->bytes;
    size_t head_size = head ? strlen(head) : 0;
    char *all = head ? realloc(head, head_size + sizeof mark + bytes + lines_of(text, bytes) + 4) : NULL;
    free(read_text);
    if (!all) {
        free(head);
        return NULL;
    }
    memcpy(all + head_size, mark, sizeof mark - 1);
    *size = head_size + sizeof mark - 1;
    *size += put_as_comments(all + *size, text, bytes);
    return all;
}
