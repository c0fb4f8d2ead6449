//! The shapes that secrets have, by what their issuers document of them, and the places where one is assigned or sent.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

use super::likely::{is_assigned, is_basic, is_issued, is_key, is_mixed, is_password, is_token};

/// Says whether what has a shape is a secret.
type Check = fn(&[u8]) -> bool;

/// A shape of secret.
pub(super) struct Shape {
    /// The group named `secret` is what is masked, or the whole match.
    pub(super) pattern: Regex,
    /// Says whether it is one.
    pub(super) is_secret: Check,
    /// Where it may start.
    pub(super) start: Start,
}

/// Where a secret may start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Behind anything.
    Anywhere,
    /// Where a word starts, or a part of one behind `_`.
    Part,
    /// Where a word starts.
    Word,
}

/// Keys that begin with letters of their own. Lengths are as documented, or less where issuers reserve the right to
/// change them.
const KEYS: &[&str] = &[
    // GitHub tokens: personal, OAuth, of a user, of an app, to refresh; and fine-grained ones.
    r"gh[pousr]_[0-9A-Za-z]{36,}",
    r"github_pat_[0-9A-Za-z_]{22,}",
    // GitLab tokens: personal, deploy, runner, CI, trigger, feed, mail, agent, OAuth, SCIM.
    r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[0-9A-Za-z_.=-]{20,}",
    // Slack tokens, those of apps, and those that refresh.
    r"xox[abceoprs](?:\.xox[abp])?-[0-9A-Za-z-]{10,}",
    r"xapp-[0-9]-[0-9A-Za-z-]{10,}",
    // Google: API keys, OAuth client secrets, access and refresh tokens.
    r"AIza[0-9A-Za-z_-]{35}",
    r"GOCSPX-[0-9A-Za-z_-]{20,}",
    r"ya29\.[0-9A-Za-z_-]{20,}",
    // Stripe: secret and restricted keys, secrets of webhooks.
    r"[rs]k_(?:live|test)_[0-9A-Za-z]{10,}",
    r"whsec_[0-9A-Za-z+/=]{20,}",
    // npm, PyPI, SendGrid, Hugging Face, DigitalOcean, Shopify, Brevo, age.
    r"npm_[0-9A-Za-z]{36}\b",
    r"pypi-[0-9A-Za-z_-]{50,}",
    r"SG\.[0-9A-Za-z_-]{16,32}\.[0-9A-Za-z_-]{16,64}",
    r"hf_[0-9A-Za-z]{30,}",
    r"do[opr]_v1_[0-9a-f]{64}\b",
    r"shp(?:at|ca|pa|ss)_[0-9a-f]{32}\b",
    r"xkeysib-[0-9a-f]{64}-[0-9A-Za-z]{16}\b",
    r"AGE-SECRET-KEY-1[0-9A-Z]{58}\b",
    // JSON web tokens.
    r"eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}",
];

/// Those of them that are told inside a word, too, such as behind the name of a variable: their first letters are rare, and
/// what follows has the whole form of a key.
const GLUED_KEYS: &[&str] = &[
    r"gh[pousr]_[0-9A-Za-z]{36,}",
    r"github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}",
    r"AIza[0-9A-Za-z_-]{35}",
    r"npm_[0-9A-Za-z]{36}",
    r"do[opr]_v1_[0-9a-f]{64}",
    r"shp(?:at|ca|pa|ss)_[0-9a-f]{32}",
    r"xkeysib-[0-9a-f]{64}-[0-9A-Za-z]{16}",
    r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    r"eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}",
];

