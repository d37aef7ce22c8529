/* NSS: encryption of records, authenticated, with a MAC, or alone.
 *
 * One context with its key set once, as libssl keeps it per direction. Decryption opens the record number 0 of the same
 * key again and again, out of place. CBC is what libssl makes of a TLS 1.2 record: its context goes on from record to
 * record, and an explicit IV is encrypted in front as one block more. CBC with HMAC is composed of both.
 */

#include "nss_backend.h"

#include <secport.h>

static const struct cipher {
    const char *algorithm;
    CK_MECHANISM_TYPE mechanism, block; /* block: the same cipher without chaining */
} ciphers[] = {
    {"aes-128-gcm", CKM_AES_GCM, 0},
    {"aes-256-gcm", CKM_AES_GCM, 0},
    {"aes-128-ccm", CKM_AES_CCM, 0},
    {"chacha20-poly1305", CKM_CHACHA20_POLY1305, 0},
    {"aes-128-cbc", CKM_AES_CBC, CKM_AES_ECB},
    {"aes-256-cbc", CKM_AES_CBC, CKM_AES_ECB},
    {"3des-cbc", CKM_DES3_CBC, CKM_DES3_ECB},
    {"rc4", CKM_RC4, 0},
};

struct tlx_operation {
    struct tlx_operation_base;
    const struct cipher *row;
    PK11Context *context, *hmac;
    unsigned char before_iv[16]; /* CBC: the block that encrypts to the IV when nothing is chained to it */
    unsigned char last[16];      /* CBC: what the next block is chained to */
};

#include "../common/record.h"

/* ---- records -------------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *op) {
    unsigned char iv[TLX_NONCE];
    int length;
    tlx_nonce(op, iv);
    op->record++;
    return tlx_done(PK11_AEADOp(op->context, CKG_NO_GENERATE, 0, iv, sizeof iv, op->additional_data, TLX_AAD,
                                op->output, &length, op->length, op->output + op->length, TLX_TAG, op->message,
                                op->length) == SECSuccess);
}

static int unseal(tlx_operation *op) {
    unsigned char iv[TLX_NONCE];
    int length;
    tlx_nonce(op, iv);
    return tlx_done(PK11_AEADOp(op->context, CKG_NO_GENERATE, 0, iv, sizeof iv, op->additional_data, TLX_AAD,
                                op->output, &length, op->length, op->message + op->length, TLX_TAG, op->message,
                                op->length) == SECSuccess);
}

/* Encrypts the explicit IV and what follows it. */
static int encrypt_record(tlx_operation *op, const unsigned char *plain, size_t length) {
    unsigned char first[16], *out = op->output;
    int block = (int)op->algorithm.iv_length, done;
    for (int i = 0; i < block; i++)
        first[i] = op->before_iv[i] ^ op->last[i];
    if (PK11_CipherOp(op->context, out, &done, block, first, block) != SECSuccess
        || PK11_CipherOp(op->context, out + block, &done, length, plain, length) != SECSuccess)
        return TLX_FAILED;
    memcpy(op->last, out + length, (size_t)block);
    return 0;
}

static int decrypt_record(tlx_operation *op, size_t length) {
    int record = (int)(op->algorithm.iv_length + length), done;
    return tlx_done(PK11_CipherOp(op->context, op->output, &done, record, op->message, record) == SECSuccess);
}

static int cbc_encrypt(tlx_operation *op) { return encrypt_record(op, op->message, op->length); }

static int cbc_decrypt(tlx_operation *op) { return decrypt_record(op, op->length); }

static int stream(tlx_operation *op) {
    int length;
    return tlx_done(PK11_CipherOp(op->context, op->output, &length, op->length, op->message, op->length) == SECSuccess);
}

