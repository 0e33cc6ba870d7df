/* Compiled into the library of an ICCS submission: the random number generator's object, which the
 * submission only declares, and the names by which the probe reaches it.
 *
 * The generated assay_config.h defines one of ASSAY_KEM, ASSAY_SIG, ASSAY_HASH, ASSAY_KEX to 1 and
 * ALGORITHM_INSTANCE (mostly by including the submission's header), for hashes DIGEST_BIT_LENGTH.
 * With ASSAY_NO_DRNG (hashes without drng.h) nothing random is exported. Nothing else is included:
 * a submission's headers may say anything. */
#include "assay_config.h"

#ifndef ALGORITHM_INSTANCE
#error "neither the header named in the catalog nor the catalog gives ALGORITHM_INSTANCE"
#endif

extern const char assay_instance[];
const char assay_instance[] = ALGORITHM_INSTANCE;

#ifdef ASSAY_HASH
extern const int assay_digest_bits;
const int assay_digest_bits = DIGEST_BIT_LENGTH;
#endif

#ifndef ASSAY_NO_DRNG

#include "drng.h"

DRNG_ctx drng_algorithm;

int assay_seed(const unsigned char *seed, unsigned long long bytes);
int assay_random(unsigned char *out, unsigned long long bytes);

/* Submissions' own prototypes differ in const, hence the casts. */
int assay_seed(const unsigned char *seed, unsigned long long bytes)
{
    return init_random_number(&drng_algorithm, (unsigned char *)seed, bytes);
}

int assay_random(unsigned char *out, unsigned long long bytes)
{
    return get_random_number(&drng_algorithm, out, 8 * bytes);
}

#endif
