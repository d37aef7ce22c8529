//! What could take cryptography off a library's hands on this machine, and what it lacks: from facts to lines.

use tlstax_measure::host::offload::{
    AlgSocket, Driver, Errno, Interface, KernelTls, Module, Offload, Qat, Switch, Tried,
};

use super::means::Availability::{Absent, Present, Ready, Unknown};
use super::means::Means;
use super::openssl_modules::{ENGINES, PROVIDERS, modules};

/// One line for each way.
pub(super) fn means(offload: &Offload) -> Vec<Means> {
    let openssl = offload.openssl.as_ref();
    vec![
        kernel_tls(&offload.kernel_tls),
        network_cards(&offload.interfaces),
        af_alg(&offload.af_alg, &offload.drivers),
        qat(&offload.qat, offload.qat_control, offload.vfio),
        devices(&offload.drivers),
        modules("openssl-providers", "OpenSSL providers", openssl, |one| one.providers.as_ref(), &PROVIDERS),
        modules("openssl-engines", "OpenSSL engines", openssl, |one| one.engines.as_ref(), &ENGINES),
    ]
}

const DISTRIBUTION: &str = "boot a kernel with it; those of the large distributions have it as a module";

fn kernel_tls(tls: &KernelTls) -> Means {
    let means = |state, found: &str, remedy| Means::of(("kernel-tls", "kernel TLS"), state, found, remedy);
    match (tls.tried, tls.module) {
        (Tried::Works, _) => {
            let counted = tls.sessions.map_or_else(String::new, |sessions| {
                format!(
                    "; used {} times in software and {} times in a network card, counted by direction",
                    sessions.software, sessions.device
                )
            });
            means(Present, &format!("a TCP socket took it{counted}"), "")
        }
        (Tried::Not, Module::Loadable) => {
            means(Ready, "the kernel has the module tls, and it is not loaded", "modprobe tls")
        }
        (Tried::Not, _) => {
            means(Unknown, "there is no connection over the loopback interface to try it on", "")
        }
        (Tried::Fails(errno), Module::Untold) => means(
            Absent,
            &format!("a TCP socket does not take it ({}), and the kernel's modules cannot be seen", errno),
            "modprobe tls, on the host if this is a container",
        ),
        (Tried::Fails(errno), Module::Absent) => {
            means(Absent, &format!("this kernel was built without it (CONFIG_TLS): {}", errno), DISTRIBUTION)
        }
        (Tried::Fails(errno), _) => means(Absent, &format!("a TCP socket does not take it: {}", errno), ""),
    }
}

fn network_cards(interfaces: &[Interface]) -> Means {
    let offers = |switch| {
        let has = |one: &&Interface| one.transmit == switch || one.receive == switch;
        interfaces.iter().filter(has).map(|one| one.name.clone()).collect::<Vec<_>>()
    };
    let (on, off) = (offers(Switch::On), offers(Switch::Off));
    let (state, found, remedy) = if interfaces.is_empty() {
        (Unknown, "there is no network interface that could be asked".to_owned(), String::new())
    } else if !on.is_empty() {
        (Present, format!("switched on in {}; kernel TLS uses it", on.join(", ")), String::new())
    } else if let Some(first) = off.first() {
        let remedy = format!("ethtool -K {first} tls-hw-tx-offload on tls-hw-rx-offload on");
        (Ready, format!("switched off in {}", off.join(", ")), remedy)
    } else {
        let found = format!("none of {} network interfaces can encrypt TLS records", interfaces.len());
        (Absent, found, String::new())
    };
    Means { id: "nic-tls", what: "TLS in a network card", state, found, remedy }
}

fn af_alg(sockets: &[AlgSocket], drivers: &[Driver]) -> Means {
    let has = |module| sockets.iter().any(|socket| socket.module == module);
    let (state, found, remedy) = if sockets.iter().any(|socket| socket.tried == Tried::Works) {
        let each: Vec<_> = sockets.iter().map(|socket| of_socket(socket, drivers)).collect();
        (Present, each.join(", "), "")
    } else if has(Module::Loadable) {
        let found = "the kernel loads the modules when a program asks for such a socket".to_owned();
        (Ready, found, "modprobe -a algif_aead algif_hash")
    } else {
        let errno = sockets.iter().find_map(|socket| match socket.tried {
            Tried::Fails(errno) => Some(errno),
            _ => None,
        });
        let why = errno.map_or_else(String::new, |errno| format!(": {errno}"));
        let (found, remedy) = match errno {
            Some(Errno::NO_FAMILY) if has(Module::Untold) => {
                ("there is none, and the kernel's modules cannot be seen", ON_THE_HOST)
            }
            Some(Errno::NO_FAMILY) => {
                ("this kernel was built without it (CONFIG_CRYPTO_USER_API_AEAD, _HASH)", DISTRIBUTION)
            }
            _ => ("no such socket could be bound", ""),
        };
        (Absent, format!("{found}{why}"), remedy)
    };
    Means { id: "af-alg", what: "AF_ALG", state, found, remedy: remedy.to_owned() }
}

