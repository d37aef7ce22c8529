/* NSS: encryption of records, authenticated, with a MAC, or alone.
 *
 * One context with its key set once, as libssl keeps it per direction. Decryption opens the record number 0 of the same
 * key again and again, out of place. CBC is what libssl makes of a TLS 1.2 record: its context goes on from record to
 * record, and an explicit IV is encrypted in front as one block more. CBC with HMAC is composed of both.
 */

#include "nss_operation.h"

#include "../common/record.h"

#include <secport.h>

static const struct cipher {
    const char *algorithm;
    CK_MECHANISM_TYPE mechanism, block; /* block: the same cipher without chaining */
    CK_MECHANISM_TYPE mac;
} ciphers[] = {
    {"aes-128-gcm", CKM_AES_GCM, 0, 0},
    {"aes-256-gcm", CKM_AES_GCM, 0, 0},
    {"aes-128-ccm", CKM_AES_CCM, 0, 0},
    {"chacha20-poly1305", CKM_CHACHA20_POLY1305, 0, 0},
    {"aes-128-cbc", CKM_AES_CBC, CKM_AES_ECB, 0},
    {"aes-256-cbc", CKM_AES_CBC, CKM_AES_ECB, 0},
    {"3des-cbc", CKM_DES3_CBC, CKM_DES3_ECB, 0},
    {"rc4", CKM_RC4, 0, 0},
    {"aes-128-cbc-hmac-sha1", CKM_AES_CBC, CKM_AES_ECB, CKM_SHA_1_HMAC},
    {"aes-256-cbc-hmac-sha1", CKM_AES_CBC, CKM_AES_ECB, CKM_SHA_1_HMAC},
    {"aes-128-cbc-hmac-sha256", CKM_AES_CBC, CKM_AES_ECB, CKM_SHA256_HMAC},
    {"aes-256-cbc-hmac-sha256", CKM_AES_CBC, CKM_AES_ECB, CKM_SHA256_HMAC},
};

struct cipher_operation {
    tlx_operation base;
    PK11Context *context, *hmac;
    unsigned char before_iv[16]; /* CBC: the block that encrypts to the IV when nothing is chained to it */
    unsigned char last[16];      /* CBC: what the next block is chained to */
};

/* ---- records -------------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *base) {
    unsigned char iv[TLX_NONCE];
    int length;
    tlx_nonce(base, iv);
    base->record++;
    return tlx_done(PK11_AEADOp(((struct cipher_operation *)base)->context, CKG_NO_GENERATE, 0, iv, sizeof iv,
                                base->additional_data, TLX_AAD, base->output, &length, base->length,
                                base->output + base->length, TLX_TAG, base->message, base->length)
                    == SECSuccess);
}

static int unseal(tlx_operation *base) {
    unsigned char iv[TLX_NONCE];
    int length;
    tlx_nonce(base, iv);
    return tlx_done(PK11_AEADOp(((struct cipher_operation *)base)->context, CKG_NO_GENERATE, 0, iv, sizeof iv,
                                base->additional_data, TLX_AAD, base->output, &length, base->length,
                                base->message + base->length, TLX_TAG, base->message, base->length)
                    == SECSuccess);
}

/* Encrypts the explicit IV and what follows it. */
static int encrypt_record(tlx_operation *base, const unsigned char *plain, size_t length) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char first[16], *out = base->output;
    int block = (int)base->algorithm.iv_length, done;
    for (int i = 0; i < block; i++)
        first[i] = op->before_iv[i] ^ op->last[i];
    if (PK11_CipherOp(op->context, out, &done, block, first, block) != SECSuccess
        || PK11_CipherOp(op->context, out + block, &done, length, plain, length) != SECSuccess)
        return TLX_FAILED;
    memcpy(op->last, out + length, (size_t)block);
    return 0;
}

static int decrypt_record(tlx_operation *base, size_t length) {
    int record = (int)(base->algorithm.iv_length + length), done;
    return tlx_done(PK11_CipherOp(((struct cipher_operation *)base)->context, base->output, &done, record,
                                  base->message, record)
                    == SECSuccess);
}

static int cbc_encrypt(tlx_operation *base) { return encrypt_record(base, base->message, base->length); }

static int cbc_decrypt(tlx_operation *base) { return decrypt_record(base, base->length); }

static int stream(tlx_operation *base) {
    int length;
    return tlx_done(PK11_CipherOp(((struct cipher_operation *)base)->context, base->output, &length, base->length,
                                  base->message, base->length)
                    == SECSuccess);
}

