/* Wrappers of the symmetric functions of PQClean's common/ folder (fips202.h, sha2.h, aes.h) and of
 * its randomness; see wrap.h. Contexts are passed on unread. What only frees or copies a context is
 * not wrapped. Bits absorbed are input, bits squeezed are output; a function that only steps a
 * state counts with 0 of both. */
#include "wrap.h"

#include <stddef.h>

#define BITS(bytes) (8 * (u64)(bytes))

/* randombytes.h renames the function */
#ifdef ASSAY_WRAP_PQCLEAN_randombytes
ASSAY_WRAPPER_INT(PQCLEAN_randombytes, "drng", (uint8_t *out, size_t n), (out, n), 0, BITS(n))
#endif

#define XOF(fn)                                                                            \
    ASSAY_WRAPPER(fn, #fn, (uint8_t *out, size_t out_len, const uint8_t *in, size_t len), \
                  (out, out_len, in, len), BITS(len), BITS(out_len))
#define HASH(fn, bits)                                                                  \
    ASSAY_WRAPPER(fn, #fn, (uint8_t *out, const uint8_t *in, size_t len), (out, in, len), \
                  BITS(len), bits)
#define STATE(fn) ASSAY_WRAPPER(fn, #fn, (void *state), (state), 0, 0)
#define ABSORB(fn)                                                                      \
    ASSAY_WRAPPER(fn, #fn, (void *state, const uint8_t *in, size_t len), (state, in, len), \
                  BITS(len), 0)
#define BLOCKS(fn, bytes)                                                            \
    ASSAY_WRAPPER(fn, #fn, (void *state, const uint8_t *in, size_t n), (state, in, n), \
                  BITS(n) * (bytes), 0)
#define SQUEEZE(fn, bytes)                                                            \
    ASSAY_WRAPPER(fn, #fn, (uint8_t *out, size_t n, void *state), (out, n, state), 0, \
                  BITS(n) * (bytes))
#define DIGEST(fn, bits) ASSAY_WRAPPER(fn, #fn, (uint8_t *out, void *state), (out, state), 0, bits)
#define LAST(fn, bits)                                                                    \
    ASSAY_WRAPPER(fn, #fn, (uint8_t *out, void *state, const uint8_t *in, size_t len), \
                  (out, state, in, len), BITS(len), bits)
#define KEY(fn, bits) ASSAY_WRAPPER(fn, #fn, (void *state, const uint8_t *key), (state, key), bits, 0)
#define ECB(fn)                                                                               \
    ASSAY_WRAPPER(fn, #fn, (uint8_t *out, const uint8_t *in, size_t n, const void *state), \
                  (out, in, n, state), BITS(n) * 16, BITS(n) * 16)
#define CTR(fn)                                                                              \
    ASSAY_WRAPPER(fn, #fn, (uint8_t *out, size_t len, const uint8_t *iv, const void *state), \
                  (out, len, iv, state), 0, BITS(len))


/* fips202.h */
#ifdef ASSAY_WRAP_shake128
XOF(shake128)
#endif
#ifdef ASSAY_WRAP_shake128_absorb
ABSORB(shake128_absorb)
#endif
#ifdef ASSAY_WRAP_shake128_squeezeblocks
SQUEEZE(shake128_squeezeblocks, 168)
#endif
#ifdef ASSAY_WRAP_shake128_inc_init
STATE(shake128_inc_init)
#endif
#ifdef ASSAY_WRAP_shake128_inc_finalize
STATE(shake128_inc_finalize)
#endif
#ifdef ASSAY_WRAP_shake128_inc_absorb
ABSORB(shake128_inc_absorb)
#endif
#ifdef ASSAY_WRAP_shake128_inc_squeeze
SQUEEZE(shake128_inc_squeeze, 1)
#endif
#ifdef ASSAY_WRAP_shake256
XOF(shake256)
#endif
#ifdef ASSAY_WRAP_shake256_absorb
ABSORB(shake256_absorb)
#endif
#ifdef ASSAY_WRAP_shake256_squeezeblocks
SQUEEZE(shake256_squeezeblocks, 136)
#endif
#ifdef ASSAY_WRAP_shake256_inc_init
STATE(shake256_inc_init)
#endif
#ifdef ASSAY_WRAP_shake256_inc_finalize
STATE(shake256_inc_finalize)
#endif
#ifdef ASSAY_WRAP_shake256_inc_absorb
ABSORB(shake256_inc_absorb)
#endif
#ifdef ASSAY_WRAP_shake256_inc_squeeze
SQUEEZE(shake256_inc_squeeze, 1)
#endif
#ifdef ASSAY_WRAP_sha3_256
HASH(sha3_256, 256)
#endif
#ifdef ASSAY_WRAP_sha3_256_inc_init
STATE(sha3_256_inc_init)
#endif
#ifdef ASSAY_WRAP_sha3_256_inc_absorb
ABSORB(sha3_256_inc_absorb)
#endif
#ifdef ASSAY_WRAP_sha3_256_inc_finalize
DIGEST(sha3_256_inc_finalize, 256)
#endif
#ifdef ASSAY_WRAP_sha3_384
HASH(sha3_384, 384)
#endif
#ifdef ASSAY_WRAP_sha3_384_inc_init
STATE(sha3_384_inc_init)
#endif
#ifdef ASSAY_WRAP_sha3_384_inc_absorb
ABSORB(sha3_384_inc_absorb)
#endif
#ifdef ASSAY_WRAP_sha3_384_inc_finalize
DIGEST(sha3_384_inc_finalize, 384)
#endif
#ifdef ASSAY_WRAP_sha3_512
HASH(sha3_512, 512)
#endif
#ifdef ASSAY_WRAP_sha3_512_inc_init
STATE(sha3_512_inc_init)
#endif
#ifdef ASSAY_WRAP_sha3_512_inc_absorb
ABSORB(sha3_512_inc_absorb)
#endif
#ifdef ASSAY_WRAP_sha3_512_inc_finalize
DIGEST(sha3_512_inc_finalize, 512)
#endif