const ON_THE_HOST: &str = "modprobe -a algif_aead algif_hash, on the host if this is a container";

fn of_socket(socket: &AlgSocket, drivers: &[Driver]) -> String {
    let algorithm = socket.algorithm;
    match (socket.tried, chosen(drivers, algorithm)) {
        (Tried::Works, Some(driver)) => format!("{algorithm} by {driver}"),
        (Tried::Works, None) => algorithm.to_owned(),
        (Tried::Fails(errno), _) => format!("no {algorithm} ({errno})"),
        (Tried::Not, _) => format!("{algorithm} not loaded yet (modprobe algif_{})", socket.kind),
    }
}

/// The driver that the kernel takes for an algorithm.
fn chosen<'a>(drivers: &'a [Driver], algorithm: &str) -> Option<&'a str> {
    let mut fitting: Vec<&Driver> = drivers.iter().filter(|driver| driver.algorithm == algorithm).collect();
    fitting.sort_by_key(|driver| driver.priority);
    fitting.last().map(|driver| driver.name.as_str())
}

fn qat(devices: &[Qat], has_control: bool, has_vfio: bool) -> Means {
    let means = |state, found: String, remedy| Means::of(("qat", "Intel QuickAssist"), state, found, remedy);
    let of = |device: &Qat| {
        let kind = if device.is_virtual { " (virtual function)" } else { "" };
        let driver = device.driver.as_ref().map_or_else(String::new, |driver| format!(" with {driver}"));
        format!("{}{kind} at {}{driver}", device.model, device.address)
    };
    let all = || devices.iter().map(of).collect::<Vec<_>>().join(", ");
    let Some(idle) = devices.iter().find(|device| device.driver.is_none()).or(devices.first()) else {
        return means(Absent, "no such device on the PCI bus".to_owned(), "");
    };
    if idle.driver.is_some() {
        let ways = match (has_control, has_vfio) {
            (true, _) => "/dev/qat_adf_ctl is there",
            (false, true) => "/dev/vfio is there",
            (false, false) => {
                "neither /dev/qat_adf_ctl nor /dev/vfio is there, so that programs cannot reach it"
            }
        };
        return means(Present, format!("{}; {ways}", all()), QAT_FOR_OPENSSL);
    }
    means(Ready, format!("{}, not all with a driver", all()), &format!("modprobe {}", idle.fitting))
}

const QAT_FOR_OPENSSL: &str = "for OpenSSL: apt-get install qatengine, or build Intel's QAT_Engine";

fn devices(drivers: &[Driver]) -> Means {
    let found: Vec<&str> =
        drivers.iter().filter(|driver| driver.is_device()).map(|driver| driver.name.as_str()).collect();
    let (state, found) = match (drivers.len(), found.len()) {
        (0, _) => (Unknown, "/proc/crypto cannot be read".to_owned()),
        (all, 0) => (Absent, format!("all {all} drivers in /proc/crypto run on the CPU")),
        (_, count) => (Present, format!("{count} drivers in /proc/crypto: {}", some(&found))),
    };
    Means::of(("kernel-devices", "devices in the kernel's crypto"), state, found, "")
}

/// A few names of many.
fn some(names: &[&str]) -> String {
    const FEW: usize = 6;
    let more = if names.len() > FEW { ", ..." } else { "" };
    names[..names.len().min(FEW)].join(", ") + more
}

#[cfg(test)]
mod tests {
    use tlstax_measure::host::offload::{Folder, OpenSsl, Sessions};

    use super::*;

    fn driver(algorithm: &str, name: &str, priority: i32) -> Driver {
        Driver { algorithm: algorithm.into(), name: name.into(), priority }
    }

    fn nothing() -> Offload {
        let socket = |kind, algorithm| AlgSocket {
            kind,
            algorithm,
            module: Module::Absent,
            tried: Tried::Fails(Errno::NO_FAMILY),
        };
        Offload {
            kernel_tls: KernelTls {
                module: Module::Absent,
                tried: Tried::Fails(Errno::NO_ENTRY),
                sessions: None,
            },
            interfaces: vec![Interface {
                name: "eth0".into(),
                transmit: Switch::Impossible,
                receive: Switch::Impossible,
            }],
            af_alg: vec![socket("aead", "gcm(aes)"), socket("hash", "sha256")],
            drivers: vec![driver("sha256", "sha256-generic", 100)],
            qat: Vec::new(),
            qat_control: false,
            vfio: false,
            openssl: None,
        }
    }

    fn of(offload: &Offload, id: &str) -> Means {
        means(offload).into_iter().find(|means| means.id == id).unwrap_or_else(|| panic!("{id}"))
    }

