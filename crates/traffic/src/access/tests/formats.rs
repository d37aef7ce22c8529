//! Format strings, and the configurations that they stand in.

use std::collections::BTreeSet;
use std::sync::Arc;

use tlstax_doc::Tell;

use super::{counted, log, shares};
use crate::access::{AccessLog, Configuration, Layout, Problem, Server, fitting_formats, known_formats};

fn problem(server: Server, format: &str) -> String {
    Layout::compiled(server, format).unwrap_err().to_string()
}

#[test]
fn a_format_that_cannot_be_used_says_why() {
    for (server, format, part) in [
        (Server::Nginx, "", "has no field"),
        (Server::Nginx, "plain text", "has no field"),
        (Server::Nginx, "$ssl_protocol$ssl_cipher", "between $ssl_protocol and $ssl_cipher"),
        (Server::Nginx, "$status$bytes_sent", "between $status and $bytes_sent"),
        (Server::Nginx, "${status", "`${status` is not closed"),
        (Server::Nginx, "$status\n$bytes_sent", "line breaks"),
        (Server::Apache, "%h %", "is not closed"),
        (Server::Apache, "%{Referer", "is not closed"),
        (Server::Apache, "%h\\n%s", "line breaks"),
        (Server::HAProxy, "%[ssl_fc_sni", "is not closed"),
        (Server::HAProxy, "%{+Q", "is not closed"),
        (Server::HAProxy, "%{+json}o %(status)ST", "read such a log with --format haproxy-json"),
    ] {
        let error = problem(server, format);
        assert!(error.contains(part.trim_matches('`')) || error.contains(&part.replace('`', "")), "{error}");
        assert!(error.starts_with("the format of "), "{error}");
    }
    let many = "$status ".repeat(257);
    assert!(problem(Server::Nginx, &many).contains("more than 256 fields"));
}

