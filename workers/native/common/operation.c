#include "operation.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

struct tlx_operation {
    struct tlx_operation_base;
    const void *row;
};

/* What a record can add to a message: explicit IV, MAC, padding, tag. It is also room for the few bytes that
 * `openssl speed` signs in place of the message, and for the 0 at the end of a text. */
enum { RECORD_ROOM = 512 };

/* The longest message that fits into the length field of a TLS record together with MAC and padding. */
enum { LONGEST_RECORD = 0xffff - 128, BLOCK = 16 };

/* ---- lookup --------------------------------------------------------------------------------------------------- */

/* An algorithm of the backend's tables. */
struct found {
    const struct tlx_kind *kind; /* null: of none */
    const void *row;
};

/* A row stands for its own name and, where its kind has calls for them, for what is composed of it. */
static struct found find_row(const char *name, enum tlx_form form, int speed) {
    for (size_t k = 0; k < TLX_KINDS && tlx_primitives.kinds[k] != NULL; k++) {
        const struct tlx_kind *kind = tlx_primitives.kinds[k];
        for (size_t i = 0; i < kind->count && !(speed && kind->tls_only); i++) {
            const char *row = (const char *)kind->rows + i * kind->row_size;
            if (strcmp(*(const char *const *)row, name) == 0 && (form == TLX_OTHER || kind->calls[form][0] != NULL))
                return (struct found){kind, row};
        }
    }
    return (struct found){NULL, NULL};
}

static struct found find(const char *name, int speed) {
    struct tlx_algorithm algorithm = tlx_describe(name);
    struct found found = find_row(name, TLX_OTHER, speed);
    return found.kind != NULL || algorithm.part == NULL ? found : find_row(algorithm.part, algorithm.form, speed);
}

static enum tlx_action action(const char *operation) {
    static const char *const names[] = {"encrypt", "decrypt", "sign",        "verify",
                                        "keygen",  "derive",  "encapsulate", "decapsulate"};
    size_t i = 0;
    while (i < COUNT(names) && strcmp(names[i], operation) != 0)
        i++;
    return (enum tlx_action)i;
}

/* An operation with all that does not depend on inputs; null without memory. */
static tlx_operation *start(struct found found, const char *algorithm, const char *operation) {
    tlx_operation *op = calloc(1, found.kind->size);
    if (op == NULL)
        return NULL;
    op->kind = found.kind;
    op->row = found.row;
    op->algorithm = tlx_describe(algorithm);
    if (op->algorithm.form == TLX_OTHER)
        op->algorithm.name = *(const char *const *)found.row; /* which stays */
    op->action = action(operation);
    op->once = found.kind->calls[op->algorithm.form][op->action == TLX_DECRYPT];
    return op;
}

static int has(struct found found, const char *algorithm, const char *operation) {
    tlx_operation *trial;
    int has;
    if (found.kind == NULL)
        return 0;
    if (found.kind->has == NULL && found.kind->start == NULL)
        return 1;
    trial = start(found, algorithm, operation);
    if (trial == NULL)
        return 0;
    /* A key of equal parts is a weak one of 3DES, which some libraries refuse. */
    for (size_t i = 0; i < sizeof trial->key; i++)
        trial->key[i] = (unsigned char)i;
    if (found.kind->has != NULL) {
        has = found.kind->has(trial) > 0;
    } else {
        has = found.kind->start(trial) >= 0;
        found.kind->release(trial);
    }
    free(trial);
    return has;
}

