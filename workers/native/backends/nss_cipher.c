/* NSS: encryption of records, authenticated, with a MAC, or alone.
 *
 * One context with its key set once, as libssl keeps it per direction. Decryption opens the record number 0 of the same
 * key again and again, out of place. CBC is what libssl makes of a TLS 1.2 record: its context goes on from record to
 * record, and an explicit IV is encrypted in front as one block more. CBC with HMAC is composed of both.
 */

#include "nss_operation.h"

#include <secport.h>

enum kind { AEAD, CBC, STREAM, CBC_HMAC };

static const struct cipher {
    const char *algorithm;
    enum kind kind;
    CK_MECHANISM_TYPE mechanism, block; /* block: the same cipher without chaining */
    int key_length, iv_length;
    CK_MECHANISM_TYPE mac;
    int mac_length;
} ciphers[] = {
    {"aes-128-gcm", AEAD, CKM_AES_GCM, 0, 16, 12, 0, 0},
    {"aes-256-gcm", AEAD, CKM_AES_GCM, 0, 32, 12, 0, 0},
    {"aes-128-ccm", AEAD, CKM_AES_CCM, 0, 16, 12, 0, 0},
    {"chacha20-poly1305", AEAD, CKM_CHACHA20_POLY1305, 0, 32, 12, 0, 0},
    {"aes-128-cbc", CBC, CKM_AES_CBC, CKM_AES_ECB, 16, 16, 0, 0},
    {"aes-256-cbc", CBC, CKM_AES_CBC, CKM_AES_ECB, 32, 16, 0, 0},
    {"3des-cbc", CBC, CKM_DES3_CBC, CKM_DES3_ECB, 24, 8, 0, 0},
    {"rc4", STREAM, CKM_RC4, 0, 16, 0, 0, 0},
    {"aes-128-cbc-hmac-sha1", CBC_HMAC, CKM_AES_CBC, CKM_AES_ECB, 16, 16, CKM_SHA_1_HMAC, 20},
    {"aes-256-cbc-hmac-sha1", CBC_HMAC, CKM_AES_CBC, CKM_AES_ECB, 32, 16, CKM_SHA_1_HMAC, 20},
    {"aes-128-cbc-hmac-sha256", CBC_HMAC, CKM_AES_CBC, CKM_AES_ECB, 16, 16, CKM_SHA256_HMAC, 32},
    {"aes-256-cbc-hmac-sha256", CBC_HMAC, CKM_AES_CBC, CKM_AES_ECB, 32, 16, CKM_SHA256_HMAC, 32},
};

enum { TAG = 16, AAD = 13, LONGEST_MAC = 64, LONGEST = 0xffff - 128 };

struct cipher_operation {
    tlx_operation base;
    const struct cipher *cipher;
    int encrypt;
    PK11Context *context, *hmac;
    uint64_t record;
    unsigned char key[64], iv[16], additional_data[AAD];
    unsigned char before_iv[16]; /* CBC: the block that encrypts to the IV when nothing is chained to it */
    unsigned char last[16];      /* CBC: what the next block is chained to */
};

static int start_context(struct cipher_operation *);
static int prepare(struct cipher_operation *, const struct tlx_inputs *);
static int take_sealed(struct cipher_operation *, const struct tlx_inputs *);
static int restart(tlx_operation *);
static void release(tlx_operation *);

static const struct cipher *find(const char *algorithm) {
    for (size_t i = 0; i < COUNT(ciphers); i++)
        if (strcmp(ciphers[i].algorithm, algorithm) == 0)
            return &ciphers[i];
    return NULL;
}

int tlx_cipher_has(const char *algorithm) {
    struct cipher_operation trial = {.cipher = find(algorithm), .encrypt = 1};
    int has;
    if (trial.cipher == NULL)
        return -1;
    for (size_t i = 0; i < sizeof trial.key; i++)
        trial.key[i] = (unsigned char)i;
    has = PK11_TokenExists(trial.cipher->mechanism) && start_context(&trial);
    release(&trial.base);
    return has;
}

