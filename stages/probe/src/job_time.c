/* The timing job; see jobs.h and NGCC.md section 5. */
#include "jobs.h"

#include "counter.h"
#include "files.h"
#include "operation.h"

/* One trial; its wall time, with the event's count in *count. */
static u64 trial(operation_loop *loop, struct session *s, u64 iterations, u64 *count)
{
    u64 start, end;

    counter_start();
    start = clock_ns();
    loop(s, iterations);
    end = clock_ns();
    counter_stop();
    *count = counter_read();
    return end - start;
}

/* Nothing where /proc did not tell. */
static void report_known(const char *key, u64 value)
{
    if (value != 0)
        report("%s %llu", key, value);
}

void job_time(struct session *s, const struct timing *timing, u64 start_ns)
{
    operation_loop *loop = operation_prepare(s, timing->operation, timing->input_bytes);
    u64 i;

    counter_open(timing->event);
    report("setup_ns %llu", clock_ns() - start_ns);
    report_known("baseline_rss_bytes", resident_bytes());
    report("warmups %llu", timing->warmups);
    loop(s, timing->warmups);
    for (i = 0; i < timing->trials && !s->sign_gave_up; i++) {
        char text[24];
        u64 count, ns = trial(loop, s, timing->iterations, &count);
        if (!s->sign_gave_up)
            report("trial %llu %llu %s", timing->iterations, ns, counter_text(count, text));
    }
    report_known("peak_rss_bytes", peak_resident_bytes());
    operation_end(s);
}
