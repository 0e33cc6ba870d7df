/* The clock job and the tick rate; see jobs.h. */
#include "jobs.h"

#include "../glue/ticks.h"
#include "counter.h"

#include <time.h>

#define WINDOWS 21
#define WINDOW_NS 5000000ull
#define TICK_RATE_NS 100000000l

/* Additions that wait for each other: one a cycle on any core we measure. */
static void busy(u64 steps)
{
    u64 x = 0;

    for (; steps != 0; steps--) {
        x += steps;
        __asm__ __volatile__("" : "+r"(x)); /* keeps the sum in the loop */
    }
}

void job_clock(const char *event)
{
    u64 steps = 1 << 16, start, i;

    counter_open(event);
    report("tick_source %s", ASSAY_TICK_SOURCE);
    for (;; steps *= 2) {
        start = clock_ns();
        busy(steps);
        if (clock_ns() - start >= WINDOW_NS)
            break;
    }
    report("window_steps %llu", steps);
    for (i = 0; i < WINDOWS; i++) {
        char text[24];
        u64 ticks, ns, count;
        counter_start();
        start = clock_ns();
        ticks = assay_ticks();
        busy(steps);
        ticks = assay_ticks() - ticks;
        ns = clock_ns() - start;
        counter_stop();
        count = counter_read();
        report("window %llu %s %llu", ns, counter_text(count, text), ticks);
    }
    finish("ok");
}

void report_tick_rate(void)
{
    const struct timespec pause = {0, TICK_RATE_NS};
    u64 start_ns = clock_ns(), start = assay_ticks(), ticks, ns;

    nanosleep(&pause, NULL);
    ticks = assay_ticks() - start;
    ns = clock_ns() - start_ns;
    report("tick_source %s", ASSAY_TICK_SOURCE);
    report("tick_hz %llu", (u64)((double)ticks * 1e9 / (double)ns + 0.5));
}
