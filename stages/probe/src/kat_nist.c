/* The one record of PQClean's nistkat programs, in their order of draws; see kat.h. */
#include "kat.h"

#include "text.h"

#include <string.h>

#define NIST_SEED_BYTES 48
#define NIST_MESSAGE_BYTES 33

/* As PQClean prints it: nothing is shown as 00. */
static void hex(const char *key, const unsigned char *bytes, u64 length)
{
    static const unsigned char zero = 0;
    text_hex(key, length == 0 ? &zero : bytes, length == 0 ? 1 : length);
}

static void need(struct session *s, const char *what, int result)
{
    if (result != 0)
        kat_fail(s, 0, what, result);
}

void kat_nist(struct session *s)
{
    unsigned char entropy[NIST_SEED_BYTES], seed[NIST_SEED_BYTES];
    unsigned i;

    for (i = 0; i < sizeof entropy; i++)
        entropy[i] = (unsigned char)i;
    need(s, "seeding", s->library.seed(entropy, sizeof entropy));
    need(s, "drawing the seed", s->library.random(seed, sizeof seed));
    text_number("count", 0);
    hex("seed", seed, sizeof seed);
    if (s->library.kind == KIND_SIG) {
        session_message(s, NIST_MESSAGE_BYTES);
        need(s, "drawing the message", s->library.random(s->msg.data, s->msg_len));
        text_number("mlen", s->msg_len);
        hex("msg", s->msg.data, s->msg_len);
    }
    need(s, "seeding", s->library.seed(seed, sizeof seed));

    need(s, "keygen", checked_keygen(s));
    hex("pk", s->pk.data, s->pk_len);
    hex("sk", s->sk.data, s->sk_len);
    if (s->library.kind == KIND_KEM) {
        need(s, "kem_enc", checked_enc(s));
        hex("ct", s->ct.data, s->ct_len);
        hex("ss", s->ss.data, s->ss_len);
        kat_check_dec(s, 0);
    } else {
        need(s, "sig_sign", checked_sign(s));
        /* the signed message: signature, then message */
        text_number("smlen", s->sn_len + s->msg_len);
        text_string("sm = ");
        text_digits(s->sn.data, s->sn_len);
        text_digits(s->msg.data, s->msg_len);
        text_string("\n");
        kat_check_verify(s, 0);
    }
    text_record();
    kat_end(s, "ok");
}
