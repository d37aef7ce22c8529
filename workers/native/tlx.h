/* tlx.h: the one interface that every TLS library written in C is put behind.
 *
 * A backend (backends/<library>.c and backends/<library>_*.c) defines each function below once; src/ffi.rs declares
 * the same functions to Rust. What belongs here: what any TLS library can be asked. What does not: clocks, statistics,
 * printing, files, sockets.
 *
 * Names and numbers. Versions, cipher suites and groups are code points of the IANA "TLS Parameters" registry.
 * Algorithms, operations and certificate keys go by the names of the tlstax vocabulary ("aes-128-gcm", "encrypt",
 * "rsa-2048"), so that no second list of numbers has to be kept in step.
 *
 * Threads. tlx_start is called before everything else. An operation or a connection is used by one thread at a time;
 * a configuration is shared by threads. Error texts belong to the thread that got the error.
 */
#ifndef TLX_H
#define TLX_H

#include <stddef.h>
#include <stdint.h>

/* Results of a call that returns int or long; a long of zero or more is a number of bytes. */
enum tlx_result {
    TLX_OK = 0,
    TLX_FAILED = -1,      /* went wrong; tlx_error() has the reason */
    TLX_AGAIN = -2,       /* the transport has nothing to give or takes nothing now */
    TLX_TRUNCATED = -3,   /* the transport ended without a close_notify */
    TLX_UNSUPPORTED = -4, /* the library does not have this; tlx_error() names it */
};

/* How a connection may go on from an earlier one: RFC 5246 7.3 (session id), RFC 5077 (ticket), RFC 8446 2.2 (PSK) and 2.3
 * (PSK with early data). */
enum tlx_resumption { TLX_FULL, TLX_SESSION_ID, TLX_TICKET, TLX_PSK, TLX_EARLY_DATA };

/* Methods of TLS compression, up to TLS 1.2: IANA "TLS Compression Method Identifiers". */
enum tlx_compression { TLX_NO_COMPRESSION = 0, TLX_DEFLATE = 1 };

/* When the library compresses with DEFLATE (RFC 3749): the build cannot; a program has to ask for it; a program that leaves the
 * library's settings as they are. */
enum tlx_compressing { TLX_NEVER, TLX_ON_REQUEST, TLX_BY_DEFAULT };

/* Bytes that the caller owns; data may be null where length is 0. */
struct tlx_bytes {
    const unsigned char *data;
    size_t length;
};

/* ---- the library -------------------------------------------------------------------------------------------- */

/* Starts the library without reading any configuration of the machine; again, from any thread, it does nothing. TLX_OK,
 * TLX_FAILED, or TLX_UNSUPPORTED: not on this machine. */
int tlx_start(void);

/* The family, one lower-case word: "openssl". */
const char *tlx_family(void);

/* Name and version as the library says at run time; never those of the headers. */
const char *tlx_version(void);

/* How the library was built (compiler, flags) and what this worker set in it; free text. */
const char *tlx_build(void);

/* ---- switches: doing without features of the CPU -------------------------------------------------------------- */

/* How the library is made to do without `features`: names of the tlstax vocabulary separated by spaces ("aes", "clmul",
 * "vaes", "avx2", "avx512", "sha"). Asked before tlx_start. Writes lines NAME=VALUE, the environment that the program is then
 * started anew with, since many libraries look at it before main; nothing if tlx_start itself reads TLSTAX_WITHOUT.
 * All that a feature carries goes with it (without AES there is no vector AES), and nothing else does. TLX_OK, or
 * TLX_UNSUPPORTED if the library has no switch for one of them at run time; tlx_error() names it. */
int tlx_without(const char *features, char *settings, size_t room);

/* The features that the library does without now, separated by spaces: read back from the library's own view of the
 * CPU or, where it does not report them, shown by what its operations cost. A CPU that lacks a feature does without it. */
const char *tlx_is_without(void);

/* The CPU capability words that the library uses, as it prints them; "" if it prints none. */
const char *tlx_cpu(void);

/* What went wrong in the last call of this thread that failed or was unsupported. Valid until the next such call. */
const char *tlx_error(void);

/* ---- capabilities: 1 or 0, found by asking the library ------------------------------------------------------- */

int tlx_has_version(int version);
int tlx_has_suite(int suite);
int tlx_has_group(int group);
int tlx_has_key(const char *key);
int tlx_has_resumption(enum tlx_resumption resumption);
int tlx_has_primitive(const char *algorithm, const char *operation);

enum tlx_compressing tlx_compresses(void);

/* Which suites the library chooses by words, and in which order it prefers them: writes their IANA names, a line each, those
 * that tlstax has no name for too. `string` is for TLS 1.2 and empty for none of its suites; `ciphersuites` is for TLS 1.3
 * where that is a setting apart, and null to leave the library's own. TLX_OK, TLX_FAILED if the library refuses the words,
 * with its complaint in tlx_error(), or TLX_UNSUPPORTED if it has no such words. */
int tlx_expand(const char *string, const char *ciphersuites, char *names, size_t room);

/* ---- primitives ----------------------------------------------------------------------------------------------- */

typedef struct tlx_operation tlx_operation;

