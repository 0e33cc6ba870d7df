/* Buffers for the candidate, with guards around them.
 *
 * Layout: an inaccessible page, at least GUARD_BYTES of pattern, the data, at least GUARD_BYTES of
 * pattern, an inaccessible page; each buffer is a mapping of its own. The data of different buffers
 * start at different offsets in a page, so that they do not compete for the same cache sets.
 * A write of up to 4 KiB outside is found by buffer_violation, one far beyond ends the process. */
#ifndef BUFFER_H
#define BUFFER_H

#include "report.h"

#define GUARD_BYTES 4096

struct buffer {
    const char *name;
    unsigned char *data;
    u64 bytes;           /* what the candidate is told it may use */
    unsigned char *head; /* first byte of the guard before */
    unsigned char *tail; /* first byte after the guard after */
};

/* Ends the run with `end hostfail` where there is no memory. */
void buffer_make(struct buffer *buffer, const char *name, u64 bytes);

/* Reports `overflow NAME before|after ..` for the first guard byte that changed, and returns 1; 0
 * where all are intact. The first `excess` bytes behind the data may differ. */
int buffer_violation(const struct buffer *buffer, u64 excess);

#endif
