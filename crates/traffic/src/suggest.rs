//! [`suggest`]: what to write into the configuration of a server so that its log tells what a plan needs.

/// Each adds to the usual format of its server at the end, so that whoever reads that finds it unchanged.
pub const NGINX: &str = r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $bytes_sent $request_length $connection_requests $ssl_protocol $ssl_cipher $ssl_curve $ssl_session_reused "$ssl_early_data""#;

pub const APACHE: &str = r#"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" %k %{SSL_PROTOCOL}x %{SSL_CIPHER}x %{SSL_SESSION_RESUMED}x"#;

pub const LIGHTTPD: &str = r#"%h %V %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" %O %I %k"#;

/// With the time in its zone, which the usual one leaves out.
pub const HAPROXY: &str = "%ci:%cp [%trl] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r \
     %U %[http_first_req] %sslv %sslc %[ssl_fc_is_resumed] %[ssl_fc_has_early]";

const CADDY: &str = r#"# Into the block of the site. Caddy's JSON has all that it can log: protocol, suite, resumption, sizes.
# It numbers neither connections nor requests: how many requests a connection has, a capture tells.
log {
	output file /var/log/caddy/access.log
	format json
}
"#;

const ENVOY: &str = r#"# Into the HTTP connection manager. Envoy logs neither the group nor whether a session was resumed: a capture tells.
access_log:
- name: envoy.access_loggers.file
  typed_config:
    "@type": type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog
    path: /var/log/envoy/access.log
    log_format:
      json_format:
        start_time: "%START_TIME%"
        protocol: "%PROTOCOL%"
        response_code: "%RESPONSE_CODE%"
        downstream_wire_bytes_received: "%DOWNSTREAM_WIRE_BYTES_RECEIVED%"
        downstream_wire_bytes_sent: "%DOWNSTREAM_WIRE_BYTES_SENT%"
        downstream_tls_version: "%DOWNSTREAM_TLS_VERSION%"
        downstream_tls_cipher: "%DOWNSTREAM_TLS_CIPHER%"
"#;

/// The servers for which there is something to write.
pub const SUGGESTED: [&str; 6] = ["nginx", "apache", "lighttpd", "haproxy", "caddy", "envoy"];

/// What to write into the configuration of a server so that its log tells what a plan needs, with where it belongs; none of a server
/// that is none of [`SUGGESTED`].
pub fn suggest(server: &str) -> Option<String> {
    let text = match server {
        "nginx" => format!(
            "# Into the block http {{}}; the second line in place of the access_log that there is. From nginx 1.21.5 on; without\n\
             # $ssl_curve, from 1.15.3 on.\n\
             log_format tlstax '{}';\n\
             access_log /var/log/nginx/access.log tlstax;\n",
            wrapped(NGINX)
        ),
        "apache" => format!(
            "# Into the configuration of the server or a virtual host. Apache logs neither the group of the key exchange nor sizes with\n\
             # headers and without TLS, and does not number requests of HTTP/2: a capture tells the group.\n\
             LogFormat \"{}\" tlstax\n\
             CustomLog /var/log/apache2/access.log tlstax\n",
            APACHE.replace('"', "\\\"")
        ),
        "lighttpd" => format!(
            "# Into lighttpd.conf, with mod_accesslog. lighttpd logs nothing of TLS but for requests of CGI: a capture tells that.\n\
             accesslog.filename = \"/var/log/lighttpd/access.log\"\n\
             accesslog.format = \"{}\"\n",
            LIGHTTPD.replace('"', "\\\"")
        ),
        "haproxy" => format!(
            "# Into the frontend, in place of option httplog. Versions that know ssl_fc_curve log the group as well: add\n\
             # %[ssl_fc_curve] at the end.\n\
             log-format '{HAPROXY}'\n"
        ),
        "caddy" => CADDY.to_owned(),
        "envoy" => ENVOY.to_owned(),
        _ => return None,
    };
    Some(text)
}

/// A format of nginx in several pieces, as its configurations have it.
fn wrapped(format: &str) -> String {
    format
        .replace("\" $status", "\" '\n                  '$status")
        .replace("$bytes_sent $req", "'\n                  '$bytes_sent $req")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tlstax_doc::Tell;

    use super::*;
    use crate::access::{Configuration, Server};

    #[track_caller]
    fn tells(server: Server, word: &str) -> BTreeSet<Tell> {
        let mut configuration = Configuration::new(server);
        configuration.read(&suggest(word).unwrap(), "suggested").unwrap();
        let layout = configuration.only_layout().unwrap();
        assert!(layout.has_zone());
        layout.tells()
    }

    #[test]
    fn what_is_suggested_tells_all_that_a_server_can_log() {
        use Tell::{BytesIn, BytesOut, Connection, Group, Http, Protocol, Requests, Resumed, Suite, Time};
        let all = [Time, Protocol, Suite, Group, Resumed, Http, Connection, Requests, BytesOut, BytesIn];
        let without = |missing: &[Tell]| {
            all.into_iter().filter(|tell| !missing.contains(tell)).collect::<BTreeSet<_>>()
        };
        let expected: BTreeSet<Tell> = all.into();
        assert_eq!(tells(Server::Nginx, "nginx"), expected);
        assert_eq!(
            tells(Server::Apache, "apache"),
            without(&[Group, BytesOut, BytesIn]).into_iter().chain([Tell::BodyOut]).collect()
        );
        assert_eq!(tells(Server::Lighttpd, "lighttpd"), without(&[Group, Resumed, Protocol, Suite]));
        assert_eq!(tells(Server::HAProxy, "haproxy"), without(&[Group]));
    }

    #[test]
    fn the_format_in_the_configuration_is_the_format() {
        let mut configuration = Configuration::new(Server::Nginx);
        configuration.read(&suggest("nginx").unwrap(), "suggested").unwrap();
        let compiled = crate::access::Layout::compiled(Server::Nginx, NGINX).unwrap();
        assert_eq!(configuration.layout("tlstax").unwrap(), compiled);
        let format = configuration.format_of("/var/log/nginx/access.log.1");
        assert_eq!(format, None);
        assert_eq!(configuration.format_of("/copied/access.log"), Some("tlstax"));
    }

    #[test]
    fn there_is_something_for_each_server() {
        assert!(SUGGESTED.iter().all(|server| suggest(server).is_some_and(|text| text.starts_with("# "))));
        assert_eq!(suggest("iis"), None);
    }
}
