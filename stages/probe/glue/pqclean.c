/* Compiled into the library of a PQClean implementation: its API under the names of the ICCS, so
 * that the probe knows one interface only.
 *
 * The generated assay_config.h defines ASSAY_KEM or ASSAY_SIG to 1 and ASSAY_NAMESPACE (such as
 * PQCLEAN_MLKEM512_CLEAN) and includes api.h. Randomness comes from test/common/nistkatrng.c of the
 * package, which takes 48 bytes of seed. */
#include "assay_config.h"

#include "randombytes.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define JOIN2(space, name) space##_##name
#define JOIN(space, name) JOIN2(space, name)
#define OF(name) JOIN(ASSAY_NAMESPACE, name)

#define NIST_SEED_BYTES 48

typedef unsigned long long u64;

/* Takes a full buffer or none: PQClean's functions do not know a capacity. */
static int fits(u64 *length, u64 needed)
{
    if (*length < needed)
        return 0;
    *length = needed;
    return 1;
}

extern const char assay_instance[];
const char assay_instance[] = OF(CRYPTO_ALGNAME);

void nist_kat_init(uint8_t *entropy, const uint8_t *personalization, int security_strength);

int assay_seed(const unsigned char *seed, u64 bytes);
int assay_random(unsigned char *out, u64 bytes);

int assay_seed(const unsigned char *seed, u64 bytes)
{
    uint8_t entropy[NIST_SEED_BYTES];

    if (bytes != sizeof entropy)
        return -1;
    memcpy(entropy, seed, sizeof entropy);
    nist_kat_init(entropy, NULL, 256);
    return 0;
}

int assay_random(unsigned char *out, u64 bytes) { return randombytes(out, (size_t)bytes); }

#ifdef ASSAY_KEM

u64 kem_get_pk_len_bytes(void);
u64 kem_get_sk_len_bytes(void);
u64 kem_get_ct_len_bytes(void);
u64 kem_get_ss_len_bytes(void);
int kem_keygen(unsigned char *pk, u64 *pk_len, unsigned char *sk, u64 *sk_len);
int kem_enc(const unsigned char *pk, u64 pk_len, unsigned char *ss, u64 *ss_len, unsigned char *ct,
            u64 *ct_len);
int kem_dec(const unsigned char *sk, u64 sk_len, const unsigned char *ct, u64 ct_len,
            unsigned char *ss, u64 *ss_len);

u64 kem_get_pk_len_bytes(void) { return OF(CRYPTO_PUBLICKEYBYTES); }
u64 kem_get_sk_len_bytes(void) { return OF(CRYPTO_SECRETKEYBYTES); }
u64 kem_get_ct_len_bytes(void) { return OF(CRYPTO_CIPHERTEXTBYTES); }
u64 kem_get_ss_len_bytes(void) { return OF(CRYPTO_BYTES); }

int kem_keygen(unsigned char *pk, u64 *pk_len, unsigned char *sk, u64 *sk_len)
{
    if (!fits(pk_len, OF(CRYPTO_PUBLICKEYBYTES)) || !fits(sk_len, OF(CRYPTO_SECRETKEYBYTES)))
        return -1;
    return OF(crypto_kem_keypair)(pk, sk);
}

int kem_enc(const unsigned char *pk, u64 pk_len, unsigned char *ss, u64 *ss_len, unsigned char *ct,
            u64 *ct_len)
{
    if (pk_len != OF(CRYPTO_PUBLICKEYBYTES) || !fits(ss_len, OF(CRYPTO_BYTES)) ||
        !fits(ct_len, OF(CRYPTO_CIPHERTEXTBYTES)))
        return -1;
    return OF(crypto_kem_enc)(ct, ss, pk);
}

int kem_dec(const unsigned char *sk, u64 sk_len, const unsigned char *ct, u64 ct_len,
            unsigned char *ss, u64 *ss_len)
{
    if (sk_len != OF(CRYPTO_SECRETKEYBYTES) || ct_len != OF(CRYPTO_CIPHERTEXTBYTES) ||
        !fits(ss_len, OF(CRYPTO_BYTES)))
        return -1;
    return OF(crypto_kem_dec)(ss, ct, sk);
}

#endif

#ifdef ASSAY_SIG

u64 sig_get_pk_len_bytes(void);
u64 sig_get_sk_len_bytes(void);
u64 sig_get_sn_len_bytes(void);
int sig_keygen(unsigned char *pk, u64 *pk_len, unsigned char *sk, u64 *sk_len);
int sig_sign(const unsigned char *sk, u64 sk_len, const unsigned char *m, u64 m_len,
             unsigned char *sn, u64 *sn_len);
int sig_verify(const unsigned char *pk, u64 pk_len, const unsigned char *sn, u64 sn_len,
               const unsigned char *m, u64 m_len);

u64 sig_get_pk_len_bytes(void) { return OF(CRYPTO_PUBLICKEYBYTES); }
u64 sig_get_sk_len_bytes(void) { return OF(CRYPTO_SECRETKEYBYTES); }
u64 sig_get_sn_len_bytes(void) { return OF(CRYPTO_BYTES); }

int sig_keygen(unsigned char *pk, u64 *pk_len, unsigned char *sk, u64 *sk_len)
{
    if (!fits(pk_len, OF(CRYPTO_PUBLICKEYBYTES)) || !fits(sk_len, OF(CRYPTO_SECRETKEYBYTES)))
        return -1;
    return OF(crypto_sign_keypair)(pk, sk);
}

int sig_sign(const unsigned char *sk, u64 sk_len, const unsigned char *m, u64 m_len,
             unsigned char *sn, u64 *sn_len)
{
    size_t length = 0;
    int result;

    if (sk_len != OF(CRYPTO_SECRETKEYBYTES) || *sn_len < OF(CRYPTO_BYTES))
        return -1;
    result = OF(crypto_sign_signature)(sn, &length, m, (size_t)m_len, sk);
    *sn_len = length;
    return result;
}

int sig_verify(const unsigned char *pk, u64 pk_len, const unsigned char *sn, u64 sn_len,
               const unsigned char *m, u64 m_len)
{
    if (pk_len != OF(CRYPTO_PUBLICKEYBYTES))
        return -1;
    return OF(crypto_sign_verify)(sn, (size_t)sn_len, m, (size_t)m_len, pk);
}

#endif
