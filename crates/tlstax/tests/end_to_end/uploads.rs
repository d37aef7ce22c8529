//! Files that are sent to a server, by real processes over real sockets.

use crate::run::{measurement, outcome};
use crate::stage::Stage;

#[test]
fn files_go_both_ways_over_the_embedded_server() {
    let stage = Stage::with(&[]).and_connections("sound");
    let study = "[[load]]\nplain = true\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\n\
                 groups = [\"X25519\"]\nkeys = [\"rsa-2048\"]\nconnections = [1]\nbodies = [\"20M\"]\n\
                 directions = [\"download\", \"upload\"]\nform = [false, true]\n";
    let (run, results) = stage.measure("files", study, "-l sound");
    run.ends(0);
    assert_eq!(results["measurements"].as_array().unwrap().len(), 6, "a download is no form");
    for end in ["keep-alive/body-20971520", "keep-alive/upload/body-20971520"] {
        let one = measurement(&results, end);
        assert_eq!(one["outcome"]["is"], "measured", "{one}");
        for batch in one["outcome"]["batches"].as_array().unwrap() {
            assert_eq!(batch["bytes"].as_u64(), batch["iterations"].as_u64().map(|files| files * 20_971_520));
        }
    }
    assert_eq!(outcome(&results, "upload/body-20971520/form"), "unsupported");
    let reason = measurement(&results, "upload/body-20971520/form")["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("does not do this: form; the client curl does"), "{reason}");
}

#[test]
fn a_form_without_an_upload_is_refused() {
    let stage = Stage::with(&[]).and_connections("sound");
    stage.refuses("load -l sound --client sound --form true --list", ["--form matters to uploads only"]);
}