    #[test]
    fn a_machine_without_anything_says_what_is_missing() {
        let nothing = nothing();
        for (id, state, words) in [
            ("kernel-tls", Absent, "CONFIG_TLS): ENOENT"),
            ("nic-tls", Absent, "none of 1 network interfaces"),
            ("af-alg", Absent, "CONFIG_CRYPTO_USER_API_AEAD, _HASH): EAFNOSUPPORT"),
            ("qat", Absent, "PCI bus"),
            ("kernel-devices", Absent, "run on the CPU"),
            ("openssl-providers", Unknown, "no program openssl"),
            ("openssl-engines", Unknown, "no program openssl"),
        ] {
            let means = of(&nothing, id);
            assert!(means.state == state && means.found.contains(words), "{means:?}");
        }
        let blind = Offload { interfaces: Vec::new(), drivers: Vec::new(), ..nothing };
        assert_eq!(of(&blind, "nic-tls").state, Unknown);
        assert_eq!(of(&blind, "kernel-devices").state, Unknown);
    }

    #[test]
    fn what_is_not_loaded_has_a_remedy() {
        let mut ready = nothing();
        ready.kernel_tls = KernelTls { module: Module::Loadable, tried: Tried::Not, sessions: None };
        ready.interfaces[0].transmit = Switch::Off;
        for socket in &mut ready.af_alg {
            (socket.module, socket.tried) = (Module::Loadable, Tried::Not);
        }
        let device = Qat {
            address: "0000:6b:00.0".into(),
            model: "4XXX",
            is_virtual: false,
            fitting: "qat_4xxx",
            driver: None,
        };
        ready.qat = vec![Qat { driver: Some("qat_4xxx".into()), ..device.clone() }, device];
        for (id, remedy) in [
            ("kernel-tls", "modprobe tls"),
            ("nic-tls", "ethtool -K eth0"),
            ("af-alg", "modprobe -a algif_aead"),
            ("qat", "modprobe qat_4xxx"),
        ] {
            let means = of(&ready, id);
            assert!(means.state == Ready && means.remedy.contains(remedy), "{means:?}");
        }
        ready.kernel_tls =
            KernelTls { module: Module::Untold, tried: Tried::Fails(Errno::NO_ENTRY), sessions: None };
        for socket in &mut ready.af_alg {
            (socket.module, socket.tried) = (Module::Untold, Tried::Fails(Errno::NO_FAMILY));
        }
        assert!(of(&ready, "kernel-tls").remedy.contains("on the host"));
        assert!(of(&ready, "af-alg").remedy.contains("on the host"));
        // Some policies forbid it.
        ready.af_alg[0].tried = Tried::Fails(Errno(1));
        assert_eq!(of(&ready, "af-alg").remedy, "");
    }

    #[test]
    fn what_is_there_is_named() {
        let mut rich = nothing();
        let sessions = Some(Sessions { software: 23, device: 2 });
        rich.kernel_tls = KernelTls { module: Module::Present, tried: Tried::Works, sessions };
        rich.interfaces[0].transmit = Switch::On;
        rich.af_alg[0].tried = Tried::Works;
        rich.drivers =
            vec![driver("gcm(aes)", "generic-gcm-aesni", 400), driver("gcm(aes)", "gcm-aes-ccp", 300)];
        let driver = Some("qat_c62xvf".into());
        let address = "0000:3d:01.0".into();
        rich.qat = vec![Qat { address, model: "C62X", is_virtual: true, fitting: "qat_c62xvf", driver }];
        rich.vfio = true;
        let folder = |modules: &[&str]| {
            let modules = modules.iter().map(|module| (*module).to_owned()).collect();
            Some(Folder { path: "/lib/ossl".into(), modules })
        };
        let version = "OpenSSL 3.0.19".to_owned();
        rich.openssl = Some(OpenSsl { version, engines: None, providers: folder(&["fips.so", "legacy.so"]) });
        for (id, words) in [
            ("kernel-tls", "used 23 times"),
            ("nic-tls", "eth0"),
            ("af-alg", "gcm(aes) by generic-gcm-aesni, no sha256 (EAFNOSUPPORT)"),
            ("qat", "C62X (virtual function) at 0000:3d:01.0 with qat_c62xvf; /dev/vfio"),
            ("kernel-devices", "gcm-aes-ccp"),
            ("openssl-providers", "fips.so, legacy.so in /lib/ossl; not qatprovider.so"),
        ] {
            let means = of(&rich, id);
            assert!(means.state == Present && means.found.contains(words), "{means:?}");
        }
        assert!(!of(&rich, "openssl-providers").remedy.contains("enable-fips"));
        assert_eq!(of(&rich, "openssl-engines").state, Absent);
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(some(&["a", "b"]), "a, b");
        assert_eq!(some(&["a"; 9]), "a, a, a, a, a, a, ...");
    }
}
