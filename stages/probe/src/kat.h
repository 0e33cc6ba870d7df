/* Known answer tests: each writes its text and ends the run. */
#ifndef KAT_H
#define KAT_H

#include "session.h"

/* The ICCS text of a KEM or signature; NGCC.md section 4. */
void kat_iccs(struct session *session, unsigned records) __attribute__((noreturn));
/* The ICCS text of a hash: file_name (it begins KAT_2_12, KAT_2_23 or KAT_2_33) says which messages;
 * none may be longer than max_bits. */
void kat_hash(struct session *session, const char *file_name, u64 max_bits)
    __attribute__((noreturn));
/* The one record of PQClean's nistkat programs. */
void kat_nist(struct session *session) __attribute__((noreturn));

/* Shared by the two formats: dec must give enc's secret, verify must accept, and must reject the
 * message with its first bit flipped. Do not return otherwise. */
void kat_check_dec(struct session *session, unsigned record);
void kat_check_verify(struct session *session, unsigned record);

#endif
