//! What people write for names, sizes, numbers and times: read as they mean it, or answered with what would do.

use crate::stage::{Stage, plain, root};

#[track_caller]
fn list(stage: &Stage, line: &str) -> Vec<String> {
    let run = stage.run(&format!("{line} --list")).ends(0);
    run.stdout.lines().map(str::to_owned).collect()
}

/// That two command lines mean the same cases.
#[track_caller]
fn are_the_same(stage: &Stage, line: &str, other: &str) {
    assert_eq!(list(stage, line), list(stage, other));
}

#[test]
fn d35_a_number_out_of_range_is_refused_in_the_words_of_its_flag() {
    let stage = Stage::calm();
    for (arguments, words) in [
        ("speed md5 --precision 0", &["--precision", "above 0 and at most 100 percent"][..]),
        ("speed md5 --precision 101", &["101 is out of range"]),
        ("speed md5 --precision -1", &["-1 is out of range"]),
        ("speed md5 --precision nan", &["at most 100 percent"]),
        ("load --rate -5", &["--rate", "-5 is out of range", "requests per second"]),
        ("load --rate -5,10", &["--rate", "-5 is out of range"]),
        ("load -c -1", &["--connections", "-1 is out of range", "from 1 to 10000"]),
        ("load --requests 1.5", &["--requests", "no whole number"]),
        ("handshake --chain 4", &["--chain", "from 1 to 3"]),
        ("speed md5 -t 0", &["--threads", "from 1 to 1024"]),
        ("speed md5 --seed -1", &["--seed", "-1 is out of range"]),
        ("bulk --memory 0", &["--memory", "from 1 to 100000"]),
        ("speed md5 --budget 0", &["--budget", "from 1s to 24h"]),
        ("speed md5 --budget -1m", &["--budget", "-1m is out of range"]),
        ("speed md5 --budget 48h", &["--budget", "48h is out of range"]),
        ("speed md5 --budget inf", &["--budget", "from 1s to 24h"]),
    ] {
        stage.refuses(arguments, words);
    }
    assert_eq!(list(&stage, "speed md5 --size 64 --budget 1h").len(), 1);
    stage.study("sharp", "precision = 0.0\n[[primitive]]\nalgorithms = [\"md5\"]\n");
    stage.refuses("measure sharp.toml", ["above 0 and at most 1"]);
}

#[test]
fn d35_flags_that_contradict_each_other_are_named() {
    let stage = Stage::calm();
    for (arguments, words) in [
        (
            "handshake --resumption psk --tls TLSv1.2",
            &["psk is a resumption of TLSv1.3", "--tls comes to TLSv1.2 only"][..],
        ),
        ("speed sha256 --op encrypt", &["sha256 has digest", "--op names encrypt"]),
        (
            "handshake --tls 1.2 --suite TLS_AES_128_GCM_SHA256",
            &["TLS_AES_128_GCM_SHA256 is a suite of TLSv1.3", "--tls names TLSv1.2 only"],
        ),
        ("handshake --tls 1.2 --key ml-dsa-44", &["needs an RSA key", "--key names ml-dsa-44"]),
        (
            "bulk --tls 1.2 --group X25519MLKEM768",
            &["post-quantum groups exist in TLS 1.3 only", "--group names X25519MLKEM768"],
        ),
        ("load -r psk --tls 1.2", &["psk is a resumption of TLSv1.3"]),
        ("load --no-plain --sendfile false", &["--sendfile matters to plain HTTP only"]),
        ("load --resumed 50", &["--resumed needs a resumption"]),
    ] {
        let run = stage.refuses(arguments, words);
        assert!(!run.stderr.contains("[["), "flags are not the matrices of a study: {run}");
        assert!(!run.stderr.contains("library mock"), "refused after a library was started: {run}");
    }
    stage.study(
        "contradiction",
        "[[handshake]]\nversions = [\"TLSv1.2\"]\nsuites = [\"TLS_RSA_WITH_AES_128_GCM_SHA256\"]\ngroups = []\n\
         keys = [\"rsa-2048\"]\nresumptions = [\"psk\"]\n",
    );
    let words = ["study 'contradiction', [[handshake]]", "versions comes to TLSv1.2 only"];
    stage.refuses("measure contradiction.toml", words);
}