/* sha2.h */
#ifdef ASSAY_WRAP_sha224
HASH(sha224, 224)
#endif
#ifdef ASSAY_WRAP_sha224_inc_init
STATE(sha224_inc_init)
#endif
#ifdef ASSAY_WRAP_sha224_inc_blocks
BLOCKS(sha224_inc_blocks, 64)
#endif
#ifdef ASSAY_WRAP_sha224_inc_finalize
LAST(sha224_inc_finalize, 224)
#endif
#ifdef ASSAY_WRAP_sha256
HASH(sha256, 256)
#endif
#ifdef ASSAY_WRAP_sha256_inc_init
STATE(sha256_inc_init)
#endif
#ifdef ASSAY_WRAP_sha256_inc_blocks
BLOCKS(sha256_inc_blocks, 64)
#endif
#ifdef ASSAY_WRAP_sha256_inc_finalize
LAST(sha256_inc_finalize, 256)
#endif
#ifdef ASSAY_WRAP_sha384
HASH(sha384, 384)
#endif
#ifdef ASSAY_WRAP_sha384_inc_init
STATE(sha384_inc_init)
#endif
#ifdef ASSAY_WRAP_sha384_inc_blocks
BLOCKS(sha384_inc_blocks, 128)
#endif
#ifdef ASSAY_WRAP_sha384_inc_finalize
LAST(sha384_inc_finalize, 384)
#endif
#ifdef ASSAY_WRAP_sha512
HASH(sha512, 512)
#endif
#ifdef ASSAY_WRAP_sha512_inc_init
STATE(sha512_inc_init)
#endif
#ifdef ASSAY_WRAP_sha512_inc_blocks
BLOCKS(sha512_inc_blocks, 128)
#endif
#ifdef ASSAY_WRAP_sha512_inc_finalize
LAST(sha512_inc_finalize, 512)
#endif

/* aes.h */
#ifdef ASSAY_WRAP_aes128_ecb_keyexp
KEY(aes128_ecb_keyexp, 128)
#endif
#ifdef ASSAY_WRAP_aes128_ctr_keyexp
KEY(aes128_ctr_keyexp, 128)
#endif
#ifdef ASSAY_WRAP_aes128_ecb
ECB(aes128_ecb)
#endif
#ifdef ASSAY_WRAP_aes128_ctr
CTR(aes128_ctr)
#endif
#ifdef ASSAY_WRAP_aes192_ecb_keyexp
KEY(aes192_ecb_keyexp, 192)
#endif
#ifdef ASSAY_WRAP_aes192_ctr_keyexp
KEY(aes192_ctr_keyexp, 192)
#endif
#ifdef ASSAY_WRAP_aes192_ecb
ECB(aes192_ecb)
#endif
#ifdef ASSAY_WRAP_aes192_ctr
CTR(aes192_ctr)
#endif
#ifdef ASSAY_WRAP_aes256_ecb_keyexp
KEY(aes256_ecb_keyexp, 256)
#endif
#ifdef ASSAY_WRAP_aes256_ctr_keyexp
KEY(aes256_ctr_keyexp, 256)
#endif
#ifdef ASSAY_WRAP_aes256_ecb
ECB(aes256_ecb)
#endif
#ifdef ASSAY_WRAP_aes256_ctr
CTR(aes256_ctr)
#endif
