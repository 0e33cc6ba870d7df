/* SM3 (GB/T 32905-2016) over bit strings, most significant bit first.
 *
 * Invariants: `bits` is the whole length so far, 64 bits wide (the standard's own limit); the
 * block holds its last bits % 512 bits, and unused low bits of its last byte are 0.
 * The names carry a prefix of their own, so that they meet neither a submission's SM3 nor the
 * exported assay_* symbols. */
#ifndef ICCS_SM3_H
#define ICCS_SM3_H

#include <stdint.h>

#define ICCS_SM3_BYTES 32
#define ICCS_SM3_BLOCK_BYTES 64

typedef struct {
    uint32_t state[8];
    unsigned char block[ICCS_SM3_BLOCK_BYTES];
    uint64_t bits;
} iccs_sm3;

void iccs_sm3_start(iccs_sm3 *hash);
/* Appends `bits` bits, also where the bits before do not end on a byte. */
void iccs_sm3_add(iccs_sm3 *hash, const unsigned char *data, uint64_t bits);
/* `hash` is used up. */
void iccs_sm3_end(iccs_sm3 *hash, unsigned char digest[ICCS_SM3_BYTES]);

#endif