/* The fixed inputs; see crates/worker/src/inputs.rs. They are copied. */
struct tlx_inputs {
    struct tlx_bytes key;
    struct tlx_bytes mac_key;
    struct tlx_bytes iv;
    struct tlx_bytes additional_data;
    struct tlx_bytes message;     /* "ca-bundle": many certificates, PEM; "certificate": one, DER */
    struct tlx_bytes signature;   /* over message, by signing_key, of another implementation; may be empty */
    struct tlx_bytes private_key; /* PKCS#8 DER, for a Diffie-Hellman */
    struct tlx_bytes peer;        /* the peer's public value */
    struct tlx_bytes signing_key; /* PKCS#8 PEM, for a signature */
};

/* Sets an operation up; `speed` chooses the call pattern of `openssl speed` instead of that of a TLS stack.
 * TLX_OK and *made, or TLX_FAILED, or TLX_UNSUPPORTED. */
int tlx_operation_new(const char *algorithm, const char *operation, int speed, const struct tlx_inputs *inputs,
                      tlx_operation **made);

/* Does the operation n times, with a new nonce or record number each time where there is one. */
int tlx_operation_run(tlx_operation *operation, uint64_t n);

/* Two operations are no cryptography: "ca-bundle" "load" reads the message into what a client's context verifies with
 * and drops it (answer: how many certificates it held, 4 bytes, big-endian); "certificate" "parse" makes the library's
 * certificate object and drops it (answer: the serial number, big-endian, without leading zeros). */

/* Does the operation once from its first nonce and points at its whole output, valid until the next call. A length of
 * 0 says that the output is random (or none) and passed the library's own inverse. TLX_OK or TLX_FAILED. */
int tlx_operation_answer(tlx_operation *operation, struct tlx_bytes *answer);

void tlx_operation_free(tlx_operation *operation);

/* ---- configurations ------------------------------------------------------------------------------------------- */

typedef struct tlx_config tlx_config;

/* One end of connections. Nothing but this version, suite and group may be negotiated. Bytes and texts are copied. */
struct tlx_endpoint {
    int server;                    /* 1: server, 0: client */
    int version;
    int suite;
    int group;                     /* 0 with RSA key transport */
    const char *key;               /* the key in the certificates */
    enum tlx_resumption resumption;
    size_t record;                 /* the largest plaintext in a record that is sent */
    enum tlx_compression compression; /* the one that is negotiated */
    const char *host;              /* client: the name to ask for and to verify */
    struct tlx_bytes root;         /* PEM: the peer must have a chain to it; empty: the peer shows no certificate */
    struct tlx_bytes chain;        /* PEM, end entity first, root excluded; empty: none is sent */
    struct tlx_bytes private_key;  /* PEM, of the end entity */
    struct tlx_bytes early_data;   /* client: what to send as early data */
};

/* TLX_OK and *made, or TLX_FAILED, or TLX_UNSUPPORTED. */
int tlx_config_new(const struct tlx_endpoint *endpoint, tlx_config **made);

/* Only after the last of its connections is freed. */
void tlx_config_free(tlx_config *config);

/* ---- connections ---------------------------------------------------------------------------------------------- */

typedef struct tlx_connection tlx_connection;

/* Bytes to and from the peer. Both return a number of bytes, TLX_AGAIN or TLX_FAILED; receive returns 0 at the end. */
struct tlx_transport {
    void *context;
    long (*send)(void *context, const unsigned char *data, size_t length);
    long (*receive)(void *context, unsigned char *buffer, size_t room);
};

/* What was negotiated, read back from the library; the caller has zeroed it, and so it stays where that is not reported. */
struct tlx_negotiated {
    int version;
    int suite;
    int group;
    const char *key; /* the key in the server's certificate; null if none was shown */
    int resumed;
    int early;       /* early data was accepted */
    int compression; /* a method of the registry that enum tlx_compression is of */
};

/* A connection before its handshake, for which a client has chosen its session; the context of the transport must outlive it.
 * TLX_OK and *made, or TLX_FAILED. */
int tlx_connection_new(tlx_config *config, const struct tlx_transport *transport, tlx_connection **made);

/* Goes on with the handshake: TLX_OK when complete, TLX_AGAIN, TLX_TRUNCATED or TLX_FAILED. Early data is sent by a
 * client that has a session for it, and read and dropped by a server. */
int tlx_connection_handshake(tlx_connection *connection);

/* Reads plaintext: bytes, 0 after the peer's close_notify, TLX_AGAIN, TLX_TRUNCATED or TLX_FAILED. */
long tlx_connection_read(tlx_connection *connection, unsigned char *buffer, size_t room);

/* Writes plaintext: bytes accepted, TLX_AGAIN if none, or TLX_FAILED. What was accepted and not sent goes out with
 * the next call, which may have no data of its own. */
long tlx_connection_write(tlx_connection *connection, const unsigned char *data, size_t length);

/* Sends what is unsent, then close_notify: TLX_OK, TLX_AGAIN or TLX_FAILED. */
int tlx_connection_close(tlx_connection *connection);

void tlx_connection_negotiated(const tlx_connection *connection, struct tlx_negotiated *negotiated);

/* Frees the connection; a session made in it stays usable, whether or not it was closed. */
void tlx_connection_free(tlx_connection *connection);

#endif
