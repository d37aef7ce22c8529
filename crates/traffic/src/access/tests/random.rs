//! Any formats and lines.

use proptest::prelude::*;
use tlstax_doc::{Bad, Protocol};

use super::{counted, log};
use crate::access::{AccessLog, Layout, Server};
use crate::suggest::NGINX;

fn server() -> impl Strategy<Value = Server> {
    prop::sample::select(vec![Server::Nginx, Server::Apache, Server::Lighttpd, Server::HAProxy, Server::Alb])
}

/// Texts with much of what means something in formats and lines.
fn text() -> impl Strategy<Value = String> {
    let words = [
        "$request",
        "$status",
        "$time_local",
        "$msec",
        "$ssl_protocol",
        "${host}",
        "%h",
        "%t",
        "%>s",
        "%{SSL_CIPHER}x",
        "%ci",
        "%[ssl_fc_sni]",
        "%{+Q}r",
        "%hr",
        "%{%d/%b}t",
        "\"",
        " ",
        "\\",
        "-",
        "[",
        "]",
        "{",
        "}",
        ":",
        "22/Nov/2026:21:22:13 +0000",
        "GET / HTTP/1.1",
        "200",
        "TLSv1.3",
        "é",
        "\n",
        "#",
        "%",
        "$",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..24).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn nothing_panics(server in server(), format in text(), lines in prop::collection::vec(text(), 0..4)) {
        if let Ok(layout) = Layout::compiled(server, &format) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            counted(&AccessLog::new(layout), &lines);
        }
    }

    #[test]
    fn a_line_of_values_is_read_back(
        at in 0u32..u32::MAX,
        status in 100u64..600,
        out in any::<u64>(),
        into in 0u64..1_000_000,
        ordinal in 1u64..100_000,
        agent in "[ -!#-\\[\\]-~]{0,40}",
        user in "[a-zA-Z ]{1,12}",
        // The sum of a workload cannot be larger than the largest number.
        protocol in prop::sample::select(Protocol::ALL.to_vec()),
    ) {
        let word = match protocol {
            Protocol::None => "-",
            Protocol::Tls10 => "TLSv1",
            other => other.word(),
        };
        let format = NGINX.replace("$time_local", "$msec");
        let line = format!(
            "192.0.2.7 - {user} [{at}.001] \"GET /{} HTTP/2.0\" {status} 1 \"-\" \"{agent}\" {out} {into} {ordinal} {word} \
             ECDHE-RSA-AES128-GCM-SHA256 prime256v1 r \"\"",
            agent.replace(' ', "")
        );
        let (workload, bad) = counted(&log(Server::Nginx, &format), &[&line]);
        prop_assert_eq!(bad, []);
        let share = &workload.shares[0];
        prop_assert_eq!(share.kind.protocol, Some(protocol));
        prop_assert_eq!(share.kind.group.is_some(), protocol.is_tls());
        prop_assert_eq!((share.counts.out.bytes, share.counts.into.bytes), (out, into));
        prop_assert_eq!(share.counts.connections, u64::from(ordinal == 1));
        prop_assert_eq!(workload.request_ordinals.max, ordinal);
        prop_assert_eq!(workload.series.buckets[0].at, u64::from(at));
    }

    #[test]
    fn what_is_cut_is_never_taken_for_whole(at in 0usize..190) {
        let line = r#"192.0.2.7 - - [22/Nov/2026:21:22:13 +0000] "GET /a HTTP/1.1" 200 512 "https://a.example/" "Browser (X11)" 700 300 1 TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 . """#;
        prop_assume!((1..line.len()).contains(&at));
        prop_assert_eq!(counted(&log(Server::Nginx, NGINX), &[&line[..at]]).1, [Bad::Cut]);
    }
}