#[test]
fn d36_a_client_that_nobody_knows_is_refused_in_a_list_too() {
    let stage = Stage::calm();
    stage.study("clients", "[[load]]\nplain = true\nclients = [\"crul\"]\n");
    for line in ["load --client crul", "load -l mock --client crul", "measure clients.toml"] {
        for more in ["", "--list", "--verify"] {
            stage.refuses(&format!("{line} {more}"), ["'crul'", "did you mean curl?"]);
        }
    }
    stage.study("servers", "[[load]]\nplain = true\nservers = [\"ngnix\"]\n");
    stage.refuses("measure servers.toml --list", ["did you mean nginx?"]);
}

#[test]
fn every_kind_of_name_is_answered_with_the_closest() {
    let stage = Stage::calm();
    stage.study("key", "[[primitive]]\nalgoritms = [\"md5\"]\n");
    stage.study("name", "[[handshake]]\nversions = [\"TLSv1.4\"]\n");
    for (arguments, word) in [
        ("speed sha265", "did you mean sha256"),
        ("speed md5 --op digset", "did you mean digest"),
        ("handshake --tls TLSv1.4", "unknown TLS version 'TLSv1.4'; did you mean TLSv1."),
        ("handshake --suite TLS_AES_128_GMC_SHA256", "did you mean TLS_AES_128_GCM_SHA256"),
        ("handshake --group X25518", "did you mean X25519"),
        ("handshake --key rsa-2084", "did you mean rsa-2048"),
        ("handshake --resumption tiket", "did you mean ticket"),
        ("speed md5 -l mokc", "did you mean mock?"),
        ("load -l nignx", "did you mean nginx?"),
        ("speed md5 --without aes,avx521", "did you mean avx512"),
        ("speed md5 -l mock-without-aess", "did you mean aes or"),
        ("measure quik", "did you mean quick?"),
        ("libraries build mokc", "did you mean mock?"),
        ("measure key.toml", "did you mean algorithms?"),
        ("measure name.toml", "did you mean TLSv1."),
        ("speed md5 --format jsn", "'json'"),
        ("spede", "'speed'"),
        ("speed md5 --sise 1", "'--size'"),
    ] {
        stage.refuses(arguments, [word]);
    }
}

#[test]
fn aliases_are_read_and_ids_have_the_one_name() {
    let stage = Stage::calm();
    let same = |line: &str, other: &str| are_the_same(&stage, line, other);
    same(
        "handshake --tls 1.2 --suite ECDHE-RSA-AES128-GCM-SHA256 --group P-256 --key rsa \
         --resumption session_id -l Mock",
        "handshake --tls TLSv1.2 --suite TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 --group secp256r1 --key rsa-2048 \
         --resumption session-id -l mock",
    );
    same(
        "load --no-plain -l httpd --http http2 --body 1k -r 0rtt",
        "load --no-plain -l apache --http h2 --body 1024 -r early-data",
    );
    let file = stage.study(
        "aliases",
        "[[handshake]]\nversions = [\"1.3\"]\nsuites = [\"aes-128-gcm\"]\ngroups = [\"x25519\"]\nkeys = [\"p256\"]\n\
         [[load]]\nplain = true\nservers = [\"apache2\"]\nclients = [\"Curl\"]\n",
    );
    let ids = list(&stage, &format!("measure {file}"));
    assert_eq!(ids[0], "mock/handshake/TLSv1.3/TLS_AES_128_GCM_SHA256/X25519/ecdsa-p256/chain-2/full");
    assert!(ids.iter().any(|id| id.starts_with("apache/load/http/from-curl/")), "{ids:?}");
    let run = plain("load -l NGINX@OpenSSL36 --no-plain --body 1k --list");
    assert!(run.stdout.starts_with("nginx@openssl-3.6/load/"), "{run}");
    stage.refuses("speed p256", ["ecdsa-p256 or ecdh-p256"]);
}

