//! Other names of the members of our vocabularies: those of OpenSSL, of NIST, of configurations, and what people say.

use tlstax_spec::{
    Algorithm, Compression, Content, Contexts, Direction, Group, Http, Key, Method, Named, Op, Page, Pattern,
    Resumption, Sessions, Side, Suite, Switch, Version,
};

use crate::openssl;

/// A vocabulary whose members have other names, too. What differs in capitals and punctuation only is no other name.
pub trait Aliased: Named {
    fn aliases(self) -> Vec<String>;

    /// The name and the other names of this member.
    fn spellings(self) -> Vec<String> {
        std::iter::once(self.canonical_name().to_owned()).chain(self.aliases()).collect()
    }
}

/// Declares the other names of the members of a vocabulary; a member that is left out has none.
macro_rules! aliases {
    ($($type:ident { $($member:ident: $($alias:literal),+;)* })+) => {
        $(impl Aliased for $type {
            fn aliases(self) -> Vec<String> {
                let all: &[(Self, &[&str])] = &[$((Self::$member, &[$($alias),+])),*];
                let own = all.iter().filter(|(member, _)| *member == self);
                own.flat_map(|(_, aliases)| aliases.iter().map(|alias| (*alias).to_owned())).collect()
            }
        })+
    };
}

aliases! {
    Version {
        Tls10: "TLSv1", "TLS1.0", "1.0";
        Tls11: "TLS1.1", "1.1";
        Tls12: "TLS1.2", "1.2";
        Tls13: "TLS1.3", "1.3";
    }
    Group {
        Secp256r1: "P-256", "prime256v1", "nistp256";
        Secp384r1: "P-384", "nistp384";
        Secp521r1: "P-521", "nistp521";
        Secp256r1MlKem768: "P256MLKEM768";
        Secp384r1MlKem1024: "P384MLKEM1024";
    }
    Key {
        Rsa2048: "rsa";
        EcdsaP256: "ecdsa", "P-256", "prime256v1", "secp256r1";
        EcdsaP384: "P-384", "secp384r1";
    }
    Algorithm {
        ChaCha20Poly1305: "chacha20";
        TripleDesCbc: "des-ede3-cbc", "3des";
        Sha1: "sha";
        Sha256: "sha2-256";
        Sha384: "sha2-384";
        Sha512: "sha2-512";
        Rsa2048: "rsa";
        EcdsaP256: "ecdsa", "P-256", "prime256v1", "secp256r1";
        EcdsaP384: "P-384", "secp384r1";
        SlhDsaSha2128f: "slh-dsa";
        EcdhP256: "ecdh", "P-256", "prime256v1", "secp256r1";
        EcdhP384: "P-384", "secp384r1";
        X25519: "ecdh-x25519";
    }
    Op {
        Digest: "hash";
        Encapsulate: "encaps";
        Decapsulate: "decaps";
    }
    Pattern {
        Speed: "openssl-speed";
    }
    Resumption {
        SessionId: "session-ids";
        Ticket: "tickets", "session-ticket";
        Psk: "psk-dhe-ke";
        EarlyData: "0-RTT";
    }
    Http {
        Http1: "HTTP/1", "h1", "1.1";
        Http2: "HTTP/2", "2";
    }
    Page {
        Static: "file";
        FastCgi: "dynamic";
    }
    Switch {
        Aes: "AES-NI";
        Clmul: "pclmul", "pclmulqdq";
        Vaes: "vector-aes";
        Sha: "SHA-NI";
        Asm: "assembly";
    }
    Compression {}
    Content {}
    Contexts {}
    Direction {}
    Method {}
    Sessions {}
    Side {}
}

impl Aliased for Suite {
    fn aliases(self) -> Vec<String> {
        let mut aliases = Vec::new();
        let name = self.name().trim_start_matches("TLS_");
        if self.version().is_tls13() {
            // Who names a cipher alone means the version that names suites so.
            aliases.push(name.rsplit_once('_').map_or(name, |(cipher, _hash)| cipher).replace('_', "-"));
        } else {
            aliases.push(openssl::suite(self));
        }
        aliases.push(name.to_owned());
        if self == Self::ChaCha20Poly1305 {
            aliases.push("chacha20".to_owned());
        }
        aliases
    }
}

#[derive(Debug)]
pub struct Vocabulary {
    /// What kind of name it is.
    pub what: &'static str,
    /// The names, in the order tables show them.
    pub members: Vec<Spelled>,
}

/// A name with its other spellings.
#[derive(Debug)]
pub struct Spelled {
    /// The one name, as documents have it.
    pub name: &'static str,
    /// What is read as the same.
    pub aliases: Vec<String>,
}

fn vocabulary<T: Aliased>() -> Vocabulary {
    let spelled = |member: &T| Spelled { name: member.canonical_name(), aliases: member.aliases() };
    Vocabulary { what: T::WHAT, members: T::MEMBERS.iter().map(spelled).collect() }
}

/// Every vocabulary that flags and studies choose from.
pub fn vocabularies() -> Vec<Vocabulary> {
    vec![
        vocabulary::<Version>(),
        vocabulary::<Suite>(),
        vocabulary::<Group>(),
        vocabulary::<Key>(),
        vocabulary::<Resumption>(),
        vocabulary::<Contexts>(),
        vocabulary::<Compression>(),
        vocabulary::<Content>(),
        vocabulary::<Direction>(),
        vocabulary::<Http>(),
        vocabulary::<Method>(),
        vocabulary::<Page>(),
        vocabulary::<Sessions>(),
        vocabulary::<Algorithm>(),
        vocabulary::<Op>(),
        vocabulary::<Pattern>(),
        vocabulary::<Switch>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::closest::fold;
    use super::*;

    /// The aliases that several members share, which are refused, in capitals and punctuation as they are.
    fn shared<T: Aliased>() -> Vec<String> {
        let all: Vec<String> = T::MEMBERS.iter().flat_map(|member| member.aliases()).collect();
        let is_shared = |alias: &&String| all.iter().filter(|other| other == alias).count() > 1;
        let mut shared: Vec<String> = all.iter().filter(is_shared).cloned().collect();
        shared.sort();
        shared.dedup();
        shared
    }

    /// Nothing is hidden by the alias of another member, and no alias says what capitals and punctuation say already.
    #[test]
    fn no_alias_is_the_name_of_another() {
        for Vocabulary { what, members } in vocabularies() {
            for (member, alias) in
                members.iter().flat_map(|one| one.aliases.iter().map(move |alias| (one, alias)))
            {
                let named = members.iter().find(|other| fold(other.name) == fold(alias));
                assert!(named.is_none(), "{what}: {alias} is a name already");
                let twice = member.aliases.iter().filter(|other| fold(other) == fold(alias)).count();
                assert_eq!(twice, 1, "{what}: {alias} stands there twice");
            }
        }
    }

    #[test]
    fn curves_alone_are_shared_and_nothing_else() {
        assert_eq!(shared::<Algorithm>(), ["P-256", "P-384", "prime256v1", "secp256r1", "secp384r1"]);
        assert_eq!(shared::<Suite>(), [""; 0]);
        assert_eq!(shared::<Key>(), [""; 0]);
        assert_eq!(shared::<Group>(), [""; 0]);
    }
}
