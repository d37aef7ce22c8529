/* OpenSSL: encryption of records, authenticated, with a MAC, or alone.
 *
 * TLS pattern: one context with its key set once, as libssl keeps it per direction; the calls per record are those of
 * tls13_enc and tls1_enc. Decryption opens the record number 0 of the same key again and again, out of place.
 *
 * Speed pattern: the calls of `openssl speed -evp`, in place. Its output is no record (no additional data, no tag
 * taken), except that GCM and CCM in later versions set key and nonce anew for every message.
 */

#include "openssl_backend.h"

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

struct tlx_operation {
    struct tlx_operation_base;
    const struct cipher *row;
    EVP_CIPHER_CTX *context;
    tlx_hmac *hmac; /* CBC with HMAC without a stitched cipher */
    int encrypt, ccm;
    unsigned char tag[TLX_TAG]; /* speed pattern: of the record to open */
};

#include "../common/record.h"

static int has_method(const char *name) {
    EVP_CIPHER *method = tlx_cipher_fetch(name);
    tlx_cipher_free(method);
    ERR_clear_error();
    return method != NULL;
}

static int has(tlx_operation *op) { return has_method(op->row->name); }

/* Whether `openssl speed` sets key and nonce anew for every message: GCM and CCM in later versions. */
static int rekeys(const tlx_operation *op) {
    int chacha = strcmp(op->algorithm.name, "chacha20-poly1305") == 0;
    return op->algorithm.form == TLX_AEAD && !chacha && tlx_speed_rekeys();
}

static const char *lacks(tlx_operation *op) {
    if (op->algorithm.form == TLX_STREAM && !has(op))
        return "RC4 here: its legacy provider is not installed";
    if (!op->speed)
        return NULL;
    if (TLX_HAS_AEAD && !has(op))
        return "EVP_CIPHER of this kind, which `openssl speed` calls";
    if (strcmp(op->row->name, "AES-128-CCM") == 0 && !tlx_speed_rekeys())
        return "complete CCM operation in its `openssl speed`, which checks no tag";
    return op->row->stitched != NULL && !has_method(op->row->stitched) ? op->row->stitched : NULL;
}

/* ---- TLS pattern ---------------------------------------------------------------------------------------------- */

static int seal(tlx_operation *op) {
    int n, end;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(op, iv);
    op->record++;
    return tlx_done((!op->ccm || EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) > 0)
                    && EVP_CipherInit_ex(op->context, NULL, NULL, NULL, iv, 1)
                    && (!op->ccm || EVP_CipherUpdate(op->context, NULL, &n, NULL, op->length))
                    && EVP_CipherUpdate(op->context, NULL, &n, op->additional_data, TLX_AAD)
                    && EVP_CipherUpdate(op->context, op->output, &n, op->message, op->length)
                    && EVP_CipherFinal_ex(op->context, op->output + n, &end)
                    && EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_GET_TAG, TLX_TAG, op->output + op->length) > 0);
}

static int unseal(tlx_operation *op) {
    int n, end;
    unsigned char iv[TLX_NONCE];
    tlx_nonce(op, iv);
    return tlx_done(EVP_CipherInit_ex(op->context, NULL, NULL, NULL, iv, 0)
                    && EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, op->message + op->length) > 0
                    && (!op->ccm || EVP_CipherUpdate(op->context, NULL, &n, NULL, op->length))
                    && EVP_CipherUpdate(op->context, NULL, &n, op->additional_data, TLX_AAD)
                    && EVP_CipherUpdate(op->context, op->output, &n, op->message, op->length)
                    && EVP_CipherFinal_ex(op->context, op->output + n, &end));
}

static int crypt_blocks(tlx_operation *op, const unsigned char *in, size_t length) {
    int n;
    return tlx_done(EVP_CipherInit_ex(op->context, NULL, NULL, NULL, op->iv, -1)
                    && EVP_CipherUpdate(op->context, op->output, &n, in, length));
}

static int cbc(tlx_operation *op) { return crypt_blocks(op, op->message, op->length); }

/* A stream cipher goes on from record to record. */
static int stream(tlx_operation *op) {
    int n;
    return tlx_done(EVP_CipherUpdate(op->context, op->output, &n, op->message, op->length));
}

