//! `bygone init`.

use bygone_engine::text::Language;
use clap::builder::PossibleValuesParser;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Init {
    /// The language that texts are in, for finding them by their words; english where none was ever given. One that is
    /// changed holds for what is in the store, too
    #[arg(long, value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(Language::ALL.map(Language::name)))]
    language: Option<String>,
}

impl Init {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, mut output, .. } = context.writing()?;
        let store = space.store();
        if let Some(language) = self.language.as_deref().and_then(Language::named) {
            store.set_language(language)?;
        }
        let language = store.analyzer().language();
        if output.json {
            output.row(&json!({ "space": space.name(), "language": language }))?;
        } else {
            output.remark(format!("The store is ready; its space is {:?}.", space.name()))?;
            if self.language.is_some() {
                output.remark(format!("The language of its texts is {}.", language.name()))?;
            }
        }
        Ok(Exit::Done)
    }
}
