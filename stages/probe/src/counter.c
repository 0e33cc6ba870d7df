/* See counter.h. */
#include "counter.h"

#include "files.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static int counter = -1;
static int reported;

u64 clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return 1000000000ull * (u64)now.tv_sec + (u64)now.tv_nsec;
}

static const char *virtual_machine(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;

    if (__get_cpuid(1, &a, &b, &c, &d))
        return c >> 31 ? "the CPU says it is virtual (hypervisor bit)" : "no hypervisor bit is set";
#endif
    return "whether the CPU is virtual is not known";
}

static void refused(const char *event, int error)
{
    char level[16];

    if (!first_line("/proc/sys/kernel/perf_event_paranoid", level, sizeof level))
        strcpy(level, "unknown");
    switch (error) {
    case ENOENT:
    case EOPNOTSUPP:
        report("event_error %s no counter for %s on this machine: %s; perf_event_paranoid is %s",
               error == ENOENT ? "ENOENT" : "EOPNOTSUPP", event, virtual_machine(), level);
        break;
    case EACCES:
    case EPERM:
        report("event_error %s not allowed: perf_event_paranoid is %s, set "
               "kernel.perf_event_paranoid=2 or lower; at 2 or lower a container's filter refuses; %s",
               error == EACCES ? "EACCES" : "EPERM", level, virtual_machine());
        break;
    case ENOSYS:
        report("event_error ENOSYS the kernel has no perf_event_open; %s", virtual_machine());
        break;
    default:
        report("event_error E%d %s; perf_event_paranoid is %s; %s", error, strerror(error), level,
               virtual_machine());
    }
}

void counter_open(const char *event)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    if (strcmp(event, "cycles") == 0) {
        attr.type = PERF_TYPE_HARDWARE;
        attr.config = PERF_COUNT_HW_CPU_CYCLES;
    } else if (strcmp(event, "cpu-clock") == 0) {
        attr.type = PERF_TYPE_SOFTWARE;
        attr.config = PERF_COUNT_SW_CPU_CLOCK;
    } else if (strcmp(event, "none") != 0) {
        finish("usage unknown event %s (cycles, cpu-clock, none)", event);
    }
    report("event %s", event);
    if (strcmp(event, "none") == 0)
        return;
    counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (counter < 0)
        refused(event, errno);
}

void counter_start(void)
{
    if (counter >= 0) {
        ioctl(counter, PERF_EVENT_IOC_RESET, 0);
        ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
    }
}

void counter_stop(void)
{
    if (counter >= 0)
        ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
}

/* IOC_RESET leaves the two times, so they are compared with those of the last reading. */
u64 counter_read(void)
{
    static u64 enabled_before, running_before;
    u64 values[3]; /* count, time enabled, time running */
    u64 enabled, running;
    const char *error = NULL;

    if (counter < 0)
        return 0;
    if (read(counter, values, sizeof values) != (ssize_t)sizeof values) {
        error = "UNREAD the counter could not be read";
    } else {
        enabled = values[1] - enabled_before;
        running = values[2] - running_before;
        enabled_before = values[1];
        running_before = values[2];
        if (values[0] == 0)
            error = "ZERO the counter reads 0";
        else if (enabled != running)
            error = "SHARED the counter did not run all the time (other users of the hardware)";
    }
    if (error == NULL)
        return values[0];
    if (!reported)
        report("event_error %s", error);
    reported = 1;
    return 0;
}

const char *counter_text(u64 count, char *text)
{
    if (count == 0)
        return "-";
    sprintf(text, "%llu", count);
    return text;
}
