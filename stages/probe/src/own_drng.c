/* The probe's own copy of the ICCS generator, for seeds and messages of KATs: part of the program,
 * whatever the library brings. One file, so that the probe is src/ and nothing else to compile. */
#include "../iccs/sm3.c"

#include "../iccs/drng.c"
