//! Conversations that are made here: what both ends of a connection send, in bursts.

/// What one end sends at once.
#[derive(Debug, Clone)]
pub struct Burst {
    pub is_client: bool,
    pub bytes: Vec<u8>,
}

fn client(parts: &[Vec<u8>]) -> Burst {
    Burst { is_client: true, bytes: parts.concat() }
}

fn server(parts: &[Vec<u8>]) -> Burst {
    Burst { is_client: false, bytes: parts.concat() }
}

/// A record of a type with so many bytes that say nothing.
pub fn record(kind: u8, body: &[u8]) -> Vec<u8> {
    [&[kind, 3, 3][..], &u16::try_from(body.len()).unwrap().to_be_bytes(), body].concat()
}

pub fn data(length: usize) -> Vec<u8> {
    record(23, &vec![0x5a; length])
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap().to_be_bytes();
    record(22, &[&[kind], &length[1..], body].concat())
}

fn extension(kind: u16, body: &[u8]) -> Vec<u8> {
    [&kind.to_be_bytes()[..], &u16::try_from(body.len()).unwrap().to_be_bytes(), body].concat()
}

fn vector(extensions: &[Vec<u8>]) -> Vec<u8> {
    let all = extensions.concat();
    [&u16::try_from(all.len()).unwrap().to_be_bytes()[..], &all].concat()
}

pub fn client_hello(name: &str) -> Vec<u8> {
    let length = u16::try_from(name.len()).unwrap();
    let list = [&(length + 3).to_be_bytes()[..], &[0], &length.to_be_bytes(), name.as_bytes()].concat();
    let extensions = vector(&[extension(0, &list), extension(21, &[0; 200])]);
    message(1, &[&[3, 3][..], &[7; 32], &[0], &[0, 2, 0x13, 1], &[1, 0], &extensions].concat())
}

fn server_hello(suite: u16, extensions: &[Vec<u8>]) -> Vec<u8> {
    let body = [&[3, 3][..], &[9; 32], &[0], &suite.to_be_bytes(), &[0], &vector(extensions)].concat();
    message(2, &body)
}

/// A full handshake of TLS 1.3, a request, and an answer of so many records of so many bytes.
pub fn tls13(name: &str, records: usize, size: usize) -> Vec<Burst> {
    let hello = server_hello(0x1301, &[extension(43, &[3, 4]), extension(51, &[0, 29, 0, 1, 5])]);
    let finished = data(53);
    vec![
        client(&[client_hello(name)]),
        server(&[hello, record(20, &[1]), data(40), data(2_000), data(100), finished.clone()]),
        client(&[record(20, &[1]), finished, data(300)]),
        server(&vec![data(size); records]),
        client(&[data(19)]),
        server(&[data(19)]),
    ]
}

/// A full handshake of TLS 1.2, a request, and an answer of so many records of so many bytes.
pub fn tls12(name: &str, records: usize, size: usize) -> Vec<Burst> {
    let exchange = [&[3, 0, 23, 65][..], &[4; 65], &[4, 3, 0, 71], &[1; 71]].concat();
    let flight = [
        server_hello(0xc02b, &[extension(16, &[0, 3, 2, b'h', b'2'])]),
        message(11, &[3; 3_000]),
        message(12, &exchange),
        message(14, &[]),
    ];
    let finished = || record(22, &[0; 40]);
    vec![
        client(&[client_hello(name)]),
        server(&flight),
        client(&[message(16, &[65; 66]), record(20, &[1]), finished()]),
        server(&[message(4, &[5; 180]), record(20, &[1]), finished()]),
        client(&[data(300)]),
        server(&vec![data(size); records]),
        client(&[record(21, &[0; 26])]),
    ]
}

/// A hello, and an alert.
pub fn refused(name: &str) -> Vec<Burst> {
    vec![client(&[client_hello(name)]), server(&[record(21, &[2, 40])])]
}

/// What is no TLS.
pub fn plain() -> Vec<Burst> {
    let (request, answer) = (b"GET / HTTP/1.1\r\n\r\n".to_vec(), b"HTTP/1.1 200 OK\r\n\r\n".to_vec());
    vec![client(&[request]), server(&[answer])]
}
