/* OpenSSL: encryption of records, authenticated, with a MAC, or alone.
 *
 * TLS pattern: one context with its key set once, as libssl keeps it per direction; the calls per record are those of
 * tls13_enc and tls1_enc. Decryption opens the record number 0 of the same key again and again, out of place.
 *
 * Speed pattern: the calls of `openssl speed -evp`, in place. Its output is no record (no additional data, no tag
 * taken), except that GCM and CCM in later versions set key and nonce anew for every message.
 */

#include "openssl_operation.h"

enum kind { GCM, CCM, CHACHA, CBC, STREAM, CBC_HMAC };

static const struct cipher {
    const char *algorithm;
    enum kind kind;
    const char *name;
    int key_length, iv_length;
    const char *digest;   /* CBC_HMAC: of the MAC */
    int mac_length;
    const char *stitched; /* CBC_HMAC: cipher and MAC in one pass */
} ciphers[] = {
    {"aes-128-gcm", GCM, "AES-128-GCM", 16, 12, NULL, 0, NULL},
    {"aes-256-gcm", GCM, "AES-256-GCM", 32, 12, NULL, 0, NULL},
    {"aes-128-ccm", CCM, "AES-128-CCM", 16, 12, NULL, 0, NULL},
    {"chacha20-poly1305", CHACHA, "ChaCha20-Poly1305", 32, 12, NULL, 0, NULL},
    {"aes-128-cbc", CBC, "AES-128-CBC", 16, 16, NULL, 0, NULL},
    {"aes-256-cbc", CBC, "AES-256-CBC", 32, 16, NULL, 0, NULL},
    {"3des-cbc", CBC, "DES-EDE3-CBC", 24, 8, NULL, 0, NULL},
    {"rc4", STREAM, "RC4", 16, 0, NULL, 0, NULL},
    {"aes-128-cbc-hmac-sha1", CBC_HMAC, "AES-128-CBC", 16, 16, "SHA1", 20, "AES-128-CBC-HMAC-SHA1"},
    {"aes-256-cbc-hmac-sha1", CBC_HMAC, "AES-256-CBC", 32, 16, "SHA1", 20, "AES-256-CBC-HMAC-SHA1"},
    {"aes-128-cbc-hmac-sha256", CBC_HMAC, "AES-128-CBC", 16, 16, "SHA256", 32, "AES-128-CBC-HMAC-SHA256"},
    {"aes-256-cbc-hmac-sha256", CBC_HMAC, "AES-256-CBC", 32, 16, "SHA256", 32, "AES-256-CBC-HMAC-SHA256"},
};

enum { TAG = 16, AAD = 13, BLOCK = 16, LONGEST = 0xffff - 128 };

struct cipher_operation {
    tlx_operation base;
    const struct cipher *cipher;
    EVP_CIPHER_CTX *context;
    tlx_hmac *hmac; /* CBC_HMAC without a stitched cipher */
    int encrypt, in_place;
    uint64_t record;
    unsigned char key[64], iv[16], additional_data[AAD], tag[TAG];
};

static int seal(tlx_operation *);
static int unseal(tlx_operation *);
static int cbc(tlx_operation *);
static int stream(tlx_operation *);
static int seal_stitched(tlx_operation *);
static int open_stitched(tlx_operation *);
static int seal_composed(tlx_operation *);
static int open_composed(tlx_operation *);
static int speed_update(tlx_operation *);
static int speed_seal(tlx_operation *);
static int speed_open(tlx_operation *);
static int restart(tlx_operation *);
static void release(tlx_operation *);
static int prepare(struct cipher_operation *, int speed, const struct tlx_inputs *);
static int take_sealed(struct cipher_operation *, int speed, const struct tlx_inputs *);

static const struct cipher *find(const char *algorithm) {
    for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++)
        if (strcmp(ciphers[i].algorithm, algorithm) == 0)
            return &ciphers[i];
    return NULL;
}

static int has_method(const struct cipher *cipher) {
    EVP_CIPHER *method = tlx_cipher_fetch(cipher->name);
    tlx_cipher_free(method);
    return method != NULL;
}

int tlx_cipher_has(const char *algorithm) {
    const struct cipher *cipher = find(algorithm);
    if (cipher == NULL)
        return -1;
    if (tlx_aead_has(algorithm) >= 0)
        return tlx_aead_has(algorithm);
    return has_method(cipher);
}

