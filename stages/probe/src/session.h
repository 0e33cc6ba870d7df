/* One library, its buffers and the lengths in use: what every job works on.
 *
 * Lengths are what goes in and comes out of the API; a buffer's `bytes` are its capacity, the size
 * the library declares. */
#ifndef SESSION_H
#define SESSION_H

#include "buffer.h"
#include "library.h"

/* The smallest and largest length a KAT run returned; none while `max < min`. */
struct range {
    u64 min, max;
};

enum { STACK_AS_IS = -1 };

struct session {
    struct library library;
    struct buffer pk, sk, ct, ss, ss2, sn, msg, digest;
    u64 pk_len, sk_len, ct_len, ss_len, ss2_len, sn_len, msg_len;

    /* in KAT runs */
    int paint; /* the byte that stack and outputs hold before a call, or STACK_AS_IS */
    struct range pk_returned, sk_returned, ct_returned, ss_returned, sn_returned;

    /* in timing runs */
    u64 sign_failures, verify_rejections, signature_excess, message_changes, dec_mismatch;
    u64 call_errors;   /* API errors of the timed part */
    int sign_gave_up;  /* the signer failed more often than a call may be retried */
};

/* Opens the library and makes its buffers, all but the message's. */
void session_open(struct session *session, const char *path);
void session_message(struct session *session, u64 bytes);

/* Calls of a KAT run: each paints, sets capacities, calls, checks every guard and every returned
 * length (and does not return on an overflow: see kat_end), and gives the API's result. */
int checked_keygen(struct session *session);
int checked_enc(struct session *session);
int checked_dec(struct session *session); /* the secret to ss2, whose capacity is ss_len */
int checked_sign(struct session *session);
int checked_verify(struct session *session);
int checked_hash(struct session *session, u64 msg_bits);

/* Reports the first overflow after a timed part and returns 1, or returns 0. */
int session_overflow(const struct session *session);

/* Reports the ranges of lengths and the size of the text, and ends the KAT run. */
void kat_end(struct session *session, const char *status) __attribute__((noreturn));
/* The same for `cryptofail`, with its line: the record and what went wrong. */
void kat_fail(struct session *session, unsigned record, const char *what, int result)
    __attribute__((noreturn));

#endif
