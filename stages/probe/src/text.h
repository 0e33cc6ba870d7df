/* The KAT text, on file descriptor 4: `Key = VALUE` lines. Buffered, flushed with each record, so
 * that a crash keeps the records before it. */
#ifndef TEXT_H
#define TEXT_H

#include "report.h"

void text_string(const char *string);
/* `key = number` and a line feed */
void text_number(const char *key, u64 number);
/* `key = ` upper-case hex and a line feed */
void text_hex(const char *key, const unsigned char *bytes, u64 length);
/* upper-case hex alone */
void text_digits(const unsigned char *bytes, u64 length);
/* A record is complete. */
void text_record(void);
void text_flush(void);
u64 text_records(void);
u64 text_bytes(void);

#endif
