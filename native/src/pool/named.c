#include "pool/named.h"

#include <stdio.h>
#include <string.h>

static const char OTHERS[] = "others";

/* What is not text is a question mark; a letter of several bytes is kept whole or left out. */
static void take_name(char *to, const char *name) {
    size_t length = strnlen(name, LACUNA_NAME_BYTES);
    if (length == LACUNA_NAME_BYTES) {
        length--;
        while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) length--;
    }
    for (size_t i = 0; i < length; i++) to[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i];
    to[length] = '\0';
}

static named_phase *find(named_phases *p, const char *name) {
    for (uint32_t n = 0; n < p->count; n++) {
        if (strcmp(p->of[n].use.name, name) == 0) return &p->of[n];
    }
    return NULL;
}

/* NULL where something ends that never began. */
static named_phase *meant_by(named_phases *p, const char *wanted, bool begins) {
    char name[LACUNA_NAME_BYTES];
    take_name(name, wanted[0] ? wanted : OTHERS);
    named_phase *known = find(p, name);
    if (known != NULL) return known;
    if (p->count == LACUNA_NAMED_PHASES) return &p->of[LACUNA_NAMED_PHASES - 1];
    if (!begins) return NULL;
    named_phase *added = &p->of[p->count++];
    take_name(added->use.name, p->count == LACUNA_NAMED_PHASES ? OTHERS : name);
    return added;
}

static void raise(uint64_t *peak, uint64_t now) {
    if (now > *peak) *peak = now;
}

/* A copy, so that whoever asks changes nothing. */
static lacuna_named_use with(const named_phases *p, const named_phase *each, held_now now) {
    lacuna_named_use use = each->use;
    use.open = each->depth > 0;
    if (!use.open) return use;
    use.open_ns += now.time_ns > each->began_ns ? now.time_ns - each->began_ns : 0;
    raise(&use.peak_allocated_bytes, p->peak_allocated_bytes);
    raise(&use.peak_reserved_bytes, p->peak_reserved_bytes);
    raise(&use.peak_allocated_bytes, now.allocated_bytes);
    raise(&use.peak_reserved_bytes, now.reserved_bytes);
    return use;
}

void named_mark(named_phases *p, const char *name, bool begin, held_now now) {
    named_phase *meant = meant_by(p, name, begin);
    for (uint32_t n = 0; n < p->count; n++) {
        named_phase *each = &p->of[n];
        each->use = with(p, each, now);
        each->began_ns = now.time_ns;
        if (each == meant && begin) each->depth++;
        if (each == meant && !begin && each->depth > 0) each->depth--;
    }
    p->peak_allocated_bytes = now.allocated_bytes;
    p->peak_reserved_bytes = now.reserved_bytes;
}

bool named_use(const named_phases *p, uint32_t number, held_now now, lacuna_named_use *out) {
    if (number >= p->count) return false;
    *out = with(p, &p->of[number], now);
    return true;
}