static int mac(tlx_operation *base, const unsigned char *message, unsigned char *out) {
    PK11Context *hmac = ((struct cipher_operation *)base)->hmac;
    unsigned length;
    return tlx_done(PK11_DigestBegin(hmac) == SECSuccess
                    && PK11_DigestOp(hmac, base->additional_data, TLX_AAD) == SECSuccess
                    && PK11_DigestOp(hmac, message, base->length) == SECSuccess
                    && PK11_DigestFinal(hmac, out, &length, TLX_LONGEST_MAC) == SECSuccess);
}

/* In the buffer of the message, since the record is encrypted out of place, behind its explicit IV. */
static int seal_composed(tlx_operation *base) {
    int error = tlx_append_mac(base, base->message, mac);
    return error < 0 ? error : encrypt_record(base, base->message, tlx_padded(base));
}

static int open_composed(tlx_operation *base) {
    int error = decrypt_record(base, tlx_padded(base));
    return error < 0 ? error : tlx_check_mac(base, base->output + base->output_skip, mac, NSS_SecureMemcmp);
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

/* An AEAD takes its nonces one by one from a context for messages. */
static int start_context(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    CK_MECHANISM_TYPE mechanism = ((const struct cipher *)base->row)->mechanism;
    CK_ATTRIBUTE_TYPE direction = base->action == TLX_ENCRYPT ? CKA_ENCRYPT : CKA_DECRYPT;
    int aead = base->algorithm.form == TLX_AEAD;
    PK11SymKey *key = tlx_import_key(mechanism, direction, base->key, base->algorithm.key_length);
    SECItem iv = tlx_item(base->iv, aead ? 0 : base->algorithm.iv_length);
    if (key == NULL)
        return 0;
    op->context = PK11_CreateContextBySymKey(mechanism, aead ? CKA_NSS_MESSAGE | direction : direction, key, &iv);
    PK11_FreeSymKey(key);
    return op->context != NULL;
}

static int start_hmac(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    CK_MECHANISM_TYPE mac = ((const struct cipher *)base->row)->mac;
    PK11SymKey *key = tlx_import_key(mac, CKA_SIGN, base->mac_key, base->algorithm.mac_length);
    SECItem none = tlx_item(NULL, 0);
    if (key == NULL)
        return 0;
    op->hmac = PK11_CreateContextBySymKey(mac, CKA_SIGN, key, &none);
    PK11_FreeSymKey(key);
    return op->hmac != NULL;
}

/* The explicit IV of libssl is random. So that the record is the one that belongs to the IV of the inputs, it is chosen
 * such that it encrypts to that. */
static int find_explicit_iv(tlx_operation *base) {
    unsigned char *before_iv = ((struct cipher_operation *)base)->before_iv;
    CK_MECHANISM_TYPE block = ((const struct cipher *)base->row)->block;
    size_t iv_length = base->algorithm.iv_length;
    PK11SymKey *key = tlx_import_key(block, CKA_DECRYPT, base->key, base->algorithm.key_length);
    SECItem none = tlx_item(NULL, 0);
    unsigned length = 0;
    int done = key != NULL
               && PK11_Decrypt(key, block, &none, before_iv, &length, 16, base->iv, (unsigned)iv_length) == SECSuccess;
    PK11_FreeSymKey(key);
    return done && length == iv_length;
}

/* A context does not go back to where it began; one for messages has no beginning. */
static int restart(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    PK11_DestroyContext(op->context, PR_TRUE);
    memcpy(op->last, base->iv, sizeof op->last);
    return tlx_done(start_context(base));
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    static int (*const calls[][2])(tlx_operation *) = {
        [TLX_AEAD] = {seal, unseal},
        [TLX_CBC] = {cbc_encrypt, cbc_decrypt},
        [TLX_STREAM] = {stream, stream},
        [TLX_CBC_HMAC] = {seal_composed, open_composed},
    };
    enum tlx_form form = base->algorithm.form;
    int chained = form == TLX_CBC || form == TLX_CBC_HMAC;
    (void)inputs;
    base->once = calls[form][base->action];
    base->first = form == TLX_AEAD ? NULL : restart;
    base->output_skip = chained ? base->algorithm.iv_length : 0;
    return tlx_done(start_context(base) && (!chained || find_explicit_iv(base))
                    && (form != TLX_CBC_HMAC || start_hmac(base)));
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    if (op->context != NULL)
        PK11_DestroyContext(op->context, PR_TRUE);
    if (op->hmac != NULL)
        PK11_DestroyContext(op->hmac, PR_TRUE);
}

static int has(tlx_operation *base) {
    int has = PK11_TokenExists(((const struct cipher *)base->row)->mechanism) && start_context(base);
    release(base);
    return has;
}

const struct tlx_kind tlx_cipher = {
    TLX_KIND(ciphers, struct cipher_operation), .has = has, .prepare = prepare, .release = release};
