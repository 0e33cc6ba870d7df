/* The event counted beside the wall time: `cycles`, `cpu-clock` or `none`.
 *
 * A counter that is refused, reads 0, or shared its hardware with others gives no figure: it is
 * reported once as `event_error NAME why`, and measuring goes on without. */
#ifndef COUNTER_H
#define COUNTER_H

#include "report.h"

/* Opens the counter of this thread, user mode only, and reports `event NAME`. Ends the run with `end
 * usage` for an unknown event. */
void counter_open(const char *event);
void counter_start(void);
void counter_stop(void);
/* What was counted between start and stop; 0 where there is no figure. */
u64 counter_read(void);

/* Nanoseconds of CLOCK_MONOTONIC_RAW. */
u64 clock_ns(void);

/* A count as the report shows it: `-` for none. `text` has room for 24 characters. */
const char *counter_text(u64 count, char *text);

#endif
