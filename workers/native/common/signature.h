/* What is done alike with the signatures of every library: the checks, and a signature to verify. */
#ifndef TLX_COMMON_SIGNATURE_H
#define TLX_COMMON_SIGNATURE_H

#include "operation.h"

/* Sets the calls of an operation whose key is ready. `sign` writes the output and its length; `verify` holds the
 * operation's signature against its message. `fixed`: signatures are not random, so that they are the answer. Where
 * there is no signature of another implementation to verify, one of our own is made. */
int tlx_signature_start(tlx_operation *, int (*sign)(tlx_operation *), int (*verify)(tlx_operation *), int fixed);

#endif
