/* See files.h. */
#include "files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file's beginning as a string; 0 where it cannot be read. */
static int contents(const char *path, char *text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 0;
    size_t used = 0;

    if (fd < 0)
        return 0;
    while (used + 1 < room && (n = read(fd, text + used, room - 1 - used)) > 0)
        used += (size_t)n;
    close(fd);
    text[used] = '\0';
    return n >= 0 && used > 0;
}

int first_line(const char *path, char *line, size_t room)
{
    if (!contents(path, line, room))
        return 0;
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

u64 resident_bytes(void)
{
    char line[256], *second;

    if (!first_line("/proc/self/statm", line, sizeof line) || (second = strchr(line, ' ')) == NULL)
        return 0;
    return strtoull(second, NULL, 10) * (u64)sysconf(_SC_PAGESIZE);
}

u64 peak_resident_bytes(void)
{
    static const char key[] = "\nVmHWM:";
    char text[4096], *found;

    if (!contents("/proc/self/status", text, sizeof text) || (found = strstr(text, key)) == NULL)
        return 0;
    return 1024 * strtoull(found + sizeof key - 1, NULL, 10); /* in kB */
}
