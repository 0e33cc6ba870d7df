/* The profile job; see jobs.h and NGCC.md section 6. */
#include "jobs.h"

#include "../glue/assay_profile.h"
#include "../glue/ticks.h"
#include "counter.h"
#include "operation.h"

#define LEAST_OPERATIONS 3
#define LONG_CALL_NS 60000000000ull   /* one such call is enough */
#define WARM_CALL_NS 5000000000ull    /* below: the first call is only a warm-up */

static void report_calls(const assay_profile *profile)
{
    unsigned i;

    for (i = 0; i < profile->used; i++) {
        const assay_profile_call *call = &profile->calls[i];
        report("call %s %llu %llu %llu %llu", call->fn, call->in_bits, call->out_bits, call->calls,
               call->ticks);
    }
    report("overflow_calls %llu", profile->overflow_calls);
}

void job_profile(struct session *s, const char *operation, u64 input_bytes, u64 max_ops, u64 max_ns)
{
    void (*reset)(void);
    const assay_profile *(*get)(void);
    operation_loop *loop;
    u64 ops = 0, ticks = 0, ns = 0, longest = 0, warmups = 0;

    if (!library_symbol(&s->library, "assay_profile_reset", &reset) ||
        !library_symbol(&s->library, "assay_profile_read", &get))
        finish("unsupported profile of a library without wrappers: give the wrapped library");
    if (get()->layout != ASSAY_PROFILE_LAYOUT)
        finish("unsupported profile layout %u, this probe reads %u", get()->layout,
               ASSAY_PROFILE_LAYOUT);
    report_tick_rate();
    loop = operation_prepare(s, operation, input_bytes);

    reset();
    while (!s->sign_gave_up) {
        u64 start_ns = clock_ns();
        u64 start = assay_ticks();
        u64 call_ticks, call_ns;
        loop(s, 1);
        call_ticks = assay_ticks() - start;
        call_ns = clock_ns() - start_ns;
        if (ops == 0 && warmups == 0 && call_ns < WARM_CALL_NS) {
            warmups = 1;
            reset();
            continue;
        }
        ops++;
        ticks += call_ticks;
        ns += call_ns;
        if (call_ns > longest)
            longest = call_ns;
        if (ops >= max_ops ||
            (ns >= max_ns && ops >= (longest > LONG_CALL_NS ? 1 : LEAST_OPERATIONS)))
            break;
    }
    report("warmups %llu", warmups);
    if (ops != 0) {
        report("total %llu %llu", ops, ticks);
        report("op_ns %llu", ns / ops);
        report_calls(get());
    }
    operation_end(s);
}