int tlx_cipher_new(const char *algorithm, int encrypt, int speed, const struct tlx_inputs *inputs,
                   tlx_operation **made) {
    const struct cipher *cipher = find(algorithm);
    struct cipher_operation *op;
    int result;
    if (!tlx_cipher_has(algorithm))
        return tlx_unsupported(cipher->kind == STREAM ? "RC4 here: its legacy provider is not installed" : algorithm);
    if (cipher->kind == CBC_HMAC && inputs->message.length > LONGEST)
        return tlx_unsupported("records longer than their length field can say");
    if (!speed && tlx_aead_has(algorithm) >= 0)
        return tlx_aead_new(algorithm, encrypt, inputs, made);
    if (!has_method(cipher))
        return tlx_unsupported("EVP_CIPHER of this kind, which `openssl speed` calls");
    op = (struct cipher_operation *)tlx_operation_alloc(sizeof *op, 0, inputs);
    if (op == NULL)
        return tlx_fail("allocating a cipher operation");
    op->base.first = restart;
    op->base.release = release;
    op->cipher = cipher;
    op->encrypt = encrypt;
    op->in_place = speed;
    memcpy(op->key, inputs->key.data, (size_t)cipher->key_length);
    memcpy(op->iv, inputs->iv.data, (size_t)cipher->iv_length);
    memcpy(op->additional_data, inputs->additional_data.data, AAD);
    result = prepare(op, speed, inputs);
    if (result == TLX_OK && !encrypt)
        result = take_sealed(op, speed, inputs);
    if (result != TLX_OK) {
        tlx_operation_free(&op->base);
        return result;
    }
    *made = &op->base;
    return TLX_OK;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static int prepare_cbc_hmac(struct cipher_operation *, int speed, const struct tlx_inputs *);
static int prepend_explicit_iv(struct cipher_operation *);

/* Cipher and key first, nonce length in between where it is no fixed one: CCM wants it so. */
static int start_context(struct cipher_operation *op, const char *name) {
    EVP_CIPHER *method = tlx_cipher_fetch(name);
    EVP_CIPHER_CTX *context = op->context = EVP_CIPHER_CTX_new();
    int done = method != NULL && context != NULL
               && EVP_CipherInit_ex(context, method, NULL, NULL, NULL, op->encrypt);
    if (done && op->cipher->kind <= CHACHA)
        done = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, op->cipher->iv_length, NULL) > 0;
    if (done && op->cipher->kind == CCM)
        done = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, NULL) > 0;
    done = done && EVP_CipherInit_ex(context, NULL, NULL, op->key, op->cipher->iv_length ? op->iv : NULL, -1)
           && EVP_CIPHER_CTX_set_padding(context, 0);
    tlx_cipher_free(method);
    return done ? TLX_OK : tlx_fail(name);
}

static int prepare(struct cipher_operation *op, int speed, const struct tlx_inputs *inputs) {
    enum kind kind = op->cipher->kind;
    int authenticated = kind <= CHACHA;
    if (kind == CBC_HMAC)
        return prepare_cbc_hmac(op, speed, inputs);
    if (speed && kind == CCM && !tlx_speed_rekeys())
        return tlx_unsupported("complete CCM operation in its `openssl speed`, which checks no tag");
    if (speed && kind <= CCM && tlx_speed_rekeys())
        op->base.once = op->encrypt ? speed_seal : speed_open;
    else if (speed)
        op->base.once = speed_update;
    else if (authenticated)
        op->base.once = op->encrypt ? seal : unseal;
    else
        op->base.once = kind == CBC ? cbc : stream;
    op->base.output_length = (size_t)op->base.length + (authenticated && !speed && op->encrypt ? TAG : 0);
    return start_context(op, op->cipher->name);
}

/* Libssl uses the stitched cipher where there is one and the peers did not agree on encrypt-then-MAC (RFC 7366). */
static int prepare_cbc_hmac(struct cipher_operation *op, int speed, const struct tlx_inputs *inputs) {
    int mac_length = op->cipher->mac_length;
    int record = (op->base.length + mac_length + BLOCK) / BLOCK * BLOCK;
    EVP_CIPHER *stitched = tlx_cipher_fetch(op->cipher->stitched);
    int has_stitched = stitched != NULL;
    tlx_cipher_free(stitched);
    ERR_clear_error();
    op->base.output_length = (size_t)(op->encrypt && !speed ? record : op->base.length);
    if (speed) {
        op->base.once = speed_update;
        return has_stitched ? start_context(op, op->cipher->stitched) : tlx_unsupported(op->cipher->stitched);
    }
    if (!has_stitched) {
        op->base.once = op->encrypt ? seal_composed : open_composed;
        op->hmac = tlx_hmac_new(op->cipher->digest, inputs->mac_key.data, (size_t)mac_length);
        return op->hmac == NULL ? tlx_fail("HMAC") : start_context(op, op->cipher->name);
    }
    op->base.once = op->encrypt ? seal_stitched : open_stitched;
    if (start_context(op, op->cipher->stitched) != TLX_OK)
        return TLX_FAILED;
    if (EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_MAC_KEY, mac_length, (void *)inputs->mac_key.data) <= 0)
        return tlx_fail("setting the MAC key");
    op->base.output_skip = BLOCK;
    return op->encrypt ? prepend_explicit_iv(op) : TLX_OK;
}