/// The same where the form alone could be words: `task_test_` ends as a key of Stripe begins.
const GLUED_LIKELY_KEYS: &[&str] = &[
    r"github_pat_[0-9A-Za-z]{22}[0-9A-Za-z_]*",
    r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[0-9A-Za-z_.=-]{20,}",
    r"xox[abceoprs](?:\.xox[abp])?-[0-9A-Za-z-]{10,}",
    r"xapp-[0-9]-[0-9A-Za-z-]{10,}",
    r"GOCSPX-[0-9A-Za-z_-]{20,}",
    r"ya29\.[0-9A-Za-z_-]{20,}",
    r"[rs]k_(?:live|test)_[0-9A-Za-z]{24,}",
    r"whsec_[0-9A-Za-z+/=]{20,}",
    r"pypi-[0-9A-Za-z_-]{50,}",
    r"SG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}",
    r"hf_[0-9A-Za-z]{30,}",
    // Anthropic, and OpenAI: the letters inside are "OpenAI" in base64.
    r"sk-ant-[a-z]{3,8}[0-9]{2}-[0-9A-Za-z_-]{20,}",
    r"sk-(?:proj|svcacct|admin|or-v1)-[0-9A-Za-z_-]{40,}",
    r"sk-[0-9A-Za-z_-]{16,}T3BlbkFJ[0-9A-Za-z_-]{16,}",
];

/// Keys of few letters and a fixed length: Amazon access key ids (long-term, temporary, of a service, of a context) and
/// those of Twilio.
const SHORT_KEYS: &[&str] = &[r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}", r"SK[0-9a-f]{32}"];

/// OpenAI and Anthropic keys; much else starts with these letters.
const SK_KEYS: &str = r"sk-[0-9A-Za-z][0-9A-Za-z_-]{19,}";

/// What a private key is made of, in PEM (RFC 7468) or armour (RFC 9580): also headers, and the line ends of JSON texts.
const KEY_BODY: &str = r"(?:[0-9A-Za-z+/=:,()\s\\]|-[0-9A-Za-z]|\.[0-9])";
/// Where it begins.
const KEY_BEGINS: &str = r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----";

