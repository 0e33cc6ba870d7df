/* The tick counter of the processor, for shares within one run; not a cycle count.
 *
 * The fences keep the counted code from moving across a reading. */
#ifndef ASSAY_TICKS_H
#define ASSAY_TICKS_H

#if defined(__x86_64__)

#define ASSAY_TICK_SOURCE "rdtsc"

static inline unsigned long long assay_ticks(void)
{
    unsigned int low, high;
    __asm__ __volatile__("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (unsigned long long)high << 32 | low;
}

#elif defined(__aarch64__)

#define ASSAY_TICK_SOURCE "cntvct_el0"

static inline unsigned long long assay_ticks(void)
{
    unsigned long long ticks;
    __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
}

#else

#include <time.h>

#define ASSAY_TICK_SOURCE "clock_monotonic_raw"

static inline unsigned long long assay_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return 1000000000ull * (unsigned long long)now.tv_sec + (unsigned long long)now.tv_nsec;
}

#endif

#endif