/* The stitched cipher encrypts the explicit IV as the first block, chained to the context's IV, and the message is
 * chained to its ciphertext. So that the record is the one that belongs to the IV of the inputs, the explicit IV is
 * chosen such that it encrypts to that. */
static int prepend_explicit_iv(struct cipher_operation *op) {
    EVP_CIPHER *method = tlx_cipher_fetch(op->cipher->key_length == 16 ? "AES-128-ECB" : "AES-256-ECB");
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char block[BLOCK];
    int n;
    int done = method != NULL && context != NULL && EVP_DecryptInit_ex(context, method, NULL, op->key, NULL)
               && EVP_CIPHER_CTX_set_padding(context, 0) && EVP_DecryptUpdate(context, block, &n, op->iv, BLOCK);
    EVP_CIPHER_CTX_free(context);
    tlx_cipher_free(method);
    if (!done)
        return tlx_fail("AES-ECB");
    memmove(op->base.message + BLOCK, op->base.message, (size_t)op->base.length);
    for (int i = 0; i < BLOCK; i++)
        op->base.message[i] = block[i] ^ op->iv[i];
    return TLX_OK;
}

/* Makes the record that a decryption opens, with the opposite operation on the same inputs. */
static int take_sealed(struct cipher_operation *op, int speed, const struct tlx_inputs *inputs) {
    tlx_operation *sealer = NULL;
    struct tlx_bytes sealed;
    int result = tlx_cipher_new(op->cipher->algorithm, 1, speed, inputs, &sealer);
    if (result == TLX_OK)
        result = tlx_operation_answer(sealer, &sealed);
    if (result == TLX_OK) {
        EVP_CIPHER_CTX *context = ((struct cipher_operation *)sealer)->context;
        memcpy(op->base.message + op->base.output_skip, sealed.data, sealed.length);
        if (op->base.output_skip > 0) /* the explicit IV */
            memcpy(op->base.message, op->iv, BLOCK);
        if (op->base.once == speed_open && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, op->tag) <= 0)
            result = tlx_fail("taking the tag");
    }
    tlx_operation_free(sealer);
    return result;
}

static int restart(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    op->record = 0;
    if (op->in_place)
        memcpy(base->output, base->message, (size_t)base->length);
    return EVP_CipherInit_ex(op->context, NULL, NULL, op->cipher->kind == STREAM ? op->key : NULL,
                             op->cipher->iv_length ? op->iv : NULL, -1);
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX_free(op->context);
    tlx_hmac_free(op->hmac);
}

/* ---- TLS pattern ---------------------------------------------------------------------------------------------- */

/* RFC 8446 5.3: the record number, big-endian, xor-ed into the end of the IV. */
static void nonce(const struct cipher_operation *op, unsigned char *out) {
    memcpy(out, op->iv, 12);
    for (int i = 0; i < 8; i++)
        out[11 - i] ^= (unsigned char)(op->record >> (8 * i));
}

static int seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int ccm = op->cipher->kind == CCM, n, end;
    unsigned char iv[12];
    nonce(op, iv);
    op->record++;
    return (!ccm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, NULL) > 0)
           && EVP_CipherInit_ex(context, NULL, NULL, NULL, iv, 1)
           && (!ccm || EVP_CipherUpdate(context, NULL, &n, NULL, base->length))
           && EVP_CipherUpdate(context, NULL, &n, op->additional_data, AAD)
           && EVP_CipherUpdate(context, base->output, &n, base->message, base->length)
           && EVP_CipherFinal_ex(context, base->output + n, &end)
           && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, base->output + base->length) > 0;
}

static int unseal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int ccm = op->cipher->kind == CCM, n, end;
    unsigned char iv[12];
    nonce(op, iv);
    return EVP_CipherInit_ex(context, NULL, NULL, NULL, iv, 0)
           && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, base->message + base->length) > 0
           && (!ccm || EVP_CipherUpdate(context, NULL, &n, NULL, base->length))
           && EVP_CipherUpdate(context, NULL, &n, op->additional_data, AAD)
           && EVP_CipherUpdate(context, base->output, &n, base->message, base->length)
           && EVP_CipherFinal_ex(context, base->output + n, &end);
}

static int cbc(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int n;
    return EVP_CipherInit_ex(op->context, NULL, NULL, NULL, op->iv, -1)
           && EVP_CipherUpdate(op->context, base->output, &n, base->message, base->length);
}

