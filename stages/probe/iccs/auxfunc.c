/* See auxfunc.h. `||` below joins bit strings, so a message whose length is no multiple of 8 shifts
 * what follows it. */
#include "auxfunc.h"

#include "iccs_sm3.h"

#include <string.h>

#define DIGEST ICCS_SM3_BYTES
#define DIGEST_BITS (8 * DIGEST)

/* A piece of a bit string. */
typedef struct {
    const unsigned char *data;
    unsigned long long bits;
} piece;

/* out = H(first || second); out may be one of the pieces */
static void hash2(unsigned char out[DIGEST], piece first, piece second)
{
    iccs_sm3 hash;

    iccs_sm3_start(&hash);
    iccs_sm3_add(&hash, first.data, first.bits);
    iccs_sm3_add(&hash, second.data, second.bits);
    iccs_sm3_end(&hash, out);
}

/* out = HMAC-SM3(KEY, first || second) with KEY = H("3.14159265358979") || H("2.71828182845904"),
 * which is one block long */
static void mac(unsigned char out[DIGEST], piece first, piece second)
{
    static const unsigned char pi[] = "3.14159265358979", e[] = "2.71828182845904";
    const piece nothing = {pi, 0};
    const piece pi_digits = {pi, 8 * (sizeof pi - 1)}, e_digits = {e, 8 * (sizeof e - 1)};
    unsigned char key[ICCS_SM3_BLOCK_BYTES], inner[DIGEST];
    iccs_sm3 hash;
    unsigned i;

    hash2(key, pi_digits, nothing);
    hash2(key + DIGEST, e_digits, nothing);

    for (i = 0; i < sizeof key; i++)
        key[i] ^= 0x36;
    iccs_sm3_start(&hash);
    iccs_sm3_add(&hash, key, 8 * sizeof key);
    iccs_sm3_add(&hash, first.data, first.bits);
    iccs_sm3_add(&hash, second.data, second.bits);
    iccs_sm3_end(&hash, inner);

    for (i = 0; i < sizeof key; i++)
        key[i] ^= 0x36 ^ 0x5c;
    iccs_sm3_start(&hash);
    iccs_sm3_add(&hash, key, 8 * sizeof key);
    iccs_sm3_add(&hash, inner, DIGEST_BITS);
    iccs_sm3_end(&hash, out);
}

int sm3hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits,
            unsigned char *digest)
{
    piece whole, nothing;

    if (digest_bits != DIGEST_BITS)
        return -1;
    whole.data = msg;
    whole.bits = msg_bits;
    nothing.data = digest;
    nothing.bits = 0;
    hash2(digest, whole, nothing);
    return 0;
}

int pseudohash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits,
               unsigned char *digest)
{
    unsigned char tag_bytes[2] = {0, 0};
    unsigned char h[4][DIGEST], k[DIGEST];
    piece tag, message, kp, hp[4], nothing;
    unsigned i;

    if (digest_bits != 512 && digest_bits != 768 && digest_bits != 1024)
        return -1;
    tag_bytes[0] = (unsigned char)(digest_bits / 256);
    tag.data = tag_bytes;
    tag.bits = 16;
    message.data = msg;
    message.bits = msg_bits;
    nothing.data = k;
    nothing.bits = 0;
    kp.data = k;
    kp.bits = DIGEST_BITS;
    for (i = 0; i < 4; i++) {
        hp[i].data = h[i];
        hp[i].bits = DIGEST_BITS;
    }

    mac(k, tag, message);     /* k1 = mac(t || M) */
    hash2(h[0], message, tag); /* h1 = H(M || t) */
    hash2(h[1], kp, hp[0]);    /* h2 = H(k1 || h1) */
    if (digest_bits > 512) {
        mac(k, hp[0], nothing); /* k2 = mac(h1) */
        hash2(h[2], hp[1], kp); /* h3 = H(h2 || k2) */
    }
    if (digest_bits > 768) {
        unsigned char k3_h3[2 * DIGEST];
        piece both;
        both.data = k3_h3;
        both.bits = 8 * sizeof k3_h3;
        mac(k3_h3, hp[1], nothing); /* k3 = mac(h2) */
        memcpy(k3_h3 + DIGEST, h[2], DIGEST);
        mac(k, hp[2], nothing);  /* k4 = mac(h3) */
        hash2(h[3], both, kp);   /* h4 = H(k3 || h3 || k4) */
    }
    memcpy(digest, h, (size_t)digest_bits / 8);
    return 0;
}

int pseudoXOF(unsigned long long out_bits, const unsigned char *msg, unsigned long long msg_bits,
              unsigned char *out)
{
    unsigned long long left = out_bits / 8 + (out_bits % 8 != 0);
    uint32_t counter;
    iccs_sm3 message;

    /* the message is absorbed once; each block continues from there */
    iccs_sm3_start(&message);
    iccs_sm3_add(&message, msg, msg_bits);
    for (counter = 1; left != 0; counter++) {
        unsigned taken = left < DIGEST ? (unsigned)left : DIGEST;
        unsigned char number[4], digest[DIGEST];
        iccs_sm3 hash = message;
        number[0] = (unsigned char)(counter >> 24);
        number[1] = (unsigned char)(counter >> 16);
        number[2] = (unsigned char)(counter >> 8);
        number[3] = (unsigned char)counter;
        iccs_sm3_add(&hash, number, 32);
        iccs_sm3_end(&hash, digest);
        memcpy(out, digest, taken);
        out += taken;
        left -= taken;
    }
    if (out_bits % 8 != 0)
        out[-1] = (unsigned char)(out[-1] & (0xff00u >> (out_bits % 8)));
    return 0;
}