#[test]
fn aliases_are_no_words_of_documents() {
    let stage = Stage::calm();
    stage.measure("strict", "[[primitive]]\nalgorithms = [\"SHA-256\"]\nsizes = [64]\n", "");
    let text = stage.read("strict.json");
    assert!(text.contains("\"sha256\"") && !text.contains("SHA-256"), "{text}");
    stage.change("strict.json", "\"sha256\"", "\"SHA-256\"");
    stage.run("report strict.json").ends(2);
}

#[test]
fn d41_sizes_have_units_on_the_command_line_and_in_studies() {
    let stage = Stage::calm();
    for (line, other) in [
        ("speed md5 -l mock --size 16k,1MiB,2kB", "speed md5 -l mock --size 16384,1048576,2000"),
        ("load --body 1M", "load --body 1048576"),
        (
            "bulk --buffer 64MiB --record 16KiB --write 0.5k",
            "bulk --buffer 67108864 --record 16384 --write 512",
        ),
        ("load -l nginx --tls-buffer 4k --no-plain", "load -l nginx --tls-buffer 4096 --no-plain"),
    ] {
        are_the_same(&stage, line, other);
    }
    let study = |sizes: &str| {
        stage.study("sizes", &format!("[[primitive]]\nalgorithms = [\"md5\"]\nsizes = {sizes}\n"))
    };
    let ids = |sizes: &str| list(&stage, &format!("measure {}", study(sizes)));
    assert_eq!(ids("[\"16k\", 64]"), ids("[16384, 64]"));
    for (size, words) in [
        ("16q", &["--size", "is no size", "KiB", "from 1 to 67108864"][..]),
        ("0.3", &["no whole number of bytes"]),
        ("65M", &["65M is out of range", "from 1 to 67108864"]),
        ("99999999999G", &["out of range"]),
        ("-1k", &["--size", "'-1k' is no size"]),
    ] {
        stage.refuses(&format!("speed md5 --size {size}"), words);
    }
    for (sizes, word) in [
        ("[\"16q\"]", "is no size"),
        ("[-1]", "-1 is out of range"),
        ("[\"65M\"]", "from 1 to 67108864"),
        ("[1.5]", "a size"),
    ] {
        stage.refuses(&format!("measure {}", study(sizes)), [word]);
    }
}

#[test]
fn d42_global_flags_stand_last_in_every_help() {
    let help = Stage::calm().run("load --help").stdout;
    let at = |word: &str| help.find(word).unwrap_or_else(|| panic!("{word}: {help}"));
    assert!(at("\nGlobal:\n") > at("\nResults:\n"), "{help}");
    assert!(at("--home") > at("\nGlobal:\n") && at("--registry") > at("\nGlobal:\n"), "{help}");
}

#[test]
fn d42_measuring_examples_of_the_help_have_cases() {
    let stage = Stage::calm();
    for verb in ["speed", "handshake", "bulk", "load"] {
        let help = stage.run(&format!("{verb} --help")).stdout;
        let (_, examples) = help.split_once("Examples:\n").unwrap();
        // A server that runs already is looked at even for a list, and here none does.
        let of = |line| str::strip_prefix(str::trim(line), "tlstax ");
        for line in examples.lines().filter(|line| !line.contains("--server ")).filter_map(of) {
            let run = plain(&format!("{line} --list")).ends(0);
            assert!(!run.stdout.is_empty(), "{line}");
        }
    }
}

#[test]
fn the_document_of_names_is_what_the_program_prints() {
    let printed = Stage::calm().run("generate names").stdout;
    let written = std::fs::read_to_string(root().join("docs/names.md")).unwrap_or_default();
    assert!(
        printed == written,
        "docs/names.md is not what the vocabulary says: tlstax generate names > docs/names.md"
    );
}
