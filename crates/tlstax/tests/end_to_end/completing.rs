//! Values are completed: by bash with the script that is generated for it, and by the program for every shell.

use std::path::Path;
use std::process::Command;

use crate::run::Run;
use crate::stage::{Stage, root};

/// What bash offers for a command line whose last word is begun.
fn offered(line: &str) -> Vec<String> {
    let script = Stage::calm().run("generate completions bash").ends(0);
    let words = line.split(' ').collect::<Vec<_>>();
    let begun = words.last().unwrap();
    let folder = Path::new(env!("CARGO_BIN_EXE_tlstax")).parent().unwrap();
    let program = format!(
        "{}\nCOMP_WORDS=({line}{})\nCOMP_CWORD={}\n_clap_complete_tlstax tlstax '{begun}' x\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.stdout,
        if begun.is_empty() { "''" } else { "" },
        words.len() - 1,
    );
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let run = Run::of(Command::new("bash").args(["-c", &program]).env("PATH", path).current_dir(root()));
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_names_of_vocabularies() {
    assert_eq!(offered("tlstax handshake --group X25"), ["X25519", "X25519MLKEM768"]);
    assert_eq!(
        offered("tlstax handshake --group X25519,sec"),
        ["secp256r1", "secp384r1", "secp521r1"].map(|name| format!("X25519,{name}"))
    );
    assert_eq!(offered("tlstax handshake --suite TLS_CHA"), ["TLS_CHACHA20_POLY1305_SHA256"]);
    assert_eq!(offered("tlstax handshake --key ml-dsa-4"), ["ml-dsa-44"]);
    assert_eq!(offered("tlstax load -r full,se"), ["full,session-id"]);
    assert_eq!(offered("tlstax handshake --gro"), ["--group"]);
    assert_eq!(offered("tlstax speed chacha"), ["chacha20-poly1305"]);
    assert_eq!(offered("tlstax speed md5 --format ma"), ["markdown"]);
    assert_eq!(offered("tlstax speed md5 --without aes,va"), ["aes,vaes"]);
}

#[test]
fn bash_completes_libraries_servers_clients_and_studies() {
    assert_eq!(offered("tlstax measure qui"), ["quick"]);
    assert_eq!(offered("tlstax claims S1-aesn"), ["S1-aesni"]);
    assert_eq!(offered("tlstax load -l openssl,ngi"), ["openssl,nginx"]);
    assert_eq!(offered("tlstax load --client cur"), ["curl"]);
    assert_eq!(offered("tlstax libraries build rustls-r"), ["rustls-ring"]);
}

#[test]
fn every_shell_gets_a_script() {
    let stage = Stage::calm();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        stage.run(&format!("generate completions {shell}")).ends(0).shows(["TLSTAX_COMPLETE"]);
    }
    stage.refuses("generate completions bsh", ["'bash'"]);
}
