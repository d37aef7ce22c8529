/* OpenSSL: encryption of records, authenticated, with a MAC, or alone.
 *
 * TLS pattern: one context with its key set once, as libssl keeps it per direction; the calls per record are those of
 * tls13_enc and tls1_enc. Decryption opens the record number 0 of the same key again and again, out of place.
 *
 * Speed pattern: the calls of `openssl speed -evp`, in place. Its output is no record (no additional data, no tag
 * taken), except that GCM and CCM in later versions set key and nonce anew for every message.
 */

#include "openssl_operation.h"

#include "../common/record.h"

static const struct cipher {
    const char *algorithm;
    const char *name;
    const char *digest;   /* of the MAC */
    const char *stitched; /* cipher and MAC in one pass */
} ciphers[] = {
    {"aes-128-gcm", "AES-128-GCM", NULL, NULL},
    {"aes-256-gcm", "AES-256-GCM", NULL, NULL},
    {"aes-128-ccm", "AES-128-CCM", NULL, NULL},
    {"chacha20-poly1305", "ChaCha20-Poly1305", NULL, NULL},
    {"aes-128-cbc", "AES-128-CBC", NULL, NULL},
    {"aes-256-cbc", "AES-256-CBC", NULL, NULL},
    {"3des-cbc", "DES-EDE3-CBC", NULL, NULL},
    {"rc4", "RC4", NULL, NULL},
    {"aes-128-cbc-hmac-sha1", "AES-128-CBC", "SHA1", "AES-128-CBC-HMAC-SHA1"},
    {"aes-256-cbc-hmac-sha1", "AES-256-CBC", "SHA1", "AES-256-CBC-HMAC-SHA1"},
    {"aes-128-cbc-hmac-sha256", "AES-128-CBC", "SHA256", "AES-128-CBC-HMAC-SHA256"},
    {"aes-256-cbc-hmac-sha256", "AES-256-CBC", "SHA256", "AES-256-CBC-HMAC-SHA256"},
};

struct cipher_operation {
    tlx_operation base;
    EVP_CIPHER_CTX *context;
    tlx_hmac *hmac; /* CBC with HMAC without a stitched cipher */
    int encrypt, ccm;
    unsigned char tag[TLX_TAG]; /* speed pattern: of the record to open */
};

static int has_method(const char *name) {
    EVP_CIPHER *method = tlx_cipher_fetch(name);
    tlx_cipher_free(method);
    ERR_clear_error();
    return method != NULL;
}

static int has(tlx_operation *base) { return has_method(((const struct cipher *)base->row)->name); }

/* Whether `openssl speed` sets key and nonce anew for every message: GCM and CCM in later versions. */
static int rekeys(const tlx_operation *base) {
    int chacha = strcmp(base->algorithm.name, "chacha20-poly1305") == 0;
    return base->algorithm.form == TLX_AEAD && !chacha && tlx_speed_rekeys();
}

static const char *lacks(tlx_operation *base) {
    const struct cipher *cipher = base->row;
    if (base->algorithm.form == TLX_STREAM && !has(base))
        return "RC4 here: its legacy provider is not installed";
    if (!base->speed)
        return NULL;
    if (TLX_HAS_AEAD && !has(base))
        return "EVP_CIPHER of this kind, which `openssl speed` calls";
    if (strcmp(cipher->name, "AES-128-CCM") == 0 && !tlx_speed_rekeys())
        return "complete CCM operation in its `openssl speed`, which checks no tag";
    return cipher->stitched != NULL && !has_method(cipher->stitched) ? cipher->stitched : NULL;
}

/* ---- TLS pattern ---------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int n, end;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(base, iv);
    base->record++;
    return tlx_done((!op->ccm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) > 0)
                    && EVP_CipherInit_ex(context, NULL, NULL, NULL, iv, 1)
                    && (!op->ccm || EVP_CipherUpdate(context, NULL, &n, NULL, base->length))
                    && EVP_CipherUpdate(context, NULL, &n, base->additional_data, TLX_AAD)
                    && EVP_CipherUpdate(context, base->output, &n, base->message, base->length)
                    && EVP_CipherFinal_ex(context, base->output + n, &end)
                    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TLX_TAG, base->output + base->length) > 0);
}

static int unseal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int n, end;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(base, iv);
    return tlx_done(EVP_CipherInit_ex(context, NULL, NULL, NULL, iv, 0)
                    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, base->message + base->length) > 0
                    && (!op->ccm || EVP_CipherUpdate(context, NULL, &n, NULL, base->length))
                    && EVP_CipherUpdate(context, NULL, &n, base->additional_data, TLX_AAD)
                    && EVP_CipherUpdate(context, base->output, &n, base->message, base->length)
                    && EVP_CipherFinal_ex(context, base->output + n, &end));
}

static int crypt_blocks(tlx_operation *base, const unsigned char *in, size_t length) {
    EVP_CIPHER_CTX *context = ((struct cipher_operation *)base)->context;
    int n;
    return tlx_done(EVP_CipherInit_ex(context, NULL, NULL, NULL, base->iv, -1)
                    && EVP_CipherUpdate(context, base->output, &n, in, length));
}

static int cbc(tlx_operation *base) { return crypt_blocks(base, base->message, base->length); }

/* A stream cipher goes on from record to record. */
static int stream(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int n;
    return tlx_done(EVP_CipherUpdate(op->context, base->output, &n, base->message, base->length));
}

