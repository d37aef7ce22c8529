//! Making contexts as an operation that can be timed, for every library alike: its own [`Adapter::config`], again and
//! again.

use tlstax_spec::known_answers::name;
use tlstax_spec::wire::Hello;
use tlstax_spec::{
    Algorithm, Group, Key, Op, PARTS, Params, Primitive, RESPONSE_HEADERS, Side, Suite, UPLOAD, Version,
};

use crate::adapter::{Adapter, Endpoint, Operation};
use crate::inputs::Inputs;
use crate::job::Refusal;
use crate::pair::endpoint;
use crate::pki::Pki;

/// What most servers are configured for.
pub const USUAL: Params = Params {
    version: Version::Tls13,
    suite: Suite::Aes128Gcm,
    group: Some(Group::X25519),
    key: Key::EcdsaP256,
};

/// Certificates that most servers send.
const CHAIN: u8 = 2;

/// What the library says of itself, and what it therefore can without saying so: contexts.
pub(crate) fn hello(adapter: &dyn Adapter) -> Hello {
    let mut hello = adapter.hello();
    // A client that leaves half of its work out is no library, and has no contexts worth timing.
    let is_library = hello.omits.is_empty();
    if is_library
        && hello.versions.contains(&USUAL.version.to_string())
        && hello.keys.contains(&USUAL.key.to_string())
    {
        let contexts = [Algorithm::ServerContext, Algorithm::ClientContext];
        hello.primitives.extend(contexts.map(|context| name(context, Op::Create)));
    }
    // Server and client of the SDK have them, and so has every client of a worker's own.
    hello.loads.extend([RESPONSE_HEADERS, PARTS, UPLOAD].map(str::to_owned));
    hello
}

/// Sets up an operation: a context here, all else in the library's adapter.
pub(crate) fn operation<'a>(
    adapter: &'a dyn Adapter,
    primitive: &Primitive,
    inputs: &Inputs,
) -> Result<Box<dyn Operation + 'a>, Refusal> {
    let side = match primitive.algorithm {
        Algorithm::ServerContext => Side::Server,
        Algorithm::ClientContext => Side::Client,
        _ => return adapter.primitive(primitive, inputs),
    };
    Ok(Box::new(Context { adapter, side, pki: inputs.pki.clone() }))
}

/// A context that is made and dropped.
struct Context<'a> {
    adapter: &'a dyn Adapter,
    side: Side,
    pki: Pki,
}

impl Operation for Context<'_> {
    fn run(&mut self, n: u64) -> Result<(), Refusal> {
        let endpoint = Endpoint { chain: CHAIN, ..endpoint(USUAL, &self.pki) };
        (0..n).try_for_each(|_| self.adapter.config(self.side, &endpoint).map(drop))
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refusal> {
        self.run(1).map(|()| <dyn Operation>::CHECKED.to_vec())
    }
}
