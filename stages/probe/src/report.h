/* The probe's answers to its stage: lines `key value...` on file descriptor 3.
 *
 * Invariants: ASCII, one fact a line, each written by one write(2) at once, so that a crash of the
 * candidate loses nothing that was known; the first line is `assay-probe 1`, the last `end STATUS`. */
#ifndef REPORT_H
#define REPORT_H

typedef unsigned long long u64;

#define REPORT_FD 3
#define TEXT_FD 4

/* Whether the file descriptor is open: otherwise a library could be opened on its number. */
int is_open(int fd);

/* One line; control characters become blanks, other bytes outside ASCII `?`. */
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The last line, `end` and what the format says; exits with 0, running nothing of the candidate's. */
void finish(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