/* Sets the header of the MAC (RFC 5246 6.2.3.1) with this length; the result is that of the call. */
static int set_header(tlx_operation *base, size_t length) {
    unsigned char header[TLX_AAD];
    memcpy(header, base->additional_data, TLX_AAD - 2);
    header[TLX_AAD - 2] = (unsigned char)(length >> 8);
    header[TLX_AAD - 1] = (unsigned char)length;
    return EVP_CIPHER_CTX_ctrl(((struct cipher_operation *)base)->context, EVP_CTRL_AEAD_TLS1_AAD, TLX_AAD, header);
}

static int seal_stitched(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    int added = set_header(base, base->length + TLX_BLOCK);
    return tlx_done(added > 0
                    && EVP_Cipher(op->context, base->output, base->message,
                                  (unsigned)(TLX_BLOCK + base->length + (size_t)added))
                           > 0);
}

static int open_stitched(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    size_t record = TLX_BLOCK + tlx_padded(base);
    return tlx_done(set_header(base, record) > 0
                    && EVP_Cipher(op->context, base->output, base->message, (unsigned)record) > 0);
}

static int mac(tlx_operation *base, const unsigned char *message, unsigned char *out) {
    tlx_hmac *hmac = ((struct cipher_operation *)base)->hmac;
    size_t length;
    return tlx_done(tlx_hmac_again(hmac) && tlx_hmac_update(hmac, base->additional_data, TLX_AAD)
                    && tlx_hmac_update(hmac, message, base->length) && tlx_hmac_final(hmac, out, &length));
}

static int seal_composed(tlx_operation *base) { return tlx_seal_record(base, mac, crypt_blocks); }

static int open_composed(tlx_operation *base) { return tlx_open_record(base, mac, crypt_blocks, CRYPTO_memcmp); }

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
    return tlx_done(done == 1 || EVP_CipherInit_ex(op->context, NULL, NULL, NULL, base->iv, -1));
}

/* EVP_Update_loop_aead_enc without -aead. */
static int speed_seal(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int n;
    return tlx_done(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, TLX_NONCE, NULL) > 0
                    && (!op->ccm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) > 0)
                    && EVP_CipherInit_ex(context, NULL, NULL, base->key, base->iv, -1)
                    && (!op->ccm || EVP_EncryptUpdate(context, NULL, &n, NULL, base->length))
                    && EVP_EncryptUpdate(context, base->output, &n, base->output, base->length)
                    && EVP_EncryptFinal_ex(context, base->output, &n));
}

/* EVP_Update_loop_aead_dec without -aead; out of place, so that the record stays valid. */
static int speed_open(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX *context = op->context;
    int n;
    unsigned char tag[TLX_TAG];
    if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, TLX_NONCE, NULL) <= 0
        || (op->ccm && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) <= 0)
        || !EVP_CipherInit_ex(context, NULL, NULL, base->key, base->iv, -1)
        || !EVP_DecryptInit_ex(context, NULL, NULL, NULL, base->iv))
        return TLX_FAILED;
    memcpy(tag, op->tag, TLX_TAG);
    return tlx_done(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, tag) > 0
                    && (!op->ccm || EVP_DecryptUpdate(context, NULL, &n, NULL, base->length))
                    && EVP_DecryptUpdate(context, base->output, &n, base->message, base->length)
                    && EVP_DecryptFinal_ex(context, base->output, &n));
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

/* Cipher and key first, nonce length in between where it is no fixed one: CCM wants it so. */
static int start_context(tlx_operation *base, const char *name) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER *method = tlx_cipher_fetch(name);
    EVP_CIPHER_CTX *context = op->context = EVP_CIPHER_CTX_new();
    int iv_length = (int)base->algorithm.iv_length;
    int done = method != NULL && context != NULL
               && EVP_CipherInit_ex(context, method, NULL, NULL, NULL, op->encrypt);
    if (done && base->algorithm.form == TLX_AEAD)
        done = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, iv_length, NULL) > 0;
    if (done && op->ccm)
        done = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) > 0;
    done = done && EVP_CipherInit_ex(context, NULL, NULL, base->key, iv_length > 0 ? base->iv : NULL, -1)
           && EVP_CIPHER_CTX_set_padding(context, 0);
    tlx_cipher_free(method);
    return tlx_done(done);
}

