/* See operation.h. */
#include "operation.h"

#include <string.h>

#define SEED_BYTES 48
/* The message of a signature, where INPUT_BYTES is 0 as in published records. */
#define SIGNED_BYTES 64
/* Repetitions of a failing signature for one message in preparation, then the message changes. */
#define PREPARATION_RETRIES 16
#define MAX_MESSAGE_CHANGES 255
/* Repetitions of a failing signature in one timed call. */
#define CALL_RETRIES 64

static void keygen_loop(struct session *s, u64 calls)
{
    int (*keygen)(u8 *, u64 *, u8 *, u64 *) =
        s->library.kind == KIND_KEM ? s->library.kem_keygen : s->library.sig_keygen;

    for (; calls != 0; calls--) {
        s->pk_len = s->pk.bytes;
        s->sk_len = s->sk.bytes;
        s->call_errors += keygen(s->pk.data, &s->pk_len, s->sk.data, &s->sk_len) != 0;
    }
}

static void enc_loop(struct session *s, u64 calls)
{
    for (; calls != 0; calls--) {
        s->ss_len = s->ss.bytes;
        s->ct_len = s->ct.bytes;
        s->call_errors += s->library.kem_enc(s->pk.data, s->pk_len, s->ss.data, &s->ss_len,
                                             s->ct.data, &s->ct_len) != 0;
    }
}

static void dec_loop(struct session *s, u64 calls)
{
    for (; calls != 0; calls--) {
        s->ss2_len = s->ss2.bytes;
        s->call_errors += s->library.kem_dec(s->sk.data, s->sk_len, s->ct.data, s->ct_len,
                                             s->ss2.data, &s->ss2_len) != 0;
    }
}

/* One signature, repeated while the signer fails; 0 where it failed `retries` times more. */
static inline int sign(struct session *s, unsigned retries)
{
    for (;; retries--) {
        s->sn_len = s->sn.bytes;
        if (s->library.sig_sign(s->sk.data, s->sk_len, s->msg.data, s->msg_len, s->sn.data,
                                &s->sn_len) == 0)
            break;
        s->sign_failures++;
        if (retries == 0)
            return 0;
    }
    if (s->sn_len > s->sn.bytes && s->sn_len - s->sn.bytes > s->signature_excess)
        s->signature_excess = s->sn_len - s->sn.bytes;
    return 1;
}

static void sign_loop(struct session *s, u64 calls)
{
    for (; calls != 0; calls--)
        if (!sign(s, CALL_RETRIES)) {
            s->sign_gave_up = 1;
            return;
        }
}

static void verify_loop(struct session *s, u64 calls)
{
    for (; calls != 0; calls--)
        s->verify_rejections += s->library.sig_verify(s->pk.data, s->pk_len, s->sn.data, s->sn_len,
                                                      s->msg.data, s->msg_len) != 0;
}

static void hash_loop(struct session *s, u64 calls)
{
    int digest_bits = s->library.digest_bits;
    u64 msg_bits = 8 * s->msg_len;

    for (; calls != 0; calls--)
        s->call_errors += s->library.hash(digest_bits, s->msg.data, msg_bits, s->digest.data) != 0;
}

/* Byte i is (131 i + addend) mod 256. */
static void make_message(struct session *s, u64 bytes, u64 addend)
{
    u64 i;

    session_message(s, bytes);
    for (i = 0; i < bytes; i++)
        s->msg.data[i] = (u8)(131 * i + addend);
}

static void seed(struct session *s)
{
    u8 bytes[SEED_BYTES];
    unsigned i;

    if (s->library.seed == NULL)
        return;
    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = (u8)i;
    if (s->library.seed(bytes, sizeof bytes) != 0) {
        report("cryptofail 0 init_random_number failed in preparation");
        finish("cryptofail");
    }
}

/* One untimed call of a loop. */
static void prepare(struct session *s, operation_loop *loop, const char *what)
{
    loop(s, 1);
    if (s->call_errors != 0) {
        report("cryptofail 0 %s failed in preparation", what);
        finish("cryptofail");
    }
}