/// Keys that are told by what stands around them.
const PLACES: &[(&str, Check)] = &[
    (r"KEY_BEGINS(?P<secret>KEY_BODY+?)-----END", is_mixed),
    // A private key whose end is cut off.
    (r"KEY_BEGINS(?:\s|\\[nr])*(?P<secret>(?:[0-9A-Za-z+/=]{40,}(?:\s|\\[nr])*)+)", is_mixed),
    // An Amazon secret beside its id.
    (
        r"(?:AKIA|ASIA)[0-9A-Z]{16}[^0-9A-Za-z\r\n]{1,24}(?P<secret>[0-9A-Za-z+/]{40})(?:[^0-9A-Za-z+/=]|$)",
        is_key,
    ),
    // Addresses that Slack posts from.
    (r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[0-9A-Za-z+/_-]{20,})", is_mixed),
    // Azure: client secrets, and keys and signatures in connection strings and addresses; those of other clouds.
    (r"(?P<secret>[0-9A-Za-z_~.]{3}[78]Q~[0-9A-Za-z_~.-]{31,34})", is_mixed),
    (r"(?i)(?:Account|SharedAccess)Key=(?P<secret>[0-9A-Za-z+/]{20,}={0,2})", is_mixed),
    (r"[?&;](?:sig|X-Amz-Signature|X-Goog-Signature)=(?P<secret>[0-9A-Za-z%+/_-]{20,}={0,2})", is_mixed),
    // A password in an address.
    (r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\x22'\\<>`]*:(?P<secret>[^\s/\x22'\\,;<>`]{3,})@", is_password),
    // What is sent to be let in, RFC 6750 section 2.1 and RFC 7617 section 2.
    (r"(?i)\bbearer(?:[ \t]|%20|\+)+(?P<secret>[0-9A-Za-z._~+/-]{16,}=*)", is_mixed),
    (r"(?i)\bbasic(?:[ \t]|%20|\+)+(?P<secret>[0-9A-Za-z+/]{8,}={0,2})", is_basic),
    // What a command is given.
    (r"(?i)\s--(?:[a-z]+-)?(?:NAMES|token)(?:[ \t]+|=)[\x22']?VALUE", is_assigned),
    (r"\scurl\s[^\r\n|;]{0,200}?(?:-u|--user)[ \t]+[\x22']?[^\s:\x22']+:VALUE", is_assigned),
    // What is assigned: see `NAMES`.
    (r"(?i)BEFORE(?:NAMES)SETSVALUE", is_assigned),
    (r"[a-z0-9](?:CAMEL_NAMES)SETSVALUE", is_assigned),
    (r"(?i)_(?:pass|pwd)SETSVALUE", is_assigned),
    (r"(?i)BEFOREtokenSETSVALUE", is_token),
];

/// What is called a secret.
const NAMES: &str = "api[_-]?keys?|secret(?:[_-]?(?:access)?[_-]?key)?|(?:access|auth|refresh|session|bearer|bot|api|id)[_-]?token|client[_-]?secret|(?:private|signing|encryption|master|access|account|storage|license)[_-]?key|password|passwd|passphrase|credentials?";
/// The same as the second part of a name in camel case.
const CAMEL_NAMES: &str = "ApiKey|APIKey|Secret(?:Key)?|(?:Access|Auth|Refresh|Session|Bearer|Api|Bot)?Token|(?:Private|Signing|Encryption|Master|Access|Account)Key|Password|Passwd|Passphrase";
/// The longest of them, with room for what stands before.
pub(super) const LONGEST_NAME: usize = 40;

/// What stands before a name, where it starts: no word, the first part of one, or an escape.
const BEFORE: &str = r"(?:(?:\b|_|\\[nrtbf]|\\u[0-9a-f]{4}|%[0-9a-f]{2})(?:PG)?)";
/// An assignment, with quotes that may be escaped over again.
const SETS: &str = r"(?:\\{0,3}[\x22'`])?\s*(?::=|=>|[:=])\s*(?:\\{0,3}[\x22'`])?";
/// What may be assigned.
const VALUE: &str = r"(?P<secret>[0-9A-Za-z+/_=.&!@#$%^*?~-]{8,})";

pub(super) static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let in_place = |(pattern, is_secret): &(&str, Check)| shape(pattern, *is_secret, Start::Anywhere);
    let mut shapes: Vec<Shape> = PLACES.iter().map(in_place).collect();
    // One pattern each, so that their first letters are looked for together.
    shapes.push(shape(&KEYS.join("|"), is_issued, Start::Word));
    shapes.push(shape(&whole(SHORT_KEYS), is_issued, Start::Part));
    shapes.push(shape(SK_KEYS, is_key, Start::Part));
    shapes.push(shape(&whole(GLUED_KEYS), is_issued, Start::Anywhere));
    shapes.push(shape(&whole(GLUED_LIKELY_KEYS), is_key, Start::Anywhere));
    shapes
});

/// The name of a secret, and nothing behind it.
pub(super) static BARE_NAME: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?:(?i:BEFORE(?:NAMES|token))|(?i:_(?:pass|pwd))|[a-z0-9](?:CAMEL_NAMES))$"));

/// A private key that is not at its end.
pub(super) static OPEN_KEY: LazyLock<Regex> = LazyLock::new(|| compiled("KEY_BEGINSKEY_BODY*$"));

fn shape(pattern: &str, is_secret: Check, start: Start) -> Shape {
    Shape { pattern: compiled(pattern), is_secret, start }
}

/// Makes one pattern of several, behind which no letter and no digit follows.
fn whole(keys: &[&str]) -> String {
    format!("(?P<secret>{})(?:[^0-9A-Za-z]|$)", keys.join("|"))
}

/// Compiles a pattern in which the names of the constants above stand for them.
fn compiled(pattern: &str) -> Regex {
    let parts = [
        ("KEY_BEGINS", KEY_BEGINS),
        ("KEY_BODY", KEY_BODY),
        ("CAMEL_NAMES", CAMEL_NAMES),
        ("NAMES", NAMES),
        ("BEFORE", BEFORE),
        ("SETS", SETS),
        ("VALUE", VALUE),
    ];
    let pattern = parts.iter().fold(pattern.to_owned(), |pattern, (name, part)| pattern.replace(name, part));
    RegexBuilder::new(&pattern).unicode(false).build().expect("the patterns are fixed and compile")
}
