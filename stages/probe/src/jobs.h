/* The measuring jobs; each ends the run. `start_ns` is the clock at the start of main. */
#ifndef JOBS_H
#define JOBS_H

#include "session.h"

struct timing {
    const char *operation;
    u64 input_bytes, warmups, iterations, trials;
    const char *event;
};

/* Trials of exactly `iterations` calls in one timed loop each, after the warm-ups. */
void job_time(struct session *session, const struct timing *timing, u64 start_ns)
    __attribute__((noreturn));

/* Ticks of an operation and of the wrapped functions in it: up to max_ops operations or about max_ns
 * nanoseconds, at least 3 (1 when a call takes over 60 s). */
void job_profile(struct session *session, const char *operation, u64 input_bytes, u64 max_ops,
                 u64 max_ns) __attribute__((noreturn));

/* The core's clock: short windows of the same busy work, without a library. */
void job_clock(const char *event) __attribute__((noreturn));

/* Reports `tick_source` and `tick_hz`, the rate measured over 100 ms. */
void report_tick_rate(void);

#endif