static int mac(tlx_operation *op, const unsigned char *message, unsigned char *out) {
    unsigned length;
    return tlx_done(PK11_DigestBegin(op->hmac) == SECSuccess
                    && PK11_DigestOp(op->hmac, op->additional_data, TLX_AAD) == SECSuccess
                    && PK11_DigestOp(op->hmac, message, op->length) == SECSuccess
                    && PK11_DigestFinal(op->hmac, out, &length, TLX_LONGEST_MAC) == SECSuccess);
}

/* In the buffer of the message, since the record is encrypted out of place, behind its explicit IV. */
static int seal_composed(tlx_operation *op) {
    int error = tlx_append_mac(op, op->message, mac);
    return error < 0 ? error : encrypt_record(op, op->message, tlx_padded(op));
}

static int open_composed(tlx_operation *op) {
    int error = decrypt_record(op, tlx_padded(op));
    return error < 0 ? error : tlx_check_mac(op, op->output + op->output_skip, mac, NSS_SecureMemcmp);
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

/* An AEAD takes its nonces one by one from a context for messages. */
static int start_context(tlx_operation *op) {
    CK_ATTRIBUTE_TYPE use = op->action == TLX_ENCRYPT ? CKA_ENCRYPT : CKA_DECRYPT;
    int aead = op->algorithm.form == TLX_AEAD;
    if (!PK11_TokenExists(op->row->mechanism))
        return TLX_FAILED;
    op->context = tlx_context(op->row->mechanism, aead ? CKA_NSS_MESSAGE | use : use, op->key, op->algorithm.key_length,
                              op->iv, aead ? 0 : op->algorithm.iv_length);
    return tlx_done(op->context != NULL);
}

static int start_hmac(tlx_operation *op) {
    CK_MECHANISM_TYPE mac = op->algorithm.mac_length == 20 ? CKM_SHA_1_HMAC : CKM_SHA256_HMAC;
    op->hmac = tlx_context(mac, CKA_SIGN, op->mac_key, op->algorithm.mac_length, NULL, 0);
    return op->hmac != NULL;
}

/* The explicit IV of libssl is random. So that the record is the one that belongs to the IV of the inputs, it is chosen
 * such that it encrypts to that. */
static int find_explicit_iv(tlx_operation *op) {
    size_t iv_length = op->algorithm.iv_length;
    PK11SymKey *key = tlx_import_key(op->row->block, CKA_DECRYPT, op->key, op->algorithm.key_length);
    SECItem none = tlx_item(NULL, 0);
    unsigned length = 0;
    int done = key != NULL && PK11_Decrypt(key, op->row->block, &none, op->before_iv, &length, 16, op->iv,
                                           (unsigned)iv_length) == SECSuccess;
    PK11_FreeSymKey(key);
    return done && length == iv_length;
}

/* A context does not go back to where it began; one for messages has no beginning. */
static int restart(tlx_operation *op) {
    PK11_DestroyContext(op->context, PR_TRUE);
    op->context = NULL;
    memcpy(op->last, op->iv, sizeof op->last);
    return start_context(op);
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    enum tlx_form form = op->algorithm.form;
    int chained = form == TLX_CBC || form == TLX_CBC_HMAC;
    op->first = form == TLX_AEAD ? NULL : restart;
    op->output_skip = chained ? op->algorithm.iv_length : 0;
    return tlx_done((!chained || find_explicit_iv(op)) && (form != TLX_CBC_HMAC || start_hmac(op)));
}

static void release(tlx_operation *op) {
    if (op->context != NULL)
        PK11_DestroyContext(op->context, PR_TRUE);
    if (op->hmac != NULL)
        PK11_DestroyContext(op->hmac, PR_TRUE);
}

const struct tlx_kind tlx_cipher = {TLX_KIND(ciphers),
                                    .calls = {[TLX_AEAD] = {seal, unseal},
                                              [TLX_CBC] = {cbc_encrypt, cbc_decrypt},
                                              [TLX_STREAM] = {stream, stream},
                                              [TLX_CBC_HMAC] = {seal_composed, open_composed}},
                                    .start = start_context,
                                    .prepare = prepare,
                                    .release = release};