/* Sets the header of the MAC (RFC 5246 6.2.3.1) with this length; the result is that of the call. */
static int set_header(tlx_operation *op, size_t length) {
    unsigned char header[TLX_AAD];
    memcpy(header, op->additional_data, TLX_AAD - 2);
    header[TLX_AAD - 2] = (unsigned char)(length >> 8);
    header[TLX_AAD - 1] = (unsigned char)length;
    return EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_TLS1_AAD, TLX_AAD, header);
}

static int seal_stitched(tlx_operation *op) {
    int added = set_header(op, op->length + TLX_BLOCK);
    return tlx_done(added > 0 && EVP_Cipher(op->context, op->output, op->message,
                                            (unsigned)(TLX_BLOCK + op->length + (size_t)added)) > 0);
}

static int open_stitched(tlx_operation *op) {
    size_t record = TLX_BLOCK + tlx_padded(op);
    return tlx_done(set_header(op, record) > 0
                    && EVP_Cipher(op->context, op->output, op->message, (unsigned)record) > 0);
}

static int mac(tlx_operation *op, const unsigned char *message, unsigned char *out) {
    size_t length;
    return tlx_done(tlx_hmac_again(op->hmac) && tlx_hmac_update(op->hmac, op->additional_data, TLX_AAD)
                    && tlx_hmac_update(op->hmac, message, op->length) && tlx_hmac_final(op->hmac, out, &length));
}

static int seal_composed(tlx_operation *op) { return tlx_seal_record(op, mac, crypt_blocks); }

static int open_composed(tlx_operation *op) { return tlx_open_record(op, mac, crypt_blocks, CRYPTO_memcmp); }

/* ---- speed pattern -------------------------------------------------------------------------------------------- */

/* EVP_Update_loop: update after update on one context, in place. A refused update (a counter at its end) starts
 * anew. */
static int speed_update(tlx_operation *op) {
    int n, done;
    if (op->encrypt)
        done = EVP_EncryptUpdate(op->context, op->output, &n, op->output, op->length);
    else
        done = EVP_DecryptUpdate(op->context, op->output, &n, op->output, op->length);
    return tlx_done(done == 1 || EVP_CipherInit_ex(op->context, NULL, NULL, NULL, op->iv, -1));
}

/* EVP_Update_loop_aead_enc without -aead. */
static int speed_seal(tlx_operation *op) {
    int n;
    return tlx_done(EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_IVLEN, TLX_NONCE, NULL) > 0
                    && (!op->ccm || EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) > 0)
                    && EVP_CipherInit_ex(op->context, NULL, NULL, op->key, op->iv, -1)
                    && (!op->ccm || EVP_EncryptUpdate(op->context, NULL, &n, NULL, op->length))
                    && EVP_EncryptUpdate(op->context, op->output, &n, op->output, op->length)
                    && EVP_EncryptFinal_ex(op->context, op->output, &n));
}

/* EVP_Update_loop_aead_dec without -aead; out of place, so that the record stays valid. */
static int speed_open(tlx_operation *op) {
    int n;
    unsigned char tag[TLX_TAG];
    if (EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_IVLEN, TLX_NONCE, NULL) <= 0
        || (op->ccm && EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) <= 0)
        || !EVP_CipherInit_ex(op->context, NULL, NULL, op->key, op->iv, -1)
        || !EVP_DecryptInit_ex(op->context, NULL, NULL, NULL, op->iv))
        return TLX_FAILED;
    memcpy(tag, op->tag, TLX_TAG);
    return tlx_done(EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, tag) > 0
                    && (!op->ccm || EVP_DecryptUpdate(op->context, NULL, &n, NULL, op->length))
                    && EVP_DecryptUpdate(op->context, op->output, &n, op->message, op->length)
                    && EVP_DecryptFinal_ex(op->context, op->output, &n));
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

/* Cipher and key first, nonce length in between where it is no fixed one: CCM wants it so. */
static int start_context(tlx_operation *op, const char *name) {
    EVP_CIPHER *method = tlx_cipher_fetch(name);
    EVP_CIPHER_CTX *context = op->context = EVP_CIPHER_CTX_new();
    int iv_length = (int)op->algorithm.iv_length;
    int done = method != NULL && context != NULL && EVP_CipherInit_ex(context, method, NULL, NULL, NULL, op->encrypt);
    if (done && op->algorithm.form == TLX_AEAD)
        done = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, iv_length, NULL) > 0;
    if (done && op->ccm)
        done = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TLX_TAG, NULL) > 0;
    done = done && EVP_CipherInit_ex(context, NULL, NULL, op->key, iv_length > 0 ? op->iv : NULL, -1)
           && EVP_CIPHER_CTX_set_padding(context, 0);
    tlx_cipher_free(method);
    return tlx_done(done);
}

