//! The cryptography provider that this build is about.

use rustls::SupportedCipherSuite;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use tlstax_spec::{Group, Key, Suite};
use tlstax_worker::{Refusal, der};

#[cfg(any(
    all(feature = "aws-lc", feature = "ring"),
    all(feature = "aws-lc", feature = "graviola"),
    all(feature = "ring", feature = "graviola"),
    not(any(feature = "aws-lc", feature = "ring", feature = "graviola"))
))]
compile_error!(
    "build with exactly one provider: the default, or --no-default-features --features ring or graviola"
);

/// The provider's own crate. The two have, by and large, the same interface; graviola has another.
#[cfg(feature = "aws-lc")]
pub(crate) use aws_lc_rs as library;
#[cfg(feature = "ring")]
pub(crate) use ring as library;

/// What the provider's operations fail with.
#[cfg(feature = "graviola")]
pub(crate) type Failure = graviola::Error;
#[cfg(not(feature = "graviola"))]
pub(crate) type Failure = library::error::Unspecified;

/// The part between rustls and the provider.
#[cfg(feature = "aws-lc")]
pub(crate) use rustls::crypto::aws_lc_rs as bridge;
#[cfg(feature = "ring")]
pub(crate) use rustls::crypto::ring as bridge;
#[cfg(feature = "graviola")]
pub(crate) mod bridge {
    pub(crate) use rustls_graviola::kx::ALL_KX_GROUPS;
    pub(crate) use rustls_graviola::suites::ALL_CIPHER_SUITES;
    pub(crate) use rustls_graviola::{Ticketer, default_provider};
}

pub(crate) const NAME: &str = if cfg!(feature = "aws-lc") {
    "aws-lc-rs"
} else if cfg!(feature = "ring") {
    "ring"
} else {
    "graviola"
};

/// Whether the provider can work on this CPU: graviola has no code for one without its instructions.
pub(crate) fn start() -> Result<(), Refusal> {
    #[cfg(feature = "graviola")]
    if !graviola::util::is_cpu_supported() {
        return Err(Refusal::Unsupported("graviola has no code for this CPU".to_owned()));
    }
    Ok(())
}

/// Names and versions: those of the crates from Cargo.lock, since they export none, and AWS-LC's as it says itself.
pub(crate) fn version() -> String {
    let rustls = env!("TLSTAX_RUSTLS_VERSION");
    #[cfg(feature = "aws-lc")]
    let provider = format!("{} (AWS-LC {})", env!("TLSTAX_AWS_LC_RS_VERSION"), aws_lc_rs::awslc_version());
    #[cfg(feature = "ring")]
    let provider = env!("TLSTAX_RING_VERSION");
    #[cfg(feature = "graviola")]
    let provider = format!(
        "{} (rustls-graviola {})",
        env!("TLSTAX_GRAVIOLA_VERSION"),
        env!("TLSTAX_RUSTLS_GRAVIOLA_VERSION")
    );
    format!("rustls {rustls} with {NAME} {provider}")
}

/// The provider cut down to one suite and one group, so that nothing else can be negotiated.
pub(crate) fn only(suite: SupportedCipherSuite, group: &'static dyn SupportedKxGroup) -> CryptoProvider {
    CryptoProvider { cipher_suites: vec![suite], kx_groups: vec![group], ..bridge::default_provider() }
}

pub(crate) fn suites() -> impl Iterator<Item = Suite> {
    bridge::ALL_CIPHER_SUITES.iter().filter_map(|suite| Suite::from_code(suite.suite().into()))
}

/// The suites that a program has by itself, by their IANA names, in the order in which rustls prefers them.
pub(crate) fn preferred() -> Vec<String> {
    let suites = bridge::default_provider().cipher_suites;
    let name = |suite: &SupportedCipherSuite| match Suite::from_code(suite.suite().into()) {
        Some(suite) => suite.name().to_owned(),
        // rustls calls those of TLS 1.3 otherwise.
        None => format!("{:?}", suite.suite()).replace("TLS13_", "TLS_"),
    };
    suites.iter().map(name).collect()
}

pub(crate) fn suite(wanted: Suite) -> Option<SupportedCipherSuite> {
    bridge::ALL_CIPHER_SUITES.iter().copied().find(|suite| u16::from(suite.suite()) == wanted.code())
}

pub(crate) fn groups() -> impl Iterator<Item = Group> {
    bridge::ALL_KX_GROUPS.iter().filter_map(|group| named_group(*group))
}

pub(crate) fn group(wanted: Group) -> Option<&'static dyn SupportedKxGroup> {
    bridge::ALL_KX_GROUPS.iter().copied().find(|group| named_group(*group) == Some(wanted))
}

/// What we call a group of rustls.
pub(crate) fn named_group(group: &dyn SupportedKxGroup) -> Option<Group> {
    use rustls::NamedGroup;
    Some(match group.name() {
        NamedGroup::X25519 => Group::X25519,
        NamedGroup::secp256r1 => Group::Secp256r1,
        NamedGroup::secp384r1 => Group::Secp384r1,
        NamedGroup::secp521r1 => Group::Secp521r1,
        NamedGroup::X25519MLKEM768 => Group::X25519MlKem768,
        NamedGroup::secp256r1MLKEM768 => Group::Secp256r1MlKem768,
        // rustls has no name for it yet.
        NamedGroup::Unknown(0x11ed) => Group::Secp384r1MlKem1024,
        _ => return None,
    })
}

/// The certificate keys of the vocabulary that the provider has: those whose signatures it verifies.
pub(crate) fn keys() -> impl Iterator<Item = Key> {
    let verified = bridge::default_provider().signature_verification_algorithms.all;
    Key::ALL.iter().copied().filter(move |key| {
        verified.iter().any(|verified| verified.public_key_alg_id().as_ref() == der::algorithm(*key))
    })
}
