//! What is masked and what is not.

use super::*;

/// What looks a little like a secret and is none.
const NO_SECRETS: &str = include_str!("no_secrets.txt");

/// Returns so many letters and digits that repeat late, so that no scanner takes this file for a leak.
fn random(n: usize, alphabet: &str) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64 ^ n as u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        letters[usize::try_from(state >> 33).expect("31 bits") % letters.len()]
    };
    (0..n).map(|_| letter()).collect()
}

const MIXED: &str = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const HEX: &str = "0123456789abcdef";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Encodes in base64, RFC 4648 section 4; `more` bytes follow that have a pattern.
fn base64_of(bytes: &[u8], more: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let more = (0..more).map(|n| u8::try_from(n * n % 251).expect("less than 256"));
    let bytes: Vec<u8> = bytes.iter().copied().chain(more).collect();
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Texts with a secret each: what stands before it, it, and what stands behind.
fn secrets() -> Vec<(&'static str, String, &'static str)> {
    let mixed = |n: usize| random(n, MIXED);
    let hex = |n: usize| random(n, HEX);
    let key = |start: &str, rest: String| format!("{start}{rest}");
    let jwt = format!("eyJ{}.eyJ{}.{}", mixed(20), mixed(40), mixed(43));
    let keys = vec![
        key("AKIA", random(16, CAPITALS)),
        key("ASIA", random(16, CAPITALS)),
        key("ghp_", mixed(36)),
        key("gho_", mixed(36)),
        key("ghs_", mixed(36)),
        key("github_pat_", format!("{}_{}", mixed(22), mixed(59))),
        key("glpat-", mixed(20)),
        key("glrt-", mixed(20)),
        key("xoxb-", format!("123456789012-123456789012-{}", mixed(24))),
        key("xoxp-", format!("123456789012-123456789012-{}", mixed(32))),
        key("xapp-1-", format!("A0123456789-1234567890123-{}", hex(64))),
        key("AIza", mixed(35)),
        key("GOCSPX-", mixed(28)),
        key("ya29.", mixed(60)),
        key("sk_live_", mixed(24)),
        key("rk_test_", mixed(24)),
        key("whsec_", mixed(32)),
        key("sk-", mixed(48)),
        key("sk-proj-", format!("{}_{}", mixed(40), mixed(40))),
        key("sk-ant-api03-", format!("{}-{}", mixed(60), mixed(30))),
        key("npm_", mixed(36)),
        key("pypi-", mixed(80)),
        key("SG.", format!("{}.{}", mixed(22), mixed(43))),
        key("SK", hex(32)),
        key("hf_", mixed(34)),
        key("dop_v1_", hex(64)),
        key("shpat_", hex(32)),
        jwt,
    ];
    let mut all: Vec<(&str, String, &str)> = keys.into_iter().map(|key| ("use ", key, " now")).collect();
    all.extend([
        ("aws_secret_access_key = ", mixed(40), ""),
        ("\"SecretAccessKey\": \"", mixed(40), "\","),
        ("https://hooks.slack.com/services/", format!("T0123ABCD/B0123ABCD/{}", mixed(24)), ""),
        ("client id and ", format!("{}8Q~{}", mixed(3), mixed(34)), " of the tenant"),
        ("AccountName=tally;AccountKey=", format!("{}==", mixed(86)), ";EndpointSuffix=core.windows.net"),
        ("SharedAccessKeyName=root;SharedAccessKey=", format!("{}=", mixed(43)), ""),
        ("https://tally.blob.core.windows.net/a?sv=2022&sig=", format!("{}%3D", mixed(43)), ""),
        ("postgres://anna:", "hunterhunter".to_owned(), "@db.internal:5432/tally"),
        ("redis://:", mixed(12), "@cache:6379/0"),
        ("mongodb+srv://anna:", "p%40sswordless".to_owned(), "@cluster0.example.net/x"),
        ("https://anna:", mixed(8), "@git.example.org/tally.git"),
        ("Authorization: Bearer ", mixed(40), ""),
        ("-H 'authorization: bearer ", hex(32), "'"),
        ("Authorization: Basic ", base64_of(b"anna:hunter2", 0), ""),
        ("password=", "hunter2000".to_owned(), ""),
        ("DB_PASSWORD: '", "Tr0ub4dor&3".to_owned(), "'"),
        ("PGPASSWORD=", mixed(12), " psql"),
        ("MYSQL_PWD=", mixed(12), " mysql"),
        ("export TALLY_API_KEY=\"", hex(32), "\""),
        ("{\"apiKey\": \"", mixed(24), "\"}"),
        ("dbPassword = `", mixed(12), "`"),
        ("clientSecret: '", mixed(24), "'"),
        ("token: ", mixed(32), ""),
        ("//registry.npmjs.org/:_authToken=", mixed(36), ""),
        ("TWILIO_AUTH_TOKEN=", hex(32), ""),
        ("mysqldump --password=", mixed(12), " tally"),
        ("tool --api-key ", mixed(20), " run"),
        (" curl -s -u anna:", mixed(12), " https://example.org"),
        ("x-api-key: ", mixed(32), ""),
        ("secret := \"", mixed(20), "\""),
        // Without a digit.
        ("use ", "AKIAQGFBKPGSIXBQKNTZ".to_owned(), " now"),
        ("password=", "kQzVbnTRwPxM".to_owned(), ""),
        (":password => '", mixed(10), "'"),
    ]);
    all
}

#[test]
fn every_kind_of_secret_is_masked_wherever_it_stands() {
    for (before, secret, after) in secrets() {
        let text = format!("{before}{secret}{after}");
        let once = serde_json::Value::from(format!("first line\n{text}\n\tlast line")).to_string();
        let twice = serde_json::Value::from(once.clone()).to_string();
        for text in [text.clone(), format!("({text})\n"), format!("first\n{text}\nlast"), once, twice] {
            let (masked, n_secrets) = redact(text.as_bytes());
            let masked = String::from_utf8_lossy(&masked);
            assert_eq!(n_secrets, 1, "{text}\n{masked}");
            let start = text.find(before.trim_matches('"').get(..3).unwrap_or_default()).unwrap_or(0);
            assert_eq!(masked[..start], text[..start], "{masked}");
            // No stretch of it is left.
            let stretch = &secret[secret.len() / 2..][..secret.len().min(12) / 2];
            assert!(!masked.contains(stretch), "{stretch} of {text}\n{masked}");
            assert_eq!(masked.len(), text.len());
            assert_eq!(redact(masked.as_bytes()).1, 0, "masking twice finds nothing more: {masked}");
        }
    }
}

#[test]
fn a_key_inside_a_word_is_masked() {
    let mixed = |n: usize| random(n, MIXED);
    let hex = |n: usize| random(n, HEX);
    let distinctive = [
        format!("ghp_{}", mixed(36)),
        format!("gho_{}", mixed(36)),
        format!("github_pat_{}_{}", mixed(22), mixed(59)),
        format!("glpat-{}", mixed(20)),
        format!("xoxb-123456789012-123456789012-{}", mixed(24)),
        format!("xapp-1-A0123456789-1234567890123-{}", hex(64)),
        format!("AIza{}", mixed(35)),
        format!("GOCSPX-{}", mixed(28)),
        format!("ya29.{}", mixed(60)),
        format!("sk_live_{}", mixed(24)),
        format!("whsec_{}", mixed(32)),
        format!("sk-ant-api03-{}-{}", mixed(60), mixed(30)),
        format!("sk-proj-{}_{}", mixed(40), mixed(40)),
        format!("sk-{}T3BlbkFJ{}", mixed(20), mixed(20)),
        format!("npm_{}", mixed(36)),
        format!("pypi-{}", mixed(80)),
        format!("SG.{}.{}", mixed(22), mixed(43)),
        format!("hf_{}", mixed(34)),
        format!("dop_v1_{}", hex(64)),
        format!("shpat_{}", hex(32)),
        format!("xkeysib-{}-{}", hex(64), mixed(16)),
        format!("AGE-SECRET-KEY-1{}", random(58, CAPITALS)),
        format!("eyJ{}.eyJ{}.{}", mixed(20), mixed(40), mixed(43)),
    ];
    let short =
        [format!("AKIA{}", random(16, CAPITALS)), format!("SK{}", hex(32)), format!("sk-{}", mixed(48))];
    let in_word =
        |key: &String| [format!("x{key}"), format!("p_{key}"), format!("7{key}#1"), format!("é{key}")];
    let behind_underscore = |key: &String| [format!("TOKEN_{key}"), format!("{{\"p_{key}\":1}}")];
    let texts = distinctive.iter().flat_map(|key| in_word(key).map(|text| (key, text)));
    for (key, text) in
        texts.chain(short.iter().flat_map(|key| behind_underscore(key).map(|text| (key, text))))
    {
        check(&text, &text.replace(key.as_str(), &"*".repeat(key.len())));
    }
    let id = &short[0];
    check(&format!("{id}_old"), &format!("{}_old", "*".repeat(20)));
}

#[test]
fn a_secret_in_a_string_of_json_leaves_it_json() {
    for (before, secret, after) in secrets() {
        let line =
            serde_json::json!({ "text": format!("a \"b\"\n{before}{secret}{after}\n\u{1F600}") }).to_string();
        let (masked, _) = redact(line.as_bytes());
        let value: serde_json::Value = serde_json::from_slice(&masked).expect("still JSON");
        assert!(!value.to_string().contains(&secret), "{line}");
    }
}

#[test]
fn an_amazon_secret_beside_its_id_and_a_key_cut_off_are_masked() {
    let (id, secret) = (format!("AKIA{}", random(16, CAPITALS)), random(40, MIXED));
    let pair = format!("{id} / {secret} are mine");
    let (masked, n_secrets) = redact_text(&pair);
    assert_eq!(
        (masked.as_ref(), n_secrets),
        (format!("{} / {} are mine", "*".repeat(20), "*".repeat(40)).as_str(), 2)
    );
    let body = random(64, MIXED);
    let cut = format!("-----BEGIN RSA PRIVATE KEY-----\n{body}\n{body}\n[200 lines more]");
    assert!(!redact_text(&cut).0.contains(&body[..8]));
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123";
    let with_headers =
        format!("-----BEGIN RSA PRIVATE KEY-----\n{headers}\n\n{body}\n-----END RSA PRIVATE KEY-----");
    assert!(!redact_text(&with_headers).0.contains(&body[..8]));
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (masked, count) = redact(text.as_bytes());
    assert_eq!(String::from_utf8_lossy(&masked), expected);
    assert_eq!(count > 0, text != expected, "{text}");
    assert_eq!(redact(&masked).1, 0, "masking twice finds nothing more");
}

// The secrets are put together here so that no scanner takes this file for a leak.
#[test]
fn secrets_are_masked_in_place() {
    let key = format!("AKIA{}", "ABCDEFGH12345678");
    check(&format!("key {key}."), &format!("key {}.", "*".repeat(20)));
    let token = format!("ghp_{}", "a1".repeat(18));
    check(&format!(r#"{{"token":"{token}"}}"#), &format!(r#"{{"token":"{}"}}"#, "*".repeat(40)));
    check("postgres://anna:hunter2000@db/x", "postgres://anna:**********@db/x");
    check(r#"{"text":"PASSWORD=\"abc123def456\""}"#, r#"{"text":"PASSWORD=\"************\""}"#);
}

#[test]
fn a_private_key_in_json_stays_json() {
    let body = format!("{}\\n{}", "MIIEow1".repeat(6), "AbC9".repeat(8));
    let text = format!(r#"{{"t":"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"}}"#);
    let (masked, count) = redact(text.as_bytes());
    assert_eq!((count, masked.len()), (1, text.len()));
    let value: serde_json::Value = serde_json::from_slice(&masked).expect("still JSON");
    assert!(!value.to_string().contains("MIIE"));
}

#[test]
fn where_a_secret_may_go_on_the_next_line_is_needed() {
    for text in [
        "password:\n",
        "the Password \n",
        "\"api_key\" : \r\n\n",
        "\\\"secret\\\"=\n",
        "-----BEGIN PRIVATE KEY-----\n",
        "key: -----BEGIN RSA PRIVATE KEY----- MIIEow1\nAbC9\n",
    ] {
        assert!(goes_on(text.as_bytes()), "{text:?}");
    }
    for text in [
        "password: abc\n",
        "mypassword:\n",
        "passwords\n",
        "-----BEGIN PRIVATE KEY-----\nMIIEow1\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY----- is how it starts.\n",
        "",
    ] {
        assert!(!goes_on(text.as_bytes()), "{text:?}");
    }
}

#[test]
fn ordinary_text_is_left_alone() {
    for text in NO_SECRETS.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        check(text, text);
        check(&serde_json::Value::from(text).to_string(), &serde_json::Value::from(text).to_string());
    }
    assert!(NO_SECRETS.lines().count() > 60);
    let image = base64_of(b"\x89PNG\r\n\x1a\n", 3000);
    check(&format!("data:image/png;base64,{image}"), &format!("data:image/png;base64,{image}"));
}
