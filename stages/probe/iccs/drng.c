/* See drng.h; the steps follow SP 800-90A sections 10.1.1 and 10.3.1. */
#include "drng.h"

#include "iccs_sm3.h"

#include <string.h>

/* target = (target + number) mod 2^440, for a number of `bytes` <= 55 bytes */
static void add(unsigned char target[DRNG_SEED_BYTES], const unsigned char *number, unsigned bytes)
{
    unsigned carry = 0, i;

    for (i = 1; i <= DRNG_SEED_BYTES; i++) {
        carry += target[DRNG_SEED_BYTES - i];
        if (i <= bytes)
            carry += number[bytes - i];
        target[DRNG_SEED_BYTES - i] = (unsigned char)carry;
        carry >>= 8;
    }
}

/* The leftmost 55 bytes of H(01 || 000001B8 || prefix || data) || H(02 || 000001B8 || ..). */
static void derive(unsigned char out[DRNG_SEED_BYTES], const unsigned char *prefix,
                   unsigned prefix_bytes, const unsigned char *data, unsigned long long bytes)
{
    unsigned char digests[2 * ICCS_SM3_BYTES];
    unsigned char i;

    for (i = 0; i < 2; i++) {
        unsigned char head[5] = {0, 0x00, 0x00, 0x01, 0xb8};
        iccs_sm3 hash;
        head[0] = (unsigned char)(i + 1);
        iccs_sm3_start(&hash);
        iccs_sm3_add(&hash, head, 8 * sizeof head);
        iccs_sm3_add(&hash, prefix, 8 * prefix_bytes);
        iccs_sm3_add(&hash, data, 8 * bytes);
        iccs_sm3_end(&hash, digests + i * ICCS_SM3_BYTES);
    }
    memcpy(out, digests, DRNG_SEED_BYTES);
}

int init_random_number(DRNG_ctx *drng, const unsigned char *seed, unsigned long long seed_bytes)
{
    static const unsigned char zero = 0;
    unsigned char v[DRNG_SEED_BYTES];

    if (drng == NULL || (seed == NULL && seed_bytes != 0))
        return -1;
    derive(v, NULL, 0, seed, seed_bytes);
    derive(drng->C, &zero, 1, v, sizeof v);
    memcpy(drng->V, v, sizeof v);
    memset(drng->reseed_counter, 0, sizeof drng->reseed_counter);
    drng->reseed_counter[DRNG_SEED_BYTES - 1] = 1;
    return 0;
}

static void digest_of(unsigned char digest[ICCS_SM3_BYTES], const unsigned char *prefix,
                      unsigned prefix_bytes, const unsigned char data[DRNG_SEED_BYTES])
{
    iccs_sm3 hash;

    iccs_sm3_start(&hash);
    iccs_sm3_add(&hash, prefix, 8 * prefix_bytes);
    iccs_sm3_add(&hash, data, 8 * DRNG_SEED_BYTES);
    iccs_sm3_end(&hash, digest);
}

int get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long bits)
{
    static const unsigned char three = 3, one = 1;
    unsigned long long left = bits / 8 + (bits % 8 != 0);
    unsigned char data[DRNG_SEED_BYTES], digest[ICCS_SM3_BYTES];

    if (drng == NULL || (out == NULL && bits != 0))
        return -1;
    memcpy(data, drng->V, sizeof data);
    while (left != 0) {
        unsigned taken = left < ICCS_SM3_BYTES ? (unsigned)left : ICCS_SM3_BYTES;
        digest_of(digest, NULL, 0, data);
        memcpy(out, digest, taken);
        add(data, &one, 1);
        out += taken;
        left -= taken;
    }
    if (bits % 8 != 0)
        out[-1] = (unsigned char)(out[-1] & (0xff00u >> (bits % 8)));

    digest_of(digest, &three, 1, drng->V);
    add(drng->V, digest, sizeof digest);
    add(drng->V, drng->C, sizeof drng->C);
    add(drng->V, drng->reseed_counter, sizeof drng->reseed_counter);
    add(drng->reseed_counter, &one, 1);
    return 0;
}
