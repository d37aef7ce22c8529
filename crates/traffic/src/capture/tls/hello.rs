//! What hellos say: RFC 8446, 4.1, and RFC 5246, 7.4.1.

use super::fields::Fields;

/// Types of extensions, of the IANA registry.
const SERVER_NAME: u16 = 0;
const ALPN: u16 = 16;
const SESSION_TICKET: u16 = 35;
const PRE_SHARED_KEY: u16 = 41;
const EARLY_DATA: u16 = 42;
const SUPPORTED_VERSIONS: u16 = 43;
const KEY_SHARE: u16 = 51;

/// The random of a server that asks for another hello: RFC 8446, 4.1.3.
const RETRY: [u8; 32] = [
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2,
    0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
];

/// What a client offers.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ClientHello<'m> {
    /// The server that it wants.
    pub server_name: Option<&'m [u8]>,
    /// It has a ticket of TLS 1.2.
    pub has_ticket: bool,
    /// It sends early data.
    pub has_early_data: bool,
    /// Its extensions are there to the last: what is none of them, it does not have.
    pub is_whole: bool,
}

/// What a server has chosen.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ServerHello<'m> {
    /// It asks for another hello of the client.
    pub is_retry: bool,
    pub version: u16,
    pub suite: u16,
    pub is_compressed: bool,
    /// The group of TLS 1.3.
    pub group: Option<u16>,
    /// It has taken a PSK of TLS 1.3.
    pub has_psk: bool,
    /// Its extensions are there to the last.
    pub is_whole: bool,
    /// The protocol above, by its name in ALPN: in the clear before TLS 1.3 only.
    pub alpn: Option<&'m [u8]>,
}

impl<'m> ClientHello<'m> {
    /// Reads the body of a message, or as much of it as there is.
    pub fn read(body: &'m [u8]) -> Self {
        let mut hello = Self::default();
        let mut fields = Fields(body);
        // Version and random, session id, suites, compression.
        let begins = fields.bytes(34).and_then(|_| fields.short()).and_then(|_| fields.long());
        if begins.and_then(|_| fields.short()).is_none() {
            return hello;
        }
        hello.is_whole = fields.has_all_extensions();
        for (kind, body) in fields.extensions() {
            match kind {
                SERVER_NAME => hello.server_name = server_name(body),
                SESSION_TICKET => hello.has_ticket = !body.is_empty(),
                EARLY_DATA => hello.has_early_data = true,
                _ => {}
            }
        }
        hello
    }
}

/// The first name of a list, which is one of a host: RFC 6066, 3.
fn server_name(body: &[u8]) -> Option<&[u8]> {
    let mut list = Fields(Fields(body).long()?);
    (list.u8()? == 0).then_some(())?;
    list.long()
}

impl<'m> ServerHello<'m> {
    /// Reads the body of a message, or as much of it as there is; none without a suite.
    pub fn read(body: &'m [u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let mut hello = Self { version: fields.u16()?, ..Self::default() };
        hello.is_retry = fields.bytes(32)? == RETRY;
        fields.short()?;
        hello.suite = fields.u16()?;
        hello.is_compressed = fields.u8().is_some_and(|method| method != 0);
        hello.is_whole = fields.has_all_extensions();
        for (kind, body) in fields.extensions() {
            let mut body = Fields(body);
            match kind {
                SUPPORTED_VERSIONS => hello.version = body.u16().unwrap_or(hello.version),
                KEY_SHARE => hello.group = body.u16(),
                PRE_SHARED_KEY => hello.has_psk = true,
                ALPN => hello.alpn = body.long().and_then(|list| Fields(list).short()),
                _ => {}
            }
        }
        Some(hello)
    }

    pub const fn is_tls13(&self) -> bool {
        // 0x7fxx are the drafts; 0x13xx are suites of TLS 1.3 only, where the extension with the version is cut off.
        self.version == 0x0304 || self.version >> 8 == 0x7f || self.suite >> 8 == 0x13
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extension(kind: u16, body: &[u8]) -> Vec<u8> {
        let length = u16::try_from(body.len()).unwrap();
        [&kind.to_be_bytes()[..], &length.to_be_bytes(), body].concat()
    }

    fn server(extensions: &[Vec<u8>]) -> Vec<u8> {
        let all = extensions.concat();
        let length = u16::try_from(all.len()).unwrap().to_be_bytes();
        [&[3, 3][..], &[7; 32], &[2, 9, 9], &[0x13, 1], &[0], &length, &all].concat()
    }

    #[test]
    fn a_server_says_what_it_has_chosen() {
        let body = server(&[
            extension(SUPPORTED_VERSIONS, &[3, 4]),
            extension(KEY_SHARE, &[0, 29, 0, 1, 5]),
            extension(PRE_SHARED_KEY, &[0, 0]),
        ]);
        let hello = ServerHello::read(&body).unwrap();
        assert!(hello.is_tls13() && hello.has_psk && !hello.is_retry);
        assert_eq!((hello.suite, hello.group), (0x1301, Some(29)));
        // What is cut is not known, and the rest stays.
        let cut = ServerHello::read(&body[..body.len() - 1]).unwrap();
        assert_eq!(cut, ServerHello { has_psk: false, is_whole: false, ..hello });
        assert_eq!(ServerHello::read(&body[..38]), None);
        let older = server(&[extension(ALPN, &[0, 3, 2, b'h', b'2'])]);
        assert_eq!(ServerHello::read(&older).unwrap().alpn, Some(&b"h2"[..]));
    }

    #[test]
    fn a_client_says_what_it_has() {
        let name = extension(SERVER_NAME, &[0, 4, 0, 0, 1, b'x']);
        let all = [name, extension(SESSION_TICKET, &[1]), extension(EARLY_DATA, &[])].concat();
        let length = u16::try_from(all.len()).unwrap().to_be_bytes();
        let body = [&[3, 3][..], &[7; 32], &[0], &[0, 2, 0x13, 1], &[1, 0], &length, &all].concat();
        let hello = ClientHello::read(&body);
        assert_eq!(
            hello,
            ClientHello { server_name: Some(b"x"), has_ticket: true, has_early_data: true, is_whole: true }
        );
        for length in 0..body.len() {
            let cut = ClientHello::read(&body[..length]);
            assert!(!cut.is_whole && !cut.has_early_data && (cut.server_name.is_none() || length >= 53));
        }
    }
}
