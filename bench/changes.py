"""What is changed in the benchmark programs of others before they are built, so that they time what tlstax times.

A change is a text of theirs, what stands there instead, and why. `harnesses.py` makes them, in its copy.
"""

# Pieces from 8 KiB on, as in our own transport.
RUSTLS_CARRIER = """use std::cell::Cell;

struct Carrier<T>(T);

type Time = thread::LocalKey<Cell<f64>>;

thread_local! {
    static READ: Cell<f64> = const { Cell::new(0.) };
    static WRITING: Cell<f64> = const { Cell::new(0.) };
    static WRITTEN: Cell<f64> = const { Cell::new(0.) };
}

fn add(time: &'static Time, begun: Instant) {
    time.set(time.get() + duration_nanos(begun.elapsed()));
}

fn carry<T>(time: &'static Time, length: usize, copy: impl FnOnce() -> T) -> T {
    if length < 8192 {
        return copy();
    }
    let begun = Instant::now();
    let done = copy();
    add(time, begun);
    done
}

impl<T: io::Read> io::Read for Carrier<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        carry(&READ, buffer.len(), || self.0.read(buffer))
    }
}

impl<T: io::Write> io::Write for Carrier<T> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        carry(&WRITTEN, data.len(), || self.0.write(data))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

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
        """timings.client += transfer(&mut buffers, &mut server, &mut client, Some(buf.len()));
        timings.client -= READ.take();
        timings.server += WRITING.take() - WRITTEN.take();""",
        "the sender's records leave the library in its own time, and what copying large ones takes is nobody's",
    ),
    (
        "        let mut sz = 0;\n\n        while left.wants_write() {",
        "        let mut sz = 0;\n        let begun = Instant::now();\n        while left.wants_write() {",
        "the time in which records leave the library",
    ),
    (
        "            sz += written;\n        }\n",
        "            sz += written;\n        }\n        if sz > 0 {\n            add(&WRITING, begun);\n        }\n",
        "begins and ends",
    ),
    (
        "fn transfer<L, R, LS, RS>(",
        RUSTLS_CARRIER + "fn transfer<L, R, LS, RS>(",
        "the copying of what passes from one end to the other",
    ),
    (
        ".write_tls(&mut buffers.tls[sz..].as_mut())",
        ".write_tls(&mut Carrier(&mut buffers.tls[sz..]))",
        "is timed where a library writes",
    ),
    (
        "right.read_tls(&mut buffers.tls[offs..sz].as_ref())",
        "right.read_tls(&mut Carrier(&buffers.tls[offs..sz]))",
        "and where one reads",
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

# Included before all else: what making and freeing a connection takes, which openssl-bench leaves out, and what its memory
# BIOs take to copy large pieces, which it has in. Printed as seconds for a handshake or a byte that are to be added.
OPENSSL_HEADER = r"""
#include <openssl/ssl.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace apart {
static double making[2];
static long made[2];
static double carrying[2], begun;
static double carried[2];

static void print() {
    fprintf(stderr, "version\t%s\n", OpenSSL_version(OPENSSL_VERSION));
    for (int server = 0; server < 2; server++)
        fprintf(stderr, "apart\t%s\t%g\n", server ? "server" : "client", making[server] / made[server]);
    for (int send = 0; send < 2; send++)
        if (carried[send] > 0)
            fprintf(stderr, "apart\t%s\t%g\n", send ? "send" : "recv", -carrying[send] / carried[send]);
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
    making[server] += took;
    made[server]++;
    return ssl;
}

static void free(SSL *ssl) {
    if (ssl == nullptr)
        return;
    const int server = SSL_is_server(ssl);
    const double begun = now();
    SSL_free(ssl);
    making[server] += now() - begun;
}

/* The library alone reads from the one BIO and writes to the other; what else passes through them is not timed. Pieces from
   8 KiB on, as in our own transport. */
template <int send>
static long around(BIO *, int operation, const char *, size_t length, int, long, int result, size_t *processed) {
    const int wanted = send ? BIO_CB_WRITE : BIO_CB_READ;
    if (length < 8192)
        return result;
    if (operation == wanted)
        begun = now();
    if (operation == (wanted | BIO_CB_RETURN) && result > 0) {
        carrying[send] += now() - begun;
        carried[send] += *processed;
    }
    return result;
}

static void read_from(SSL *ssl, BIO *bio) {
    BIO_set_callback_ex(bio, around<0>);
    SSL_set0_rbio(ssl, bio);
}

static void write_to(SSL *ssl, BIO *bio) {
    BIO_set_callback_ex(bio, around<1>);
    SSL_set0_wbio(ssl, bio);
}
} // namespace apart

#define SSL_new apart::make
#define SSL_free apart::free
#define SSL_set0_rbio apart::read_from
#define SSL_set0_wbio apart::write_to
"""
