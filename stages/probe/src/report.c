/* See report.h. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

static void write_line(const char *prefix, const char *format, va_list arguments)
{
    char line[1024];
    size_t used = strlen(prefix), done = 0, i;
    int n;

    memcpy(line, prefix, used);
    n = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    if (n > 0)
        used += (size_t)n < sizeof line - used - 2 ? (size_t)n : sizeof line - used - 2;
    for (i = 0; i < used; i++) {
        unsigned char c = (unsigned char)line[i];
        if (c < 0x20 || c == 0x7f)
            line[i] = ' ';
        else if (c > 0x7f)
            line[i] = '?';
    }
    while (used > 0 && line[used - 1] == ' ')
        used--;
    line[used++] = '\n';
    while (done < used) {
        ssize_t written = write(REPORT_FD, line + done, used - done);
        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            _exit(3); /* nobody can be told */
    }
}

void report(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    write_line("", format, arguments);
    va_end(arguments);
}

void finish(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    write_line("end ", format, arguments);
    va_end(arguments);
    _exit(0);
}
