/* What Mbed TLS is built with beyond its default configuration (MBEDTLS_USER_CONFIG_FILE).
 *
 * The worker is compiled with the same file: some of these options change the layout of structures.
 */

/* TLS 1.3 keeps its keys in one store for the whole process, which threads may share only with this. */
#define MBEDTLS_THREADING_C
#define MBEDTLS_THREADING_PTHREAD

/* Early data of TLS 1.3. */
#define MBEDTLS_SSL_EARLY_DATA

/* The suites of TLS 1.2 that authenticate without encryption; they are used only where they are asked for. */
#define MBEDTLS_CIPHER_NULL_CIPHER
