/* The measured operations: their preparation and their loop. */
#ifndef OPERATION_H
#define OPERATION_H

#include "session.h"

/* Calls of one operation, nothing else between them but stores of capacities and counts; stops early
 * only when a signer gives up. */
typedef void operation_loop(struct session *session, u64 calls);

/* The loop of a named operation of the opened library, everything prepared as NGCC.md section 5
 * says: generator seeded with bytes 00..2f, inputs made. Ends the run where the preparation fails or
 * the library's kind has no such operation. */
operation_loop *operation_prepare(struct session *session, const char *name, u64 input_bytes);

/* Reports what was counted, then what went wrong in the timed part if anything did; ends the run. */
void operation_end(const struct session *session) __attribute__((noreturn));

#endif