/* A stream cipher goes on from record to record. */
static int stream(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int n;
    return EVP_CipherUpdate(op->context, base->output, &n, base->message, base->length);
}

/* The header of the MAC (RFC 5246 6.2.3.1) with this length. */
static void header(const struct cipher_operation *op, int length, unsigned char *out) {
    memcpy(out, op->additional_data, AAD - 2);
    out[AAD - 2] = (unsigned char)(length >> 8);
    out[AAD - 1] = (unsigned char)length;
}

static int seal_stitched(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    unsigned char aad[AAD], *out = base->output;
    int added;
    header(op, base->length + BLOCK, aad);
    added = EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_TLS1_AAD, AAD, aad);
    return added > 0 && EVP_Cipher(op->context, out, base->message, (unsigned)(BLOCK + base->length + added)) > 0;
}

static int open_stitched(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int record = BLOCK + (base->length + op->cipher->mac_length + BLOCK) / BLOCK * BLOCK;
    unsigned char aad[AAD];
    header(op, record, aad);
    return EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_TLS1_AAD, AAD, aad) > 0
           && EVP_Cipher(op->context, base->output, base->message, (unsigned)record) > 0;
}

static int mac(struct cipher_operation *op, const unsigned char *message, unsigned char *out) {
    unsigned char aad[AAD];
    size_t length;
    header(op, op->base.length, aad);
    return tlx_hmac_again(op->hmac) && tlx_hmac_update(op->hmac, aad, AAD)
           && tlx_hmac_update(op->hmac, message, (size_t)op->base.length) && tlx_hmac_final(op->hmac, out, &length);
}

static int seal_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int plain = base->length + op->cipher->mac_length;
    int record = (plain + BLOCK) / BLOCK * BLOCK, n;
    unsigned char *out = base->output;
    memcpy(out, base->message, (size_t)base->length);
    if (!mac(op, out, out + base->length))
        return 0;
    memset(out + plain, record - plain - 1, (size_t)(record - plain));
    return EVP_CipherInit_ex(op->context, NULL, NULL, NULL, op->iv, -1)
           && EVP_CipherUpdate(op->context, out, &n, out, record);
}

/* Unlike libssl's, this check of the padding takes a time that depends on the data; the record is always valid. */
static int open_composed(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int plain = base->length + op->cipher->mac_length;
    int record = (plain + BLOCK) / BLOCK * BLOCK, n;
    unsigned char expected[EVP_MAX_MD_SIZE], *out = base->output;
    return EVP_CipherInit_ex(op->context, NULL, NULL, NULL, op->iv, -1)
           && EVP_CipherUpdate(op->context, out, &n, base->message, record) && out[record - 1] == record - plain - 1
           && mac(op, out, expected)
           && CRYPTO_memcmp(expected, out + base->length, (size_t)op->cipher->mac_length) == 0;
}

/* ---- speed pattern -------------------------------------------------------------------------------------------- */

/* EVP_Update_loop: update after update on one context, in place. A refused update (a counter at its end) starts
 * anew. */
static int speed_update(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int n, done;
    if (op->encrypt)
        done = EVP_EncryptUpdate(op->context, base->output, &n, base->output, base->length);
    else
        done = EVP_DecryptUpdate(op->context, base->output, &n, base->output, base->length);
    return done == 1 || EVP_CipherInit_ex(op->context, NULL, NULL, NULL, op->iv, -1);
}

/* EVP_Update_loop_aead_enc without -aead. */
static int speed_seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int ccm = op->cipher->kind == CCM, n;
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) > 0
           && (!ccm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, NULL) > 0)
           && EVP_CipherInit_ex(context, NULL, NULL, op->key, op->iv, -1)
           && (!ccm || EVP_EncryptUpdate(context, NULL, &n, NULL, base->length))
           && EVP_EncryptUpdate(context, base->output, &n, base->output, base->length)
           && EVP_EncryptFinal_ex(context, base->output, &n);
}

/* EVP_Update_loop_aead_dec without -aead; out of place, so that the record stays valid. */
static int speed_open(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int ccm = op->cipher->kind == CCM, n;
    unsigned char tag[TAG];
    if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) <= 0
        || (ccm && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, NULL) <= 0)
        || !EVP_CipherInit_ex(context, NULL, NULL, op->key, op->iv, -1)
        || !EVP_DecryptInit_ex(context, NULL, NULL, NULL, op->iv))
        return 0;
    memcpy(tag, op->tag, TAG);
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, tag) > 0
           && (!ccm || EVP_DecryptUpdate(context, NULL, &n, NULL, base->length))
           && EVP_DecryptUpdate(context, base->output, &n, base->message, base->length)
           && EVP_DecryptFinal_ex(context, base->output, &n);
}
