/* See iccs_sm3.h; the names follow GB/T 32905-2016 sections 4 and 5. */
#include "iccs_sm3.h"

#include <string.h>

static uint32_t rotate(uint32_t x, unsigned n)
{
    n %= 32;
    return n == 0 ? x : (x << n) | (x >> (32 - n));
}

static uint32_t p0(uint32_t x) { return x ^ rotate(x, 9) ^ rotate(x, 17); }

static uint32_t p1(uint32_t x) { return x ^ rotate(x, 15) ^ rotate(x, 23); }

static uint32_t load(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void store(unsigned char *bytes, uint32_t word)
{
    bytes[0] = (unsigned char)(word >> 24);
    bytes[1] = (unsigned char)(word >> 16);
    bytes[2] = (unsigned char)(word >> 8);
    bytes[3] = (unsigned char)word;
}

static void compress(uint32_t v[8], const unsigned char *block)
{
    uint32_t w[68];
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    unsigned j;

    for (j = 0; j < 16; j++)
        w[j] = load(block + 4 * j);
    for (; j < 68; j++)
        w[j] = p1(w[j - 16] ^ w[j - 9] ^ rotate(w[j - 3], 15)) ^ rotate(w[j - 13], 7) ^ w[j - 6];

    for (j = 0; j < 64; j++) {
        uint32_t t = j < 16 ? 0x79cc4519 : 0x7a879d8a;
        uint32_t ff = j < 16 ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
        uint32_t gg = j < 16 ? e ^ f ^ g : (e & f) | (~e & g);
        uint32_t ss1 = rotate(rotate(a, 12) + e + rotate(t, j), 7);
        uint32_t ss2 = ss1 ^ rotate(a, 12);
        uint32_t tt1 = ff + d + ss2 + (w[j] ^ w[j + 4]);
        uint32_t tt2 = gg + h + ss1 + w[j];
        d = c;
        c = rotate(b, 9);
        b = a;
        a = tt1;
        h = g;
        g = rotate(f, 19);
        f = e;
        e = p0(tt2);
    }
    v[0] ^= a;
    v[1] ^= b;
    v[2] ^= c;
    v[3] ^= d;
    v[4] ^= e;
    v[5] ^= f;
    v[6] ^= g;
    v[7] ^= h;
}

void iccs_sm3_start(iccs_sm3 *hash)
{
    static const uint32_t iv[8] = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
                                   0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};
    memcpy(hash->state, iv, sizeof iv);
    memset(hash->block, 0, sizeof hash->block);
    hash->bits = 0;
}

/* Whole bytes where the length so far is whole bytes too. */
static void add_bytes(iccs_sm3 *hash, const unsigned char *data, uint64_t bytes)
{
    unsigned used = (unsigned)(hash->bits / 8 % ICCS_SM3_BLOCK_BYTES);

    if (bytes == 0) /* data may be null then */
        return;
    hash->bits += 8 * bytes;
    if (used != 0) {
        uint64_t room = ICCS_SM3_BLOCK_BYTES - used;
        uint64_t taken = bytes < room ? bytes : room;
        memcpy(hash->block + used, data, (size_t)taken);
        if (taken < room)
            return;
        compress(hash->state, hash->block);
        data += taken;
        bytes -= taken;
    }
    for (; bytes >= ICCS_SM3_BLOCK_BYTES; bytes -= ICCS_SM3_BLOCK_BYTES) {
        compress(hash->state, data);
        data += ICCS_SM3_BLOCK_BYTES;
    }
    if (bytes != 0)
        memcpy(hash->block, data, (size_t)bytes);
}

/* Up to 8 bits (1 <= bits <= 8), the high ones of `byte`, anywhere in a byte of the block. */
static void add_bits(iccs_sm3 *hash, unsigned char byte, unsigned bits)
{
    unsigned place = (unsigned)(hash->bits / 8 % ICCS_SM3_BLOCK_BYTES);
    unsigned shift = (unsigned)(hash->bits % 8);

    byte = (unsigned char)(byte & (0xff00u >> bits));
    if (shift == 0)
        hash->block[place] = byte;
    else
        hash->block[place] |= (unsigned char)(byte >> shift);
    hash->bits += bits;
    if (shift + bits < 8)
        return;
    if (place + 1 == ICCS_SM3_BLOCK_BYTES)
        compress(hash->state, hash->block);
    if (shift + bits > 8)
        hash->block[(place + 1) % ICCS_SM3_BLOCK_BYTES] = (unsigned char)(byte << (8 - shift));
}

void iccs_sm3_add(iccs_sm3 *hash, const unsigned char *data, uint64_t bits)
{
    uint64_t bytes = bits / 8;
    unsigned rest = (unsigned)(bits % 8);
    uint64_t i;

    if (hash->bits % 8 == 0)
        add_bytes(hash, data, bytes);
    else
        for (i = 0; i < bytes; i++)
            add_bits(hash, data[i], 8);
    if (rest != 0)
        add_bits(hash, data[bytes], rest);
}

void iccs_sm3_end(iccs_sm3 *hash, unsigned char digest[ICCS_SM3_BYTES])
{
    static const unsigned char zeros[ICCS_SM3_BLOCK_BYTES] = {0};
    uint64_t length = hash->bits;
    unsigned char trailer[8];
    unsigned i, used;

    add_bits(hash, 0x80, 1);
    if (hash->bits % 8 != 0)
        add_bits(hash, 0, 8 - (unsigned)(hash->bits % 8));
    used = (unsigned)(hash->bits / 8 % ICCS_SM3_BLOCK_BYTES);
    add_bytes(hash, zeros, (2 * ICCS_SM3_BLOCK_BYTES - 8 - used) % ICCS_SM3_BLOCK_BYTES);
    store(trailer, (uint32_t)(length >> 32));
    store(trailer + 4, (uint32_t)length);
    add_bytes(hash, trailer, sizeof trailer);
    for (i = 0; i < 8; i++)
        store(digest + 4 * i, hash->state[i]);
}
