/* See text.h. */
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char pending[1 << 16];
static size_t used;
static u64 written, records;

void text_flush(void)
{
    size_t done = 0;

    while (done < used) {
        ssize_t n = write(TEXT_FD, pending + done, used - done);
        if (n > 0)
            done += (size_t)n;
        else if (errno != EINTR)
            finish("hostfail the KAT text could not be written (%s)", strerror(errno));
    }
    written += used;
    used = 0;
}

static void put(char c)
{
    if (used == sizeof pending)
        text_flush();
    pending[used++] = c;
}

void text_string(const char *string)
{
    while (*string != '\0')
        put(*string++);
}

void text_number(const char *key, u64 number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%llu", number);
    text_string(key);
    text_string(" = ");
    text_string(digits);
    put('\n');
}

void text_digits(const unsigned char *bytes, u64 length)
{
    static const char digits[] = "0123456789ABCDEF";
    u64 i;

    for (i = 0; i < length; i++) {
        put(digits[bytes[i] >> 4]);
        put(digits[bytes[i] & 15]);
    }
}

void text_hex(const char *key, const unsigned char *bytes, u64 length)
{
    text_string(key);
    text_string(" = ");
    text_digits(bytes, length);
    put('\n');
}

void text_record(void)
{
    records++;
    text_flush();
}

u64 text_records(void) { return records; }

u64 text_bytes(void) { return written; }
