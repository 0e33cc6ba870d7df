/* The ICCS KAT text of KEMs and signatures; see kat.h. */
#include "kat.h"

#include "../iccs/drng.h"
#include "text.h"

#include <string.h>

#define SEED_BYTES 64
#define FIRST_MESSAGE_BYTES 56
#define MESSAGE_STEP_BYTES 8

/* A generator seeded with `word` repeated up to 64 bytes. */
static void start(DRNG_ctx *drng, const char *word)
{
    unsigned char seed[SEED_BYTES];
    size_t length = strlen(word), i;

    for (i = 0; i < SEED_BYTES; i++)
        seed[i] = (unsigned char)word[i % length];
    init_random_number(drng, seed, sizeof seed);
}

void kat_check_dec(struct session *s, unsigned record)
{
    int result = checked_dec(s);

    if (result != 0)
        kat_fail(s, record, "kem_dec", result);
    if (s->ss2_len != s->ss_len || memcmp(s->ss.data, s->ss2.data, (size_t)s->ss_len) != 0)
        kat_fail(s, record, "kem_dec gives another secret than kem_enc", 0);
}

void kat_check_verify(struct session *s, unsigned record)
{
    int result = checked_verify(s);

    if (result != 0)
        kat_fail(s, record, "sig_verify of a good signature", result);
    s->msg.data[0] ^= 0x80;
    result = checked_verify(s);
    s->msg.data[0] ^= 0x80;
    if (result == 0)
        kat_fail(s, record, "sig_verify accepts a changed message", 0);
}

static void kem_record(struct session *s, unsigned record)
{
    int result = checked_enc(s);

    if (result != 0)
        kat_fail(s, record, "kem_enc", result);
    text_number("CT_Len", s->ct_len);
    text_hex("CT", s->ct.data, s->ct_len);
    text_number("SS_Len", s->ss_len);
    text_hex("SS", s->ss.data, s->ss_len);
    kat_check_dec(s, record);
}

static void sig_record(struct session *s, unsigned record)
{
    int result = checked_sign(s);

    if (result != 0)
        kat_fail(s, record, "sig_sign", result);
    text_number("M_Len", s->msg_len);
    text_hex("M", s->msg.data, s->msg_len);
    text_number("Sn_Len", s->sn_len);
    text_hex("Sn", s->sn.data, s->sn_len);
    kat_check_verify(s, record);
}

void kat_iccs(struct session *s, unsigned records)
{
    DRNG_ctx seeds, messages;
    unsigned char seed[SEED_BYTES];
    unsigned record;
    int result;

    start(&seeds, "seed");
    start(&messages, "msg");
    if (s->library.kind == KIND_SIG)
        session_message(s, FIRST_MESSAGE_BYTES + MESSAGE_STEP_BYTES * (u64)records);
    for (record = 0; record < records; record++) {
        get_random_number(&seeds, seed, 8 * SEED_BYTES);
        if (s->library.kind == KIND_SIG) {
            s->msg_len = FIRST_MESSAGE_BYTES + MESSAGE_STEP_BYTES * (u64)record;
            get_random_number(&messages, s->msg.data, 8 * s->msg_len);
        }
        result = s->library.seed(seed, sizeof seed);
        if (result != 0)
            kat_fail(s, record, "init_random_number", result);
        result = checked_keygen(s);
        if (result != 0)
            kat_fail(s, record, s->library.kind == KIND_KEM ? "kem_keygen" : "sig_keygen", result);
        text_number("Count", record);
        text_number("Seed_Len", sizeof seed);
        text_hex("Seed", seed, sizeof seed);
        text_number("PK_Len", s->pk_len);
        text_hex("PK", s->pk.data, s->pk_len);
        text_number("SK_Len", s->sk_len);
        text_hex("SK", s->sk.data, s->sk_len);
        if (s->library.kind == KIND_KEM)
            kem_record(s, record);
        else
            sig_record(s, record);
        text_string("\n");
        text_record();
    }
    kat_end(s, "ok");
}