/* The stitched cipher encrypts the explicit IV as the first block, chained to the context's IV, and the message is
 * chained to its ciphertext. So that the record is the one that belongs to the IV of the inputs, the explicit IV is
 * chosen such that it encrypts to that. */
static int prepend_explicit_iv(tlx_operation *op) {
    EVP_CIPHER *method = tlx_cipher_fetch(op->algorithm.key_length == 16 ? "AES-128-ECB" : "AES-256-ECB");
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char block[TLX_BLOCK];
    int n;
    int done = method != NULL && context != NULL && EVP_DecryptInit_ex(context, method, NULL, op->key, NULL)
               && EVP_CIPHER_CTX_set_padding(context, 0) && EVP_DecryptUpdate(context, block, &n, op->iv, TLX_BLOCK);
    EVP_CIPHER_CTX_free(context);
    tlx_cipher_free(method);
    memmove(op->message + TLX_BLOCK, op->message, op->length);
    for (int i = 0; done && i < TLX_BLOCK; i++)
        op->message[i] = block[i] ^ op->iv[i];
    return tlx_done(done);
}

/* Libssl uses the stitched cipher where there is one and the peers did not agree on encrypt-then-MAC (RFC 7366). */
static int prepare_cbc_hmac(tlx_operation *op) {
    size_t mac_length = op->algorithm.mac_length;
    if (!has_method(op->row->stitched)) {
        op->once = op->encrypt ? seal_composed : open_composed;
        op->hmac = tlx_hmac_new(op->row->digest, op->mac_key, mac_length);
        return op->hmac == NULL ? TLX_FAILED : start_context(op, op->row->name);
    }
    op->once = op->encrypt ? seal_stitched : open_stitched;
    op->output_skip = TLX_BLOCK;
    if (start_context(op, op->row->stitched) < 0
        || EVP_CIPHER_CTX_ctrl(op->context, EVP_CTRL_AEAD_SET_MAC_KEY, (int)mac_length, op->mac_key) <= 0)
        return TLX_FAILED;
    return op->encrypt ? prepend_explicit_iv(op) : 0;
}

static int prepare_speed(tlx_operation *op) {
    op->once = speed_update;
    op->output_length = op->length;
    if (rekeys(op))
        op->once = op->action == TLX_ENCRYPT ? speed_seal : speed_open;
    return start_context(op, op->row->stitched != NULL ? op->row->stitched : op->row->name);
}

static int restart(tlx_operation *op) {
    const unsigned char *key = op->algorithm.form == TLX_STREAM ? op->key : NULL;
    if (op->speed)
        memcpy(op->output, op->message, op->length);
    return tlx_done(EVP_CipherInit_ex(op->context, NULL, NULL, key, op->algorithm.iv_length > 0 ? op->iv : NULL, -1));
}

static int prepare(tlx_operation *op, const struct tlx_inputs *inputs) {
    op->first = restart;
    op->encrypt = op->action == TLX_ENCRYPT;
    op->ccm = strcmp(op->row->name, "AES-128-CCM") == 0;
    if (op->speed)
        return prepare_speed(op);
    if (op->algorithm.form == TLX_CBC_HMAC)
        return prepare_cbc_hmac(op);
    return start_context(op, op->row->name);
}

static int take_tag(tlx_operation *op, tlx_operation *sealer) {
    return tlx_done(op->once != speed_open
                    || EVP_CIPHER_CTX_ctrl(sealer->context, EVP_CTRL_AEAD_GET_TAG, TLX_TAG, op->tag) > 0);
}

static void release(tlx_operation *op) {
    EVP_CIPHER_CTX_free(op->context);
    tlx_hmac_free(op->hmac);
}

const struct tlx_kind tlx_cipher = {TLX_KIND(ciphers),
                                    .calls = {[TLX_AEAD] = {seal, unseal},
                                              [TLX_CBC] = {cbc, cbc},
                                              [TLX_STREAM] = {stream, stream}},
                                    .has = has,
                                    .lacks = lacks,
                                    .prepare = prepare,
                                    .take = take_tag,
                                    .release = release};
