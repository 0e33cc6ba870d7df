/* Prints what the ICCS helpers compute, for stages/tests/probe.rs. Reads lines of standard input:
 *   sm3hash|pseudohash|pseudoXOF IN_BITS OUT_BITS HEX|-
 *   seed HEX
 *   draw BITS
 * and answers all but `seed` with a line of lower-case hex. */
#include "auxfunc.h"
#include "drng.h"

#include <stdio.h>
#include <string.h>

static unsigned char input[1 << 16], output[1 << 16];
static char word[32], hex[1 << 17];

static unsigned read_hex(void)
{
    unsigned n, byte;

    if (strcmp(hex, "-") == 0)
        return 0;
    for (n = 0; sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
        input[n] = (unsigned char)byte;
    return n;
}

static void print(unsigned long long bits)
{
    unsigned long long i;

    for (i = 0; i < (bits + 7) / 8; i++)
        printf("%02x", output[i]);
    printf("\n");
}

int main(void)
{
    DRNG_ctx drng;
    unsigned long long in_bits, out_bits;
    int failed = 0;

    while (failed == 0 && scanf("%31s", word) == 1) {
        if (strcmp(word, "seed") == 0) {
            failed = scanf("%131071s", hex) != 1 || init_random_number(&drng, input, read_hex());
        } else if (strcmp(word, "draw") == 0) {
            failed = scanf("%llu", &out_bits) != 1 || get_random_number(&drng, output, out_bits);
            print(out_bits);
        } else {
            failed = scanf("%llu %llu %131071s", &in_bits, &out_bits, hex) != 3;
            read_hex();
            if (strcmp(word, "sm3hash") == 0)
                failed |= sm3hash((int)out_bits, input, in_bits, output);
            else if (strcmp(word, "pseudohash") == 0)
                failed |= pseudohash((int)out_bits, input, in_bits, output);
            else
                failed |= pseudoXOF(out_bits, input, in_bits, output);
            print(out_bits);
        }
    }
    return failed != 0;
}