#[test]
fn formats_of_nginx_are_found_in_its_configuration() {
    let text = r#"
# log_format commented 'out';
http {
    include /etc/nginx/mime.types;
    include conf.d/*.conf;
    log_format main escape=json '$remote_addr [$time_iso8601] '
                    "\"$request\" ${status}x "   # a comment
                    $bytes_sent;
    log_format raw escape=none "it's $status;{}";
    access_log /var/log/nginx/access.log main buffer=32k;
    server { access_log off; access_log /var/log/nginx/plain.log; location ~ ^/x{2}$ { access_log logs/raw.log raw; } }
}
"#;
    let mut configuration = Configuration::new(Server::Nginx);
    let includes = configuration.read(text, "nginx.conf").unwrap();
    assert_eq!(includes, ["/etc/nginx/mime.types", "conf.d/*.conf"]);
    assert_eq!(configuration.names().collect::<Vec<_>>(), ["combined", "main", "raw"]);
    let main = configuration.layout("main").unwrap();
    assert_eq!(
        main,
        Layout::compiled(Server::Nginx, r#"$remote_addr [$time_iso8601] "$request" ${status}x $bytes_sent"#)
            .unwrap()
    );
    assert_eq!(configuration.format_of("/var/log/nginx/plain.log"), Some("combined"));
    assert_eq!(configuration.format_of("/mnt/raw.log"), Some("raw"));
    assert_eq!(configuration.format_of("/mnt/other.log"), None);
    assert!(configuration.layout("raw").is_ok());
    let error = configuration.layout("mian").unwrap_err();
    assert_eq!(error.to_string(), "nginx: there is no log format `mian`; there is combined, main, raw");
    assert!(matches!(configuration.only_layout().unwrap_err().problem, Problem::SeveralFormats { .. }));
    let error = configuration.read("log_format a\n 'b", "x.conf").unwrap_err();
    assert_eq!(error.to_string(), "x.conf:2: a quote is not closed; give the whole of it");
    let error = configuration.read("\nlog_format a;", "x.conf").unwrap_err();
    assert_eq!(error.place, "x.conf:2");
}

#[test]
fn formats_of_apache_are_found_in_its_configuration() {
    let text = r#"
LogFormat "%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \
\"%{User-Agent}i\"" combined
logformat '%h "%r"' single
IncludeOptional conf-enabled/*.conf
<VirtualHost *:443>
    CustomLog ${APACHE_LOG_DIR}/access.log combined env=!dontlog
    CustomLog logs/ssl.log "%t %{SSL_PROTOCOL}x %{SSL_CIPHER}x \"%r\" %b"
</VirtualHost>
"#;
    let mut configuration = Configuration::new(Server::Apache);
    assert_eq!(configuration.read(text, "apache2.conf").unwrap(), ["conf-enabled/*.conf"]);
    assert_eq!(configuration.names().collect::<Vec<_>>(), ["combined", "single", "logs/ssl.log"]);
    let combined = configuration.layout("combined").unwrap();
    assert!(combined.tells().contains(&Tell::BytesOut));
    assert_eq!(configuration.format_of("/x/access.log"), Some("combined"));
    let ssl = configuration.layout(configuration.format_of("ssl.log").unwrap()).unwrap();
    assert!(ssl.tells().is_superset(&[Tell::Suite, Tell::Protocol, Tell::Time, Tell::BodyOut].into()));
    let error = configuration.read("CustomLog only", "a.conf").unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.conf:1: `customlog` lacks its format; is this the configuration of Apache?"
    );
}

#[test]
fn formats_of_haproxy_and_lighttpd_are_found_in_their_configurations() {
    let text = "defaults\n  option httplog\nfrontend www # tls\n  bind :443 ssl\n  log-format %ci:%cp\\ [%t]\\ %{+Q}r\\ %ST\\ %B\\ %sslv\n\
                listen x\n  log-format \"%ci %[ssl_fc_sni] %ST %{+Q}[ssl_fc_cipher] %%\"\nfrontend y\n  option tcplog\n";
    let mut configuration = Configuration::new(Server::HAProxy);
    configuration.read(text, "haproxy.cfg").unwrap();
    assert_eq!(
        configuration.names().collect::<Vec<_>>(),
        ["defaults", "frontend www", "listen x", "frontend y"]
    );
    assert!(configuration.layout("frontend www").unwrap().tells().contains(&Tell::Protocol));
    assert!(configuration.layout("listen x").unwrap().tells().contains(&Tell::Suite));
    assert!(configuration.layout("frontend y").unwrap().tells().contains(&Tell::Connection));
    let mut configuration = Configuration::new(Server::Lighttpd);
    let text = "server.modules += ( \"mod_accesslog\" )\naccesslog.filename = \"/var/log/a.log\"\n";
    configuration.read(text, "lighttpd.conf").unwrap();
    assert!(configuration.only_layout().unwrap().tells().contains(&Tell::BodyOut));
    configuration.read("accesslog.format = \"%t \\\"%r\\\" %{SSL_CIPHER}e\"", "tls.conf").unwrap();
    assert!(configuration.only_layout().unwrap().tells().contains(&Tell::Suite));
}

#[test]
fn all_that_is_known_by_a_word_is_compiled() {
    for known in known_formats() {
        let layout = known.compiled().unwrap_or_else(|problem| panic!("{}: {problem}", known.word));
        assert!(layout.tells().contains(&Tell::Time), "{}", known.word);
        assert!(layout.json().is_none());
    }
}

#[test]
fn a_format_that_writes_json_tells_its_keys() {
    let format = r#"{"time":"$time_iso8601","tls":{"version":"$ssl_protocol"},"status":$status,"what":"$scheme://$host","n":1}"#;
    let layout = Layout::compiled(Server::Nginx, format).unwrap();
    let keys: Vec<(&str, &str)> =
        layout.json().unwrap().iter().map(|(key, variable)| (key.as_str(), variable.as_str())).collect();
    assert_eq!(keys, [("status", "status"), ("time", "time_iso8601"), ("tls.version", "ssl_protocol")]);
    let line = r#"{"time":"2026-11-22T21:22:13+00:00","tls":{"version":"TLSv1.3"},"status":200,"what":"https://a","n":1}"#;
    let (workload, bad) = counted(&log(Server::Nginx, format), &[line]);
    assert_eq!(
        (bad, shares(&workload)),
        (vec![], vec!["TLSv1.3: 0 connections, 1 requests, 0 out, 0 in".to_owned()])
    );
}

#[test]
fn of_several_times_one_counts_and_parts_add_up() {
    for format in ["[$time_local] $msec $time_iso8601 $status", "$msec [$time_local] $time_iso8601 $status"] {
        let log = log(Server::Nginx, format);
        let line = match format.starts_with('$') {
            true => "1795382533.123 [22/Nov/2026:21:22:13 +0000] 2026-11-22T21:22:13+00:00 200",
            false => "[22/Nov/2026:21:22:13 +0000] 1795382533.123 2026-11-22T21:22:13+00:00 200",
        };
        assert_eq!(counted(&log, &[line]).0.series.buckets[0].at, 1_795_382_533);
    }
    let log = log(Server::Apache, "%{%d/%b/%Y}t %{%T}t.%{msec_frac}t %{%z}t %>s");
    let (workload, bad) = counted(&log, &["22/Nov/2026 22:22:13.123 +0100 200"]);
    assert_eq!((bad, workload.series.buckets[0].at), (vec![], 1_795_382_533));
}

#[test]
fn times_without_a_zone_are_of_the_one_that_is_given() {
    let local = || Layout::compiled(Server::HAProxy, "[%tr] %ST").unwrap();
    assert!(!local().has_zone());
    let log = AccessLog::new(local()).with_offset(3_600);
    let (workload, _) = counted(&log, &["[22/Nov/2026:22:22:13.123] 200"]);
    assert_eq!(workload.series.buckets[0].at, 1_795_382_533);
}

#[test]
fn names_of_servers_are_classed_and_go_no_further() {
    let format = "$host $ssl_server_name $status";
    let classify = |name: &[u8]| name.ends_with(b".shop.example").then(|| "shop".to_owned());
    let log = log(Server::Nginx, format).classed_by(Arc::new(classify));
    let (workload, bad) = counted(&log, &["other a.shop.example 200", "b.shop.example other 200"]);
    let expected =
        [": 0 connections, 1 requests, 0 out, 0 in", "shop: 0 connections, 1 requests, 0 out, 0 in"];
    assert_eq!((bad, shares(&workload)), (vec![], expected.map(str::to_owned).to_vec()));
    assert!(workload.sources[0].tells.contains(&Tell::Class));
}

#[test]
fn lines_are_of_the_formats_that_they_fit() {
    let fitting = |lines: &[&str]| {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        fitting_formats(&lines).into_iter().map(|known| known.word).collect::<Vec<_>>()
    };
    let common = r#"192.0.2.7 - - [22/Nov/2026:21:22:13 +0000] "GET /a HTTP/1.1" 200 512"#;
    let combined = format!("{common} \"-\" \"agent\"");
    let nginx = format!("{combined} 700 300 1 TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 . \"\"");
    let apache = format!("{combined} 0 TLSv1.3 TLS_AES_128_GCM_SHA256 Resumed");
    assert_eq!(fitting(&[common]), ["common"]);
    assert_eq!(fitting(&[&combined, &combined]), ["combined"]);
    assert_eq!(fitting(&[&nginx]), ["nginx-tls"]);
    assert_eq!(fitting(&[&apache]), ["apache-tls"]);
    assert_eq!(fitting(&["no log", "at all"]), [""; 0]);
    assert_eq!(fitting(&[]), [""; 0]);
}

#[test]
fn a_format_tells_what_its_fields_are() {
    use Tell::{BodyOut, BytesIn, BytesOut, Connection, Http, Requests, Time};
    let tells = |server, format: &str| Layout::compiled(server, format).unwrap().tells();
    let of = |tells: &[Tell]| tells.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(tells(Server::Nginx, "$status $body_bytes_sent"), of(&[BodyOut, Requests]));
    assert_eq!(tells(Server::Nginx, "$bytes_sent $body_bytes_sent"), of(&[BytesOut, Requests]));
    let stream = "[$time_local] $protocol $bytes_sent $bytes_received $session_time";
    assert_eq!(tells(Server::Nginx, stream), of(&[Time, BytesOut, BytesIn, Connection]));
    assert_eq!(tells(Server::Apache, "%{%T}t \"%r\" %k"), of(&[Http, Connection, Requests]));
}
