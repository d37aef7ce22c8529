"""What is changed in the benchmark programs of others before they are built, so that they time what tlstax times.

A change is a text of theirs, what stands there instead, and why. `harnesses.py` makes them, in its copy.
"""

RUSTLS_CHANGES = [
    (
        "cfg.max_fragment_size = self.max_fragment_size;",
        "cfg.max_fragment_size = self.max_fragment_size; cfg.send_tls13_tickets = 1;",
        "one TLS 1.3 ticket per handshake, where rustls issues two by default",
    ),
    (
        "client_latency.sample(client_time);",
        """let start = Instant::now();
            drop(client);
            client_time += duration_nanos(start.elapsed());
            let start = Instant::now();
            drop(server);
            server_time += duration_nanos(start.elapsed());
            client_latency.sample(client_time);""",
        "dropping a connection is timed, as making it is",
    ),
    (
        "timings.client += transfer(&mut buffers, &mut server, &mut client, Some(buf.len()));",
        """let start = Instant::now();
        let reading = transfer(&mut buffers, &mut server, &mut client, Some(buf.len()));
        timings.client += reading;
        timings.server += duration_nanos(start.elapsed()) - reading;""",
        "the sender's records are copied out of the library in its own time, not in nobody's",
    ),
    (
        "&mut [0u8; 16_384]",
        "unsafe { mem::MaybeUninit::<[u8; 16_384]>::uninit().assume_init_mut() }",
        "the reader's buffer is not cleared before each read",
    ),
]

OPENSSL_CHANGES = [
    (
        "uint8_t buf[262144] = {0};",
        "static thread_local uint8_t buf[262144];",
        "256 KB are not cleared in each turn of each side",
    ),
    (
        "SSL_CTX_set_options(m_ctx, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);",
        """SSL_CTX_set_options(m_ctx, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(m_ctx, 0);
    SSL_CTX_set_session_cache_mode(m_ctx, SSL_SESS_CACHE_OFF);
    SSL_CTX_set1_groups_list(m_ctx, "X25519:P-256");""",
        "X25519 alone; no tickets and no cache in full handshakes, where OpenSSL issues two tickets by default",
    ),
    (
        "SSL_CTX_sess_set_new_cb(m_ctx, new_session_cb);",
        """SSL_CTX_clear_options(m_ctx, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(m_ctx, 1);
    SSL_CTX_sess_set_new_cb(m_ctx, new_session_cb);""",
        "one ticket where they are wanted",
    ),
    (
        "bool was_resumed() {",
        """void take_tickets() {
    uint8_t none;
    SSL_read(m_ssl, &none, 1);
  }
  bool was_resumed() {""",
        "a client",
    ),
    (
        "    server.ragged_close();\n    client.ragged_close();",
        """    t = get_time();
    client.take_tickets();
    time_client_one += get_time() - t;
    server.ragged_close();
    client.ragged_close();""",
        "takes the ticket of a resumption",
    ),
]

# Some CPUs copy slowly with rep movsb when the two buffers lie at nearly the same place in their pages. With the
# allocator of the system the receiver's do so in rustls-bench, every time, and it reads at less than half its speed.
NO_REP_MOVSB = {"GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000"}

# Included before all else: what making and freeing a connection takes, which openssl-bench leaves out.
OPENSSL_HEADER = r"""
#include <openssl/ssl.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace making {
static double seconds[2];
static long made[2];

static void print() {
    fprintf(stderr, "version\t%s\n", OpenSSL_version(OPENSSL_VERSION));
    for (int server = 0; server < 2; server++)
        fprintf(stderr, "making\t%s\t%g\n", server ? "server" : "client", seconds[server] / made[server]);
}

static double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

static SSL *make(SSL_CTX *context) {
    static const int at_exit = atexit(print);
    (void)at_exit;
    const double begun = now();
    SSL *ssl = SSL_new(context);
    const double took = now() - begun;
    const int server = SSL_is_server(ssl);
    seconds[server] += took;
    made[server]++;
    return ssl;
}

static void free(SSL *ssl) {
    if (ssl == nullptr)
        return;
    const int server = SSL_is_server(ssl);
    const double begun = now();
    SSL_free(ssl);
    seconds[server] += now() - begun;
}
} // namespace making

#define SSL_new making::make
#define SSL_free making::free
"""
