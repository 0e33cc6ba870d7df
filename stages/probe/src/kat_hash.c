/* The ICCS KAT texts of hashes; see kat.h. */
#include "kat.h"

#include "../iccs/drng.h"
#include "text.h"

#include <string.h>

#define SEED_BYTES 64
#define SHOWN_BYTES 8
/* Behind the exponent of a file name whose text has every length up to 2^12. */
#define EVERY_LENGTH_EXPONENT 12

/* The N of `KAT_2_N` or `KAT_2_N_..`, two digits; 0 for another name. */
static unsigned exponent(const char *file_name)
{
    unsigned tens, ones;

    if (strncmp(file_name, "KAT_2_", 6) != 0 || strlen(file_name) < 8 ||
        (file_name[8] != '_' && file_name[8] != '\0'))
        return 0;
    tens = (unsigned)(file_name[6] - '0');
    ones = (unsigned)(file_name[7] - '0');
    return tens > 9 || ones > 9 ? 0 : 10 * tens + ones;
}

static void digest(struct session *s, unsigned record, u64 msg_bits)
{
    int result = checked_hash(s, msg_bits);

    if (result != 0)
        kat_fail(s, record, "CryptHash", result);
    text_number("Dst_Len", (u64)s->library.digest_bits);
    text_hex("Dst", s->digest.data, s->digest.bytes);
    text_string("\n");
    text_record();
}

static void every_length(struct session *s, DRNG_ctx *messages, u64 max_bits)
{
    u64 bits;

    session_message(s, (max_bits + 7) / 8);
    for (bits = 0; bits <= max_bits; bits++) {
        get_random_number(messages, s->msg.data, bits);
        text_number("Msg_Len", bits);
        text_hex("Msg", s->msg.data, (bits + 7) / 8);
        digest(s, (unsigned)bits, bits);
    }
}

/* Zeros, ones, and what a generator seeded with a drawn seed gives. */
static void three_messages(struct session *s, DRNG_ctx *seeds, u64 bits)
{
    unsigned char seed[SEED_BYTES];
    unsigned record;

    session_message(s, bits / 8);
    for (record = 0; record < 3; record++) {
        u64 seed_bytes = 0;
        if (record < 2) {
            memset(s->msg.data, record == 0 ? 0x00 : 0xff, (size_t)s->msg.bytes);
        } else {
            DRNG_ctx message;
            seed_bytes = sizeof seed;
            get_random_number(seeds, seed, 8 * sizeof seed);
            init_random_number(&message, seed, sizeof seed);
            get_random_number(&message, s->msg.data, bits);
        }
        text_number("Msg_Len", bits);
        text_hex("Msg_Seed", seed, seed_bytes);
        text_string("Msg_Exp = ");
        text_digits(s->msg.data, SHOWN_BYTES);
        text_string(" .... ");
        text_digits(s->msg.data + s->msg.bytes - SHOWN_BYTES, SHOWN_BYTES);
        text_string("\n");
        digest(s, record, bits);
    }
}

void kat_hash(struct session *s, const char *file_name, u64 max_bits)
{
    unsigned n = exponent(file_name), i;
    unsigned char seed[SEED_BYTES];
    DRNG_ctx drng;

    if (n != EVERY_LENGTH_EXPONENT && n != 23 && n != 33)
        finish("unsupported KAT file %s (known: KAT_2_12, KAT_2_23, KAT_2_33)", file_name);
    for (i = 0; i < SEED_BYTES; i++)
        seed[i] = (unsigned char)file_name[i % 8];
    init_random_number(&drng, seed, sizeof seed);
    if (n == EVERY_LENGTH_EXPONENT) {
        u64 longest = (u64)1 << n;
        every_length(s, &drng, longest < max_bits ? longest : max_bits);
    } else {
        if ((u64)1 << n > max_bits)
            finish("unsupported messages of 2^%u bits, more than the %llu allowed", n, max_bits);
        three_messages(s, &drng, (u64)1 << n);
    }
    kat_end(s, "ok");
}