/* The stitched cipher encrypts the explicit IV as the first block, chained to the context's IV, and the message is
 * chained to its ciphertext. So that the record is the one that belongs to the IV of the inputs, the explicit IV is
 * chosen such that it encrypts to that. */
static int prepend_explicit_iv(tlx_operation *base) {
    EVP_CIPHER *method = tlx_cipher_fetch(base->algorithm.key_length == 16 ? "AES-128-ECB" : "AES-256-ECB");
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char block[TLX_BLOCK];
    int n;
    int done = method != NULL && context != NULL && EVP_DecryptInit_ex(context, method, NULL, base->key, NULL)
               && EVP_CIPHER_CTX_set_padding(context, 0)
               && EVP_DecryptUpdate(context, block, &n, base->iv, TLX_BLOCK);
    EVP_CIPHER_CTX_free(context);
    tlx_cipher_free(method);
    memmove(base->message + TLX_BLOCK, base->message, base->length);
    for (int i = 0; done && i < TLX_BLOCK; i++)
        base->message[i] = block[i] ^ base->iv[i];
    return tlx_done(done);
}

/* Libssl uses the stitched cipher where there is one and the peers did not agree on encrypt-then-MAC (RFC 7366). */
static int prepare_cbc_hmac(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    const struct cipher *cipher = base->row;
    size_t mac_length = base->algorithm.mac_length;
    if (!has_method(cipher->stitched)) {
        base->once = op->encrypt ? seal_composed : open_composed;
        op->hmac = tlx_hmac_new(cipher->digest, base->mac_key, mac_length);
        return op->hmac == NULL ? TLX_FAILED : start_context(base, cipher->name);
    }
    base->once = op->encrypt ? seal_stitched : open_stitched;
    base->output_skip = TLX_BLOCK;
    if (start_context(base, cipher->stitched) < 0
        || EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_MAC_KEY, (int)mac_length, base->mac_key) <= 0)
        return TLX_FAILED;
    return op->encrypt ? prepend_explicit_iv(base) : 0;
}

static int prepare_speed(tlx_operation *base) {
    const struct cipher *cipher = base->row;
    base->once = speed_update;
    base->output_length = base->length;
    if (rekeys(base))
        base->once = base->action == TLX_ENCRYPT ? speed_seal : speed_open;
    return start_context(base, cipher->stitched != NULL ? cipher->stitched : cipher->name);
}

static int restart(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    if (base->speed)
        memcpy(base->output, base->message, base->length);
    return tlx_done(EVP_CipherInit_ex(op->context, NULL, NULL, base->algorithm.form == TLX_STREAM ? base->key : NULL,
                                      base->algorithm.iv_length > 0 ? base->iv : NULL, -1));
}

static int prepare(tlx_operation *base, const struct tlx_inputs *inputs) {
    static int (*const calls[][2])(tlx_operation *) = {
        [TLX_AEAD] = {seal, unseal}, [TLX_CBC] = {cbc, cbc}, [TLX_STREAM] = {stream, stream}};
    struct cipher_operation *op = (struct cipher_operation *)base;
    const struct cipher *cipher = base->row;
    (void)inputs;
    base->first = restart;
    op->encrypt = base->action == TLX_ENCRYPT;
    op->ccm = strcmp(cipher->name, "AES-128-CCM") == 0;
    if (base->speed)
        return prepare_speed(base);
    if (base->algorithm.form == TLX_CBC_HMAC)
        return prepare_cbc_hmac(base);
    base->once = calls[base->algorithm.form][base->action];
    return start_context(base, cipher->name);
}

static int take_tag(tlx_operation *base, tlx_operation *sealer) {
    EVP_CIPHER_CTX *context = ((struct cipher_operation *)sealer)->context;
    return tlx_done(base->once != speed_open
                    || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TLX_TAG,
                                           ((struct cipher_operation *)base)->tag)
                           > 0);
}

static void release(tlx_operation *base) {
    struct cipher_operation *op = (struct cipher_operation *)base;
    EVP_CIPHER_CTX_free(op->context);
    tlx_hmac_free(op->hmac);
}

const struct tlx_kind tlx_cipher = {TLX_KIND(ciphers, struct cipher_operation),
                                    .has = has,
                                    .lacks = lacks,
                                    .prepare = prepare,
                                    .take = take_tag,
                                    .release = release};