/* A returned length that leads outside buffer and guard cannot be passed on. */
static void within_guard(const struct buffer *buffer, u64 length)
{
    if (length <= buffer->bytes + GUARD_BYTES)
        return;
    report("overflow %s length returned %llu declared %llu", buffer->name, length, buffer->bytes);
    finish("overflow");
}

static void prepare_keys(struct session *s)
{
    prepare(s, keygen_loop, "keygen");
    within_guard(&s->pk, s->pk_len);
    within_guard(&s->sk, s->sk_len);
}

static void prepare_ciphertext(struct session *s)
{
    prepare(s, enc_loop, "kem_enc");
    within_guard(&s->ct, s->ct_len);
    within_guard(&s->ss, s->ss_len);
}

/* The secret is compared, but a candidate that gets it wrong is timed all the same. */
static void prepare_dec(struct session *s)
{
    prepare(s, dec_loop, "kem_dec");
    within_guard(&s->ss2, s->ss2_len);
    s->dec_mismatch =
        s->ss2_len != s->ss_len || memcmp(s->ss.data, s->ss2.data, (size_t)s->ss_len) != 0;
}

static void prepare_signature(struct session *s)
{
    while (!sign(s, PREPARATION_RETRIES)) {
        if (s->msg_len == 0 || s->message_changes == MAX_MESSAGE_CHANGES) {
            report("cryptofail 0 sig_sign failed in preparation for every message tried");
            finish("cryptofail");
        }
        s->msg.data[s->msg_len - 1]++;
        s->message_changes++;
    }
    within_guard(&s->sn, s->sn_len);
}

static operation_loop *prepare_kem(struct session *s, const char *name)
{
    if (strcmp(name, "keygen") == 0)
        return keygen_loop;
    prepare_keys(s);
    prepare_ciphertext(s);
    if (strcmp(name, "enc") == 0)
        return enc_loop;
    prepare_dec(s);
    return dec_loop;
}

static operation_loop *prepare_sig(struct session *s, const char *name, u64 input_bytes)
{
    if (strcmp(name, "keygen") == 0)
        return keygen_loop;
    prepare_keys(s);
    make_message(s, input_bytes != 0 ? input_bytes : SIGNED_BYTES, SIGNED_BYTES);
    if (strcmp(name, "sign") == 0)
        return sign_loop;
    prepare_signature(s);
    return verify_loop;
}

static int has_operation(enum kind kind, const char *name)
{
    static const char *const names[][3] = {
        {"keygen", "enc", "dec"}, {"keygen", "sign", "verify"}, {"hash", "hash", "hash"}};
    unsigned i;

    for (i = 0; i < 3; i++)
        if (strcmp(names[kind][i], name) == 0)
            return 1;
    return 0;
}

operation_loop *operation_prepare(struct session *s, const char *name, u64 input_bytes)
{
    if (!has_operation(s->library.kind, name))
        finish("unsupported operation %s of a %s", name, kind_name(s->library.kind));
    seed(s);
    if (s->library.kind == KIND_KEM)
        return prepare_kem(s, name);
    if (s->library.kind == KIND_SIG)
        return prepare_sig(s, name, input_bytes);
    make_message(s, input_bytes, input_bytes);
    return hash_loop;
}

void operation_end(const struct session *s)
{
    report("sign_failures_retried %llu", s->sign_failures);
    report("verify_rejections %llu", s->verify_rejections);
    report("signature_excess_bytes %llu", s->signature_excess);
    report("message_changes %llu", s->message_changes);
    report("dec_mismatch %llu", s->dec_mismatch);
    report("call_errors %llu", s->call_errors);
    if (session_overflow(s))
        finish("overflow");
    if (s->sign_gave_up)
        report("cryptofail 0 sig_sign failed %u times in one call", CALL_RETRIES + 1);
    else if (s->call_errors != 0)
        report("cryptofail 0 %llu of the measured calls returned an error", s->call_errors);
    if (s->sign_gave_up || s->call_errors != 0)
        finish("cryptofail");
    finish("ok");
}
