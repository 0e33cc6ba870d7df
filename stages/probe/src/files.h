/* What the kernel says in small text files. */
#ifndef FILES_H
#define FILES_H

#include "report.h"

#include <stddef.h>

/* The first line, without its line feed, cut to `room`; 0 where the file cannot be read. */
int first_line(const char *path, char *line, size_t room);
/* Bytes resident now, from /proc/self/statm; 0 where not known. */
u64 resident_bytes(void);
/* Bytes resident at most since the start of this program, VmHWM of /proc/self/status (ru_maxrss
 * would survive exec); 0 where not known. */
u64 peak_resident_bytes(void);

#endif
