/* The deterministic random number generator of the ICCS helper files: Hash_DRBG of SP 800-90A on
 * SM3, seedlen 440 bits, no prediction resistance, no additional input, no entropy but the seed. */
#ifndef DRNG_H
#define DRNG_H

#define DRNG_SEED_BYTES 55

/* Big-endian numbers of 440 bits. */
typedef struct {
    unsigned char V[DRNG_SEED_BYTES];
    unsigned char C[DRNG_SEED_BYTES];
    unsigned char reseed_counter[DRNG_SEED_BYTES];
} DRNG_ctx;

#ifdef __cplusplus
extern "C" {
#endif

/* 0, or -1 for a null pointer. */
int init_random_number(DRNG_ctx *drng, const unsigned char *seed, unsigned long long seed_bytes);

/* Writes `bits` bits; unused low bits of the last byte are 0. A draw of 0 bits steps the state like
 * any other. 0, or -1 for a null pointer. */
int get_random_number(DRNG_ctx *drng, unsigned char *out, unsigned long long bits);

#ifdef __cplusplus
}
#endif

#endif