int tlx_cipher_new(const char *algorithm, int encrypt, const struct tlx_inputs *inputs, tlx_operation **made) {
    const struct cipher *cipher = find(algorithm);
    struct cipher_operation *op;
    if (cipher->kind == CBC_HMAC && inputs->message.length > LONGEST)
        return tlx_unsupported("records longer than their length field can say");
    op = (struct cipher_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    if (op == NULL)
        return tlx_fail("allocating a cipher operation");
    op->base.first = restart;
    op->base.release = release;
    op->cipher = cipher;
    op->encrypt = encrypt;
    memcpy(op->key, inputs->key.data, (size_t)cipher->key_length);
    memcpy(op->iv, inputs->iv.data, (size_t)cipher->iv_length);
    memcpy(op->additional_data, inputs->additional_data.data, AAD);
    if (!prepare(op, inputs) || (!encrypt && !take_sealed(op, inputs))) {
        int result = tlx_fail(algorithm);
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *);
static int unseal(tlx_operation *);
static int cbc_encrypt(tlx_operation *);
static int cbc_decrypt(tlx_operation *);
static int stream(tlx_operation *);
static int seal_composed(tlx_operation *);
static int open_composed(tlx_operation *);

/* An AEAD takes its nonces one by one from a context for messages. */
static int start_context(struct cipher_operation *op) {
    const struct cipher *cipher = op->cipher;
    CK_ATTRIBUTE_TYPE direction = op->encrypt ? CKA_ENCRYPT : CKA_DECRYPT;
    CK_ATTRIBUTE_TYPE use = cipher->kind == AEAD ? CKA_NSS_MESSAGE | direction : direction;
    PK11SymKey *key = tlx_import_key(cipher->mechanism, direction, op->key, (size_t)cipher->key_length);
    SECItem iv = tlx_item(op->iv, cipher->kind == AEAD ? 0 : (size_t)cipher->iv_length);
    if (key == NULL)
        return 0;
    op->context = PK11_CreateContextBySymKey(cipher->mechanism, use, key, &iv);
    PK11_FreeSymKey(key);
    return op->context != NULL;
}

static int start_hmac(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    const struct cipher *cipher = op->cipher;
    PK11SymKey *key = tlx_import_key(cipher->mac, CKA_SIGN, inputs->mac_key.data, (size_t)cipher->mac_length);
    SECItem none = tlx_item(NULL, 0);
    if (key == NULL)
        return 0;
    op->hmac = PK11_CreateContextBySymKey(cipher->mac, CKA_SIGN, key, &none);
    PK11_FreeSymKey(key);
    return op->hmac != NULL;
}

/* The explicit IV of libssl is random. So that the record is the one that belongs to the IV of the inputs, it is chosen
 * such that it encrypts to that. */
static int find_explicit_iv(struct cipher_operation *op) {
    const struct cipher *cipher = op->cipher;
    PK11SymKey *key = tlx_import_key(cipher->block, CKA_DECRYPT, op->key, (size_t)cipher->key_length);
    SECItem none = tlx_item(NULL, 0);
    unsigned length = 0;
    int done = key != NULL
               && PK11_Decrypt(key, cipher->block, &none, op->before_iv, &length, sizeof op->before_iv, op->iv,
                               (unsigned)cipher->iv_length)
                      == SECSuccess;
    PK11_FreeSymKey(key);
    return done && length == (unsigned)cipher->iv_length;
}

static int prepare(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    static int (*const calls[][2])(tlx_operation *) = {
        [AEAD] = {unseal, seal},
        [CBC] = {cbc_decrypt, cbc_encrypt},
        [STREAM] = {stream, stream},
        [CBC_HMAC] = {open_composed, seal_composed},
    };
    const struct cipher *cipher = op->cipher;
    int chained = cipher->kind == CBC || cipher->kind == CBC_HMAC;
    op->base.once = calls[cipher->kind][op->encrypt];
    op->base.output_length = (size_t)op->base.length;
    op->base.output_skip = chained ? (size_t)cipher->iv_length : 0;
    if (cipher->kind == AEAD && op->encrypt)
        op->base.output_length += TAG;
    if (cipher->kind == CBC_HMAC && op->encrypt)
        op->base.output_length = (size_t)((op->base.length + cipher->mac_length + 16) / 16 * 16);
    return start_context(op) && (!chained || find_explicit_iv(op))
           && (cipher->kind != CBC_HMAC || start_hmac(op, inputs));
}

/* Makes the record that a decryption opens, with the opposite operation on the same inputs; its explicit IV stands in
 * front. */
static int take_sealed(struct cipher_operation *op, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes sealed;
    int done = tlx_cipher_new(op->cipher->algorithm, 1, inputs, &sealer) == TLX_OK
               && tlx_operation_answer(sealer, &sealed) == TLX_OK;
    if (done) {
        memcpy(op->base.message, op->iv, op->base.output_skip);
        memcpy(op->base.message + op->base.output_skip, sealed.data, sealed.length);
    }
    tlx_operation_free(sealer);
    return done;
}

static int restart(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    op->record = 0;
    if (op->cipher->kind == AEAD)
        return 1;
    PK11_DestroyContext(op->context, PR_TRUE);
    memcpy(op->last, op->iv, sizeof op->last);
    return start_context(op);
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    if (op->context != NULL)
        PK11_DestroyContext(op->context, PR_TRUE);
    if (op->hmac != NULL)
        PK11_DestroyContext(op->hmac, PR_TRUE);
}

/* ---- operations ----------------------------------------------------------------------------------------------- */

/* RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV. */
static void nonce(const struct cipher_operation *op, unsigned char *out) {
    memcpy(out, op->iv, 12);
    for (int i = 0; i < 8; i++)
        out[11 - i] ^= (unsigned char)(op->record >> (8 * i));
}

static int seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[12];
    int length;
    nonce(op, iv);
    op->record++;
    return PK11_AEADOp(op->context, CKG_NO_GENERATE, 0, iv, sizeof iv, op->additional_data, AAD, base->output, &length,
                       base->length, base->output + base->length, TAG, base->message, base->length)
           == SECSuccess;
}

static int unseal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char iv[12];
    int length;
    nonce(op, iv);
    return PK11_AEADOp(op->context, CKG_NO_GENERATE, 0, iv, sizeof iv, op->additional_data, AAD, base->output, &length,
                       base->length, base->message + base->length, TAG, base->message, base->length)
           == SECSuccess;
}

