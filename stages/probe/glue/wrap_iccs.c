/* Wrappers of the ICCS helper functions; see wrap.h. The prototypes are our own, so that no header
 * of a submission is needed; the context of the DRNG is passed on unread. */
#include "wrap.h"

#ifdef ASSAY_WRAP_sm3hash
ASSAY_WRAPPER_INT(sm3hash, "sm3hash", (int bits, const void *msg, u64 msg_bits, void *out),
                  (bits, msg, msg_bits, out), msg_bits, (u64)bits)
#endif

#ifdef ASSAY_WRAP_pseudohash
ASSAY_WRAPPER_INT(pseudohash, "pseudohash", (int bits, const void *msg, u64 msg_bits, void *out),
                  (bits, msg, msg_bits, out), msg_bits, (u64)bits)
#endif

#ifdef ASSAY_WRAP_pseudoXOF
ASSAY_WRAPPER_INT(pseudoXOF, "pseudoXOF", (u64 bits, const void *msg, u64 msg_bits, void *out),
                  (bits, msg, msg_bits, out), msg_bits, bits)
#endif

#ifdef ASSAY_WRAP_get_random_number
ASSAY_WRAPPER_INT(get_random_number, "drng", (void *drng, void *out, u64 bits), (drng, out, bits),
                  0, bits)
#endif
