//! What models are told: texts in files, each with a version, that are filled in.
//!
//! Invariant: a file whose text changes gets another version, since figures from two texts do not compare; a run tells
//! version and hash of each.

/// A text with places to be filled in, such as `{question}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What it is for, with its version.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

macro_rules! prompts {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: Prompt =
            Prompt { name: $name, text: include_str!(concat!("prompts/", $name, ".txt")) };)*

        /// Every prompt.
        pub const ALL: &[Prompt] = &[$($constant,)*];
    };
}

prompts! {
    /// What a reader is told: a context and a question.
    READER = "reader.v1";
    /// What a judge is told of an answer that says something that was said.
    FACT = "judge_fact.v1";
    /// Of an answer that says when, or how long.
    TEMPORAL = "judge_temporal.v1";
    /// Of an answer about what changed.
    UPDATE = "judge_update.v1";
    /// Of advice.
    PREFERENCE = "judge_preference.v1";
    /// Of an answer to what cannot be answered.
    UNANSWERABLE = "judge_unanswerable.v1";
    /// Of an answer about what two people talked of.
    CONVERSATION = "judge_conversation.v1";
}

impl Prompt {
    /// Returns the first 16 hexadecimal digits of the text's BLAKE3 hash.
    pub fn hash(self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex().chars().take(16).collect()
    }

    /// Fills the places in. What stands in a value is no place, whatever it looks like.
    pub fn fill(self, values: &[(&str, &str)]) -> String {
        let mut filled = String::new();
        let mut rest = self.text.trim_end();
        while let Some((before, behind)) = rest.split_once('{') {
            filled.push_str(before);
            let place = behind.split_once('}').and_then(|(name, after)| {
                values.iter().find(|(known, _)| *known == name).map(|(_, value)| (value, after))
            });
            if let Some((value, after)) = place {
                filled.push_str(value);
                rest = after;
            } else {
                filled.push('{');
                rest = behind;
            }
        }
        filled.push_str(rest);
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_once_whatever_the_values_look_like() {
        let prompt = Prompt { name: "test.v1", text: "{a} and {b}, {c} {\n" };
        assert_eq!(prompt.fill(&[("a", "{b}"), ("b", "2")]), "{b} and 2, {c} {");
    }

    #[test]
    fn every_place_of_a_prompt_has_a_value() {
        for prompt in ALL {
            let values = ["context", "now", "question", "answer", "response"].map(|name| (name, "VALUE"));
            let filled = prompt.fill(&values);
            assert!(!filled.contains('{') && filled.contains("VALUE"), "{}: {filled}", prompt.name);
            let is_judge = prompt.name.starts_with("judge");
            assert_eq!(filled.ends_with("Reply with one word, yes or no."), is_judge, "{}", prompt.name);
        }
    }

    /// A text that changes needs another version, and this list another line.
    #[test]
    fn versions_are_those_of_their_texts() {
        let hashes: Vec<String> =
            ALL.iter().map(|prompt| format!("{} {}", prompt.name, prompt.hash())).collect();
        let expected: [&str; 7] = [
            "reader.v1 0788e72b8b38c47b",
            "judge_fact.v1 f019defbc23988b3",
            "judge_temporal.v1 43475dae55733939",
            "judge_update.v1 ae4bb6920256d6df",
            "judge_preference.v1 c15c702b985facb5",
            "judge_unanswerable.v1 a93e33d49ee2fd83",
            "judge_conversation.v1 4ca7f77176258357",
        ];
        assert_eq!(hashes, expected);
    }
}
