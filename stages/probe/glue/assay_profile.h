/* What a wrapped library counts, and what the probe reads out of it.
 *
 * Invariants: `calls[0 .. used)` have distinct (fn, in_bits, out_bits); calls that found the table
 * full are in `overflow_calls` only. Only outermost calls are counted: a helper that calls another
 * counts once, with all its time. */
#ifndef ASSAY_PROFILE_H
#define ASSAY_PROFILE_H

/* Raised with every change of the structures; the probe refuses another. */
#define ASSAY_PROFILE_LAYOUT 1
#define ASSAY_PROFILE_CAPACITY 2048

typedef struct {
    const char *fn; /* as reported, e.g. `drng` */
    unsigned long long in_bits;
    unsigned long long out_bits;
    unsigned long long calls;
    unsigned long long ticks;
} assay_profile_call;

typedef struct {
    unsigned layout;
    unsigned used;
    unsigned long long overflow_calls;
    assay_profile_call calls[ASSAY_PROFILE_CAPACITY];
} assay_profile;

void assay_profile_reset(void);
const assay_profile *assay_profile_read(void);

#endif