int tlx_has_primitive(const char *algorithm, const char *operation) {
    int result = has(find(algorithm, 0), algorithm, operation);
    tlx_forget();
    return result;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int failed(const char *what, int error) {
    return error == TLX_WRONG ? tlx_report(TLX_FAILED, "%s: it gave a wrong result", what)
                              : tlx_primitives.fail(what, error);
}

static void fill(unsigned char *to, size_t room, struct tlx_bytes from) {
    if (from.length > 0)
        memcpy(to, from.data, from.length < room ? from.length : room);
}

/* A copy with `more` zeros behind it; null without memory. */
static unsigned char *copy(struct tlx_bytes from, size_t more) {
    unsigned char *to = calloc(1, from.length + more);
    if (to != NULL)
        fill(to, from.length, from);
    return to;
}

static size_t output_length(const tlx_operation *op) {
    size_t mac_length = op->algorithm.mac_length;
    int encrypts = op->action == TLX_ENCRYPT;
    switch (op->algorithm.form) {
    case TLX_OTHER:
        return 0;
    case TLX_DIGEST:
    case TLX_MAC:
    case TLX_HKDF:
        return mac_length;
    case TLX_AEAD:
        return op->length + (encrypts ? mac_length : 0);
    case TLX_CBC_HMAC:
        return encrypts ? (op->length + mac_length + BLOCK) / BLOCK * BLOCK : op->length;
    default:
        return op->length;
    }
}

/* 1, or 0 without memory. */
static int take_inputs(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->length = inputs->message.length;
    op->message = copy(inputs->message, RECORD_ROOM);
    op->output = calloc(1, inputs->message.length + RECORD_ROOM + op->kind->room);
    op->peer = copy(inputs->peer, 1);
    op->peer_length = inputs->peer.length;
    op->signature = copy(inputs->signature, 1);
    op->signature_length = inputs->signature.length;
    fill(op->key, sizeof op->key, inputs->key);
    fill(op->mac_key, sizeof op->mac_key, inputs->mac_key);
    fill(op->iv, sizeof op->iv, inputs->iv);
    fill(op->additional_data, sizeof op->additional_data, inputs->additional_data);
    op->output_length = output_length(op);
    return op->message != NULL && op->output != NULL && op->peer != NULL && op->signature != NULL;
}

/* Makes the record that a decryption opens, with the opposite operation on the same inputs. */
static int take_sealed(tlx_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes sealed;
    int result = tlx_operation_new(op->algorithm.name, "encrypt", op->speed, inputs, &sealer)
                 ?: tlx_operation_answer(sealer, &sealed);
    if (result == TLX_OK) {
        int error = 0;
        memcpy(op->message, op->iv, op->output_skip);
        memcpy(op->message + op->output_skip, sealed.data, sealed.length);
        op->sealed_length = sealed.length;
        if (op->kind->take != NULL)
            error = op->kind->take(op, sealer);
        if (error < 0)
            result = failed("taking the record to open", error);
    }
    tlx_operation_free(sealer);
    return result;
}

/* TLX_OK, or why there is no such operation. */
static int refuse(tlx_operation *op, struct found found, const char *operation) {
    const char *lacking = found.kind->lacks != NULL ? found.kind->lacks(op) : NULL, *name = op->algorithm.name;
    if (lacking != NULL)
        return tlx_unsupported(lacking);
    /* What the pattern of TLS lacks is not claimed, and so refused in the other pattern, too. */
    if (!has(find(name, 0), name, operation) || (op->speed && !has(found, name, operation)))
        return tlx_unsupported(name);
    if (op->algorithm.form == TLX_CBC_HMAC && op->length > LONGEST_RECORD)
        return tlx_unsupported("records longer than their length field can say");
    return TLX_OK;
}

static int set_up(tlx_operation *op, const struct tlx_inputs *inputs) {
    int error = op->kind->start != NULL ? op->kind->start(op) : 0;
    if (error >= 0 && op->kind->prepare != NULL)
        error = op->kind->prepare(op, inputs);
    if (error < 0)
        return failed(op->algorithm.name, error);
    if (op->once == NULL)
        return tlx_unsupported(op->algorithm.name);
    return op->action == TLX_DECRYPT ? take_sealed(op, inputs) : TLX_OK;
}

/* Frees what is in the frame. */
static void drop(tlx_operation *op) {
    free(op->message);
    free(op->output);
    free(op->peer);
    free(op->signature);
    free(op);
}

static int absent(const char *algorithm) {
    const char *what = tlx_primitives.absent != NULL ? tlx_primitives.absent(algorithm) : NULL;
    return tlx_unsupported(what != NULL ? what : algorithm);
}

int tlx_operation_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made) {
    struct found found = find(algorithm, speed);
    tlx_operation *op;
    int result;
    *made = NULL;
    if (found.kind == NULL)
        return absent(algorithm);
    if (speed && !tlx_primitives.has_speed)
        return tlx_unsupported("call pattern of `openssl speed`: only the OpenSSL family has it");
    op = start(found, algorithm, operation);
    if (op == NULL)
        return tlx_report(TLX_FAILED, "%s: no memory for the operation", algorithm);
    op->speed = speed;
    if (!take_inputs(op, inputs))
        result = tlx_report(TLX_FAILED, "%s: no memory for the inputs", algorithm);
    else
        result = refuse(op, found, operation);
    if (result != TLX_OK) {
        drop(op);
        tlx_forget();
        return result;
    }
    result = set_up(op, inputs);
    tlx_forget();
    if (result == TLX_OK)
        *made = op;
    else
        tlx_operation_free(op);
    return result;
}

void tlx_operation_free(tlx_operation *op) {
    if (op == NULL)
        return;
    if (op->kind->release != NULL)
        op->kind->release(op);
    drop(op);
}

/* ---- running -------------------------------------------------------------------------------------------------- */

int tlx_operation_run(tlx_operation *op, uint64_t n) {
    int (*once)(tlx_operation *) = op->once;
    while (n-- > 0) {
        int error = once(op);
        if (error < 0)
            return failed("running the operation", error);
    }
    return TLX_OK;
}

int tlx_operation_answer(tlx_operation *op, struct tlx_bytes *answer) {
    int error;
    op->record = 0;
    error = op->first != NULL ? op->first(op) : 0;
    if (error < 0)
        return failed("going back to the first nonce", error);
    error = (op->answer != NULL ? op->answer : op->once)(op);
    if (error < 0)
        return failed("running the operation once", error);
    error = op->check != NULL ? op->check(op) : 0;
    if (error < 0)
        return failed("checking the output with its inverse", error);
    tlx_forget();
    answer->data = op->output + op->output_skip;
    answer->length = op->check != NULL ? 0 : op->output_length;
    return TLX_OK;
}

int tlx_agree(const void *ours, size_t our_length, const void *theirs, size_t their_length) {
    return our_length == their_length && memcmp(ours, theirs, our_length) == 0 ? 0 : TLX_WRONG;
}
