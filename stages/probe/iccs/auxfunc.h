/* The symmetric helpers of the ICCS: all lengths in bits, bit strings most significant bit first.
 * Each returns 0, or -1 for an output length it does not have. */
#ifndef AUXFUNC_H
#define AUXFUNC_H

#ifdef __cplusplus
extern "C" {
#endif

/* SM3; digest_bits is 256. */
int sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits,
            unsigned char *digest);

/* A hash of 512, 768 or 1024 bits built from SM3 and HMAC-SM3 with a fixed key. */
int pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits,
               unsigned char *digest);

/* SM3 in counter mode; unused low bits of the last byte are 0. */
int pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
              unsigned char *out);

#ifdef __cplusplus
}
#endif

#endif
