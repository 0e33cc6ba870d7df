/* The measured library: one primitive behind the ICCS interface (NGCC.md section 2).
 *
 * It is opened RTLD_LOCAL, and the probe is linked with all its symbols bound at start and exports
 * none: neither can take the place of the other's functions. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "report.h"

enum kind { KIND_KEM, KIND_SIG, KIND_HASH, KIND_KEX };

typedef unsigned char u8;

struct library {
    void *handle;
    enum kind kind;
    const char *instance;
    u64 pk_bytes, sk_bytes, ct_bytes, ss_bytes, sn_bytes, digest_bytes;
    int digest_bits;

    int (*kem_keygen)(u8 *pk, u64 *pk_len, u8 *sk, u64 *sk_len);
    int (*kem_enc)(const u8 *pk, u64 pk_len, u8 *ss, u64 *ss_len, u8 *ct, u64 *ct_len);
    int (*kem_dec)(const u8 *sk, u64 sk_len, const u8 *ct, u64 ct_len, u8 *ss, u64 *ss_len);
    int (*sig_keygen)(u8 *pk, u64 *pk_len, u8 *sk, u64 *sk_len);
    int (*sig_sign)(const u8 *sk, u64 sk_len, const u8 *m, u64 m_len, u8 *sn, u64 *sn_len);
    int (*sig_verify)(const u8 *pk, u64 pk_len, const u8 *sn, u64 sn_len, const u8 *m, u64 m_len);
    int (*hash)(int digest_bits, const u8 *msg, u64 msg_bits, u8 *digest);
    int (*seed)(const u8 *seed, u64 bytes);   /* NULL for hashes without a generator */
    int (*random)(u8 *out, u64 bytes);        /* likewise */
};

/* The kind's name: kem, sig, hash, kex. */
const char *kind_name(enum kind kind);

/* Opens the library and reports kind, instance and sizes. Ends the run with `end loadfail` where it
 * cannot be opened or lacks a function, with `end unsupported` for key exchange. */
void library_open(struct library *library, const char *path);

/* The address of an exported function or object, copied to `*target`; 0 where there is none. */
int library_symbol(const struct library *library, const char *name, void *target);

#endif
