/* The probe: opens one library and does one job with it, answering on file descriptor 3 and writing
 * KAT text on file descriptor 4. Standard output and error are the candidate's. See ../README.md. */
#include "counter.h"
#include "jobs.h"
#include "kat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A decimal argument; ends the run where it is none. */
static u64 number(const char *what, const char *text)
{
    char *end;
    u64 value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || text[0] < '0' || text[0] > '9')
        finish("usage %s is no decimal number: %s", what, text);
    return value;
}

static void usage(void) __attribute__((noreturn));

static void usage(void)
{
    finish("usage probe [--paint BYTE] LIB info | kat iccs RECORDS | kat iccs-hash FILE MAX_BITS | "
           "kat nist | time OP INPUT_BYTES WARMUPS ITERATIONS EVENT [TRIALS] | "
           "profile OP INPUT_BYTES MAX_OPS MAX_NS; or probe clock EVENT");
}

static void run_kat(struct session *s, int argc, char **argv)
{
    int is_hash = s->library.kind == KIND_HASH;

    if (!is_open(TEXT_FD))
        finish("usage kat writes its text to file descriptor 4, which is not open");
    if (argc == 2 && strcmp(argv[0], "iccs") == 0 && !is_hash)
        kat_iccs(s, (unsigned)number("RECORDS", argv[1]));
    if (argc == 3 && strcmp(argv[0], "iccs-hash") == 0 && is_hash)
        kat_hash(s, argv[1], number("MAX_BITS", argv[2]));
    if (argc == 1 && strcmp(argv[0], "nist") == 0 && !is_hash)
        kat_nist(s);
    finish("usage kat %s does not fit a %s (kem, sig: iccs RECORDS or nist; hash: iccs-hash FILE "
           "MAX_BITS)", argc > 0 ? argv[0] : "", kind_name(s->library.kind));
}

static void run_time(struct session *s, int argc, char **argv, u64 start_ns)
{
    struct timing timing;

    if (argc != 5 && argc != 6)
        usage();
    timing.operation = argv[0];
    timing.input_bytes = number("INPUT_BYTES", argv[1]);
    timing.warmups = number("WARMUPS", argv[2]);
    timing.iterations = number("ITERATIONS", argv[3]);
    timing.event = argv[4];
    timing.trials = argc == 6 ? number("TRIALS", argv[5]) : 1;
    if (timing.iterations == 0 || timing.trials == 0)
        finish("usage ITERATIONS and TRIALS are 1 or more");
    job_time(s, &timing, start_ns);
}

int main(int argc, char **argv)
{
    static struct session session;
    u64 start_ns = clock_ns();
    int paint = STACK_AS_IS;

    if (!is_open(REPORT_FD)) {
        static const char text[] = "probe: answers on file descriptor 3, which is not open; "
                                   "try: probe LIB info 3>&1\n";
        return write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 3 : 2;
    }
    report("assay-probe 1");
    argc--;
    argv++;
    if (argc >= 2 && strcmp(argv[0], "--paint") == 0) {
        u64 byte = number("BYTE", argv[1]);
        if (byte > 255)
            finish("usage BYTE is 0 to 255");
        paint = (int)byte;
        argc -= 2;
        argv += 2;
    }
    if (argc == 2 && strcmp(argv[0], "clock") == 0)
        job_clock(argv[1]);
    if (argc < 2)
        usage();
    session_open(&session, argv[0]);
    session.paint = paint;
    if (argc == 2 && strcmp(argv[1], "info") == 0)
        finish("ok");
    if (strcmp(argv[1], "kat") == 0)
        run_kat(&session, argc - 2, argv + 2);
    if (strcmp(argv[1], "time") == 0)
        run_time(&session, argc - 2, argv + 2, start_ns);
    if (argc == 6 && strcmp(argv[1], "profile") == 0)
        job_profile(&session, argv[2], number("INPUT_BYTES", argv[3]), number("MAX_OPS", argv[4]),
                    number("MAX_NS", argv[5]));
    usage();
}
