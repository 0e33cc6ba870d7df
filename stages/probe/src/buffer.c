/* See buffer.h. */
#include "buffer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The guard's byte at a distance from its start; a constant byte could be what a candidate writes. */
static unsigned char pattern[GUARD_BYTES];

static void make_pattern(void)
{
    unsigned i;

    for (i = 0; i < GUARD_BYTES; i++)
        pattern[i] = (unsigned char)(0xa5 ^ (i * 37) ^ (i >> 5));
}

static void paint(unsigned char *from, const unsigned char *to)
{
    while (from < to) {
        size_t room = (size_t)(to - from);
        size_t bytes = room < GUARD_BYTES ? room : GUARD_BYTES;
        memcpy(from, pattern, bytes);
        from += bytes;
    }
}

void buffer_make(struct buffer *buffer, const char *name, u64 bytes)
{
    static unsigned made;
    u64 page = (u64)sysconf(_SC_PAGESIZE);
    u64 offset = 192 * (made++ % 16);
    u64 inner = GUARD_BYTES + offset + bytes + GUARD_BYTES;
    unsigned char *mapping = MAP_FAILED;

    make_pattern();
    if (bytes < (u64)1 << 40) {
        inner = (inner + page - 1) / page * page;
        mapping = mmap(NULL, (size_t)(inner + 2 * page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (mapping == MAP_FAILED || mprotect(mapping + page, (size_t)inner, PROT_READ | PROT_WRITE) != 0)
        finish("hostfail no memory for buffer %s of %llu bytes (%s)", name, bytes, strerror(errno));
    buffer->name = name;
    buffer->bytes = bytes;
    buffer->head = mapping + page;
    buffer->data = buffer->head + GUARD_BYTES + offset;
    buffer->tail = buffer->head + inner;
    paint(buffer->head, buffer->data);
    paint(buffer->data + bytes, buffer->tail);
}

/* The first changed byte of a guard, skipping `skipped`, or NULL. */
static const unsigned char *changed(const unsigned char *from, const unsigned char *to, u64 skipped)
{
    const unsigned char *start = from;

    while (from < to) {
        size_t room = (size_t)(to - from), i;
        size_t bytes = room < GUARD_BYTES ? room : GUARD_BYTES;
        if (memcmp(from, pattern, bytes) != 0)
            for (i = 0; i < bytes; i++)
                if (from[i] != pattern[i] && (u64)(from + i - start) >= skipped)
                    return from + i;
        from += bytes;
    }
    return NULL;
}

int buffer_violation(const struct buffer *buffer, u64 excess)
{
    const unsigned char *end = buffer->data + buffer->bytes;
    const unsigned char *place = changed(buffer->head, buffer->data, 0);

    if (place != NULL) {
        report("overflow %s before first changed byte is %llu before the start", buffer->name,
               (u64)(buffer->data - place));
        return 1;
    }
    place = changed(end, buffer->tail, excess);
    if (place != NULL) {
        report("overflow %s after first changed byte is %llu after the last", buffer->name,
               (u64)(place - end) + 1);
        return 1;
    }
    return 0;
}
