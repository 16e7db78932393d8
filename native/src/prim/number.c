#include "prim/number.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the locale of wires and files */

static locale_t plain; /* LC_NUMERIC of "C"; (locale_t)0 when even that could not be had */

static void make_plain(void) { plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0); }

static locale_t plain_locale(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return plain;
}

/* ------------------------------------------------------------------ sizes */

static const struct {
    const char *name;
    unsigned shift;
} units[] = {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};

bool number_size(const char *text, uint64_t *bytes) {
    uint64_t value = 0;
    const char *p = text;
    if (*p < '0' || *p > '9') return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (__builtin_mul_overflow(value, UINT64_C(10), &value)) return false;
        if (__builtin_add_overflow(value, (uint64_t)(*p - '0'), &value)) return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(p, units[i].name) != 0) continue;
        if (value > (UINT64_MAX >> 1) >> units[i].shift) return false;
        *bytes = value << units[i].shift;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ decimals */

bool number_decimal(const char *text, double *value) {
    size_t length = strlen(text);
    if (length == 0 || length >= NUMBER_TEXT_BYTES || strspn(text, "0123456789.eE+-") != length) return false;
    if (text[0] == '+') return false;
    char *end = NULL;
    int kept = errno;
    locale_t locale = plain_locale();
    double parsed = locale ? strtod_l(text, &end, locale) : strtod(text, &end);
    errno = kept;
    if (*end != '\0') return false;
    *value = parsed;
    return true;
}

bool number_is_fraction(double value) { return value > 0.0 && value <= 1.0; }

void number_print(double value, char text[NUMBER_TEXT_BYTES]) {
    locale_t locale = plain_locale();
    locale_t before = locale ? uselocale(locale) : (locale_t)0;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    if (locale) uselocale(before);
}
