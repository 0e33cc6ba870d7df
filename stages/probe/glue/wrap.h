/* The table behind the link-time wrappers (`-Wl,--wrap=FN`), included by exactly one wrap_*.c of a
 * library. A wrapper FN is compiled where ASSAY_WRAP_FN is defined.
 *
 * One thread only, as the whole measurement. No allocation: a fixed table and an index of its
 * entries by hash, so that a thousand shapes cost no more than one. */
#ifndef ASSAY_WRAP_H
#define ASSAY_WRAP_H

#include "assay_profile.h"
#include "ticks.h"

#include <stdint.h>

typedef unsigned long long u64;

#define INDEX_SLOTS (2 * ASSAY_PROFILE_CAPACITY)

static assay_profile table = {ASSAY_PROFILE_LAYOUT, 0, 0, {{0, 0, 0, 0, 0}}};
static unsigned short slots[INDEX_SLOTS]; /* 0, or the entry's place + 1 */
static unsigned depth;

void assay_profile_reset(void)
{
    unsigned i;

    table.used = 0;
    table.overflow_calls = 0;
    for (i = 0; i < INDEX_SLOTS; i++)
        slots[i] = 0;
}

const assay_profile *assay_profile_read(void) { return &table; }

/* A name is one string literal of this file, so its address tells it. */
static void count(const char *fn, u64 in_bits, u64 out_bits, u64 ticks)
{
    u64 hash = ((u64)(uintptr_t)fn ^ in_bits * 0x9e3779b97f4a7c15ull) + out_bits;
    unsigned slot = (unsigned)((hash * 0x9e3779b97f4a7c15ull) >> 40) % INDEX_SLOTS;
    assay_profile_call *call;

    for (; slots[slot] != 0; slot = (slot + 1) % INDEX_SLOTS) {
        call = &table.calls[slots[slot] - 1];
        if (call->fn == fn && call->in_bits == in_bits && call->out_bits == out_bits) {
            call->calls++;
            call->ticks += ticks;
            return;
        }
    }
    if (table.used == ASSAY_PROFILE_CAPACITY) {
        table.overflow_calls++;
        return;
    }
    call = &table.calls[table.used++];
    slots[slot] = (unsigned short)table.used;
    call->fn = fn;
    call->in_bits = in_bits;
    call->out_bits = out_bits;
    call->calls = 1;
    call->ticks = ticks;
}

static inline u64 enter(void) { return depth++ == 0 ? assay_ticks() : 0; }

static inline void leave(const char *fn, u64 in_bits, u64 out_bits, u64 start)
{
    if (--depth == 0) {
        u64 ticks = assay_ticks() - start;
        count(fn, in_bits, out_bits, ticks);
    }
}

/* Defines the wrapper of `type fn parameters`, which passes `arguments` on and is counted as `name`
 * with these numbers of bits. */
#define ASSAY_WRAPPER(fn, name, parameters, arguments, in_bits, out_bits) \
    void __real_##fn parameters;                                          \
    void __wrap_##fn parameters;                                          \
    void __wrap_##fn parameters                                           \
    {                                                                     \
        u64 start = enter();                                              \
        __real_##fn arguments;                                            \
        leave(name, in_bits, out_bits, start);                            \
    }

/* The same for a function that returns an int. */
#define ASSAY_WRAPPER_INT(fn, name, parameters, arguments, in_bits, out_bits) \
    int __real_##fn parameters;                                               \
    int __wrap_##fn parameters;                                               \
    int __wrap_##fn parameters                                                \
    {                                                                         \
        u64 start = enter();                                                  \
        int result = __real_##fn arguments;                                   \
        leave(name, in_bits, out_bits, start);                                \
        return result;                                                        \
    }

#endif
