/* See session.h. */
#include "session.h"

#include "text.h"

#include <string.h>

#define PAINTED_STACK_BYTES 65536

static const struct range NONE = {~0ull, 0};

void session_open(struct session *s, const char *path)
{
    memset(s, 0, sizeof *s);
    s->paint = STACK_AS_IS;
    s->pk_returned = s->sk_returned = s->ct_returned = s->ss_returned = s->sn_returned = NONE;
    library_open(&s->library, path);
    if (s->library.kind == KIND_KEM || s->library.kind == KIND_SIG) {
        buffer_make(&s->pk, "pk", s->library.pk_bytes);
        buffer_make(&s->sk, "sk", s->library.sk_bytes);
    }
    if (s->library.kind == KIND_KEM) {
        buffer_make(&s->ct, "ct", s->library.ct_bytes);
        buffer_make(&s->ss, "ss", s->library.ss_bytes);
        buffer_make(&s->ss2, "ss", s->library.ss_bytes);
    }
    if (s->library.kind == KIND_SIG)
        buffer_make(&s->sn, "sn", s->library.sn_bytes);
    if (s->library.kind == KIND_HASH)
        buffer_make(&s->digest, "digest", s->library.digest_bytes);
}

void session_message(struct session *s, u64 bytes)
{
    buffer_make(&s->msg, "msg", bytes);
    s->msg_len = bytes;
}

/* Fills the stack that the next call will use. */
static __attribute__((noinline)) void paint_stack(int byte)
{
    unsigned char area[PAINTED_STACK_BYTES];

    memset(area, byte, sizeof area);
    __asm__ __volatile__("" : : "r"(area) : "memory"); /* keeps the stores */
}

/* Makes outputs and stack the same in every run, so that a candidate reading what it never wrote
 * shows by another paint. */
static void before(const struct session *s, const struct buffer *out1, const struct buffer *out2)
{
    if (s->paint == STACK_AS_IS)
        return;
    if (out1 != NULL)
        memset(out1->data, s->paint, (size_t)out1->bytes);
    if (out2 != NULL)
        memset(out2->data, s->paint, (size_t)out2->bytes);
    paint_stack(s->paint);
}

/* Every guard; a signature may have written `signature_excess` bytes too many. */
static int guards_violated(const struct session *s)
{
    const struct buffer *const all[] = {&s->pk, &s->sk, &s->ct, &s->ss, &s->ss2, &s->msg, &s->digest};
    unsigned i;

    for (i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->data != NULL && buffer_violation(all[i], 0))
            return 1;
    return s->sn.data != NULL && buffer_violation(&s->sn, s->signature_excess);
}

static int too_long(const struct buffer *buffer, u64 returned, u64 allowed)
{
    if (returned <= allowed)
        return 0;
    report("overflow %s length returned %llu declared %llu", buffer->name, returned, buffer->bytes);
    return 1;
}

static void after(struct session *s)
{
    if (guards_violated(s))
        kat_end(s, "overflow");
}

static void returned(struct session *s, struct range *range, const struct buffer *buffer, u64 length)
{
    if (length < range->min)
        range->min = length;
    if (length > range->max)
        range->max = length;
    if (too_long(buffer, length, buffer->bytes))
        kat_end(s, "overflow");
}

int checked_keygen(struct session *s)
{
    int result;

    before(s, &s->pk, &s->sk);
    s->pk_len = s->pk.bytes;
    s->sk_len = s->sk.bytes;
    if (s->library.kind == KIND_KEM)
        result = s->library.kem_keygen(s->pk.data, &s->pk_len, s->sk.data, &s->sk_len);
    else
        result = s->library.sig_keygen(s->pk.data, &s->pk_len, s->sk.data, &s->sk_len);
    after(s);
    if (result == 0) {
        returned(s, &s->pk_returned, &s->pk, s->pk_len);
        returned(s, &s->sk_returned, &s->sk, s->sk_len);
    }
    return result;
}

int checked_enc(struct session *s)
{
    int result;

    before(s, &s->ss, &s->ct);
    s->ss_len = s->ss.bytes;
    s->ct_len = s->ct.bytes;
    result = s->library.kem_enc(s->pk.data, s->pk_len, s->ss.data, &s->ss_len, s->ct.data, &s->ct_len);
    after(s);
    if (result == 0) {
        returned(s, &s->ct_returned, &s->ct, s->ct_len);
        returned(s, &s->ss_returned, &s->ss, s->ss_len);
    }
    return result;
}

int checked_dec(struct session *s)
{
    int result;

    before(s, &s->ss2, NULL);
    s->ss2_len = s->ss_len;
    result = s->library.kem_dec(s->sk.data, s->sk_len, s->ct.data, s->ct_len, s->ss2.data, &s->ss2_len);
    after(s);
    if (result == 0)
        returned(s, &s->ss_returned, &s->ss2, s->ss2_len);
    return result;
}

int checked_sign(struct session *s)
{
    int result;

    before(s, &s->sn, NULL);
    s->sn_len = s->sn.bytes;
    result = s->library.sig_sign(s->sk.data, s->sk_len, s->msg.data, s->msg_len, s->sn.data, &s->sn_len);
    after(s);
    if (result == 0)
        returned(s, &s->sn_returned, &s->sn, s->sn_len);
    return result;
}

int checked_verify(struct session *s)
{
    int result;

    before(s, NULL, NULL);
    result = s->library.sig_verify(s->pk.data, s->pk_len, s->sn.data, s->sn_len, s->msg.data, s->msg_len);
    after(s);
    return result;
}

int checked_hash(struct session *s, u64 msg_bits)
{
    int result;

    before(s, &s->digest, NULL);
    result = s->library.hash(s->library.digest_bits, s->msg.data, msg_bits, s->digest.data);
    after(s);
    return result;
}

int session_overflow(const struct session *s)
{
    return guards_violated(s) || too_long(&s->pk, s->pk_len, s->pk.bytes) ||
           too_long(&s->sk, s->sk_len, s->sk.bytes) || too_long(&s->ct, s->ct_len, s->ct.bytes) ||
           too_long(&s->ss, s->ss_len, s->ss.bytes) || too_long(&s->ss2, s->ss2_len, s->ss2.bytes) ||
           too_long(&s->sn, s->sn_len, s->sn.bytes + GUARD_BYTES);
}

static void report_range(const char *name, struct range range)
{
    if (range.min <= range.max)
        report("returned %s %llu %llu", name, range.min, range.max);
}

void kat_end(struct session *s, const char *status)
{
    text_flush();
    report_range("pk", s->pk_returned);
    report_range("sk", s->sk_returned);
    report_range("ct", s->ct_returned);
    report_range("ss", s->ss_returned);
    report_range("sn", s->sn_returned);
    report("kat_records %llu", text_records());
    report("kat_bytes %llu", text_bytes());
    finish("%s", status);
}

void kat_fail(struct session *s, unsigned record, const char *what, int result)
{
    if (result != 0)
        report("cryptofail %u %s returned %d", record, what, result);
    else
        report("cryptofail %u %s", record, what);
    kat_end(s, "cryptofail");
}