/* Encrypts the explicit IV and what follows it. */
static int encrypt_record(struct cipher_operation *op, const unsigned char *plain, int length) {
    unsigned char first[16], *out = op->base.output;
    int block = op->cipher->iv_length, done;
    for (int i = 0; i < block; i++)
        first[i] = op->before_iv[i] ^ op->last[i];
    if (PK11_CipherOp(op->context, out, &done, block, first, block) != SECSuccess
        || PK11_CipherOp(op->context, out + block, &done, length, plain, length) != SECSuccess)
        return 0;
    memcpy(op->last, out + length, (size_t)block);
    return 1;
}

static int decrypt_record(struct cipher_operation *op, int length) {
    int record = op->cipher->iv_length + length, done;
    return PK11_CipherOp(op->context, op->base.output, &done, record, op->base.message, record) == SECSuccess;
}

static int cbc_encrypt(tlx_operation *base) {
    return encrypt_record((struct cipher_operation *)base, base->message, base->length);
}

static int cbc_decrypt(tlx_operation *base) { return decrypt_record((struct cipher_operation *)base, base->length); }

static int stream(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int length;
    return PK11_CipherOp(op->context, base->output, &length, base->length, base->message, base->length) == SECSuccess;
}

/* RFC 5246 6.2.3.1. */
static int mac(struct cipher_operation *op, const unsigned char *message, unsigned char *out) {
    unsigned char header[AAD];
    unsigned length;
    memcpy(header, op->additional_data, AAD - 2);
    header[AAD - 2] = (unsigned char)(op->base.length >> 8);
    header[AAD - 1] = (unsigned char)op->base.length;
    return PK11_DigestBegin(op->hmac) == SECSuccess && PK11_DigestOp(op->hmac, header, AAD) == SECSuccess
           && PK11_DigestOp(op->hmac, message, (unsigned)op->base.length) == SECSuccess
           && PK11_DigestFinal(op->hmac, out, &length, LONGEST_MAC) == SECSuccess;
}

static int seal_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int plain = base->length + op->cipher->mac_length, record = (plain + 16) / 16 * 16;
    if (!mac(op, base->message, base->message + base->length))
        return 0;
    memset(base->message + plain, record - plain - 1, (size_t)(record - plain));
    return encrypt_record(op, base->message, record);
}

/* Unlike libssl's, this check of the padding takes a time that depends on the data; the record is always valid. */
static int open_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int plain = base->length + op->cipher->mac_length, record = (plain + 16) / 16 * 16;
    unsigned char expected[LONGEST_MAC], *out = base->output + base->output_skip;
    return decrypt_record(op, record) && out[record - 1] == record - plain - 1 && mac(op, out, expected)
           && NSS_SecureMemcmp(expected, out + base->length, (size_t)op->cipher->mac_length) == 0;
}
