//! `bygone erase`.

use bygone_engine::EpisodeId;
use bygone_engine::store::{Snapshot, Target};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::output::count;
use crate::session::{Context, Opened};

#[derive(clap::Args)]
pub(crate) struct Erase {
    #[command(flatten)]
    source: SourceName,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct SourceName {
    /// Every turn of a session
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Every turn of a user
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// One turn: e:… or session#position
    #[arg(long, value_name = "EPISODE")]
    episode: Option<String>,
}

impl Erase {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let Opened { space, now, mut output, .. } = context.reading()?;
        let target = match &self.source {
            SourceName { session: Some(session), .. } => Target::Session(session.clone()),
            SourceName { user: Some(user), .. } => Target::User(user.clone()),
            SourceName { episode, .. } => {
                match episode_named(&space.snapshot(), episode.as_deref().unwrap_or_default())? {
                    Some(id) => Target::Episode(id),
                    // No turn has this id, so there is nothing to erase.
                    None => Target::Episode(EpisodeId::UNHASHED),
                }
            }
        };
        let certificate = space.erase(&target, now)?;
        if output.json {
            output.row(&json!(certificate))?;
        } else if certificate.seq.is_none() {
            output.line("There is nothing of that source to erase.")?;
        } else {
            output.line(format!(
                "Erased {}, {}, {} and {}.",
                count(certificate.episodes, "episode"),
                count(certificate.assertions, "statement"),
                count(certificate.entities, "entity").replace("entitys", "entities"),
                count(certificate.quarantined, "unread record"),
            ))?;
            if certificate.work_events > 0 {
                output.line(format!(
                    "Erased {} about items of work-sets.",
                    count(certificate.work_events, "statement")
                ))?;
            }
            if certificate.checkpoints > 0 {
                output.line(format!("Erased {}.", count(certificate.checkpoints, "checkpoint")))?;
            }
            if certificate.documents > 0 {
                output.line(format!("Erased {}.", count(certificate.documents, "document")))?;
            }
            output.line(format!(
                "Searched {} and {} for {} of the text: {}.",
                count(certificate.records_searched, "record"),
                count(certificate.files_searched, "file"),
                count(certificate.needles, "piece"),
                if certificate.found.is_empty() {
                    "none is left".to_owned()
                } else {
                    format!("still found in {}", certificate.found.join(", "))
                },
            ))?;
            if certificate.said_elsewhere > 0 {
                output.remark(format!(
                    "{} of other sources hold the same words.",
                    count(certificate.said_elsewhere, "record")
                ))?;
            }
        }
        let gone = certificate.seq.is_some() && certificate.found.is_empty();
        Ok(if gone { Exit::Done } else { Exit::No })
    }
}

fn episode_named(snapshot: &Snapshot<'_>, text: &str) -> Result<Option<EpisodeId>, Failure> {
    if let Some(id) = EpisodeId::parse(text) {
        return Ok(Some(id));
    }
    let place = text.rsplit_once('#').and_then(|(session, position)| Some((session, position.parse().ok()?)));
    let Some((session, position)) = place else {
        return Err(Failure::Usage(format!("{text:?} is no episode: expected e:… or session#position")));
    };
    match snapshot.episodes_at(session, position)?.as_slice() {
        [id] => Ok(Some(*id)),
        [] => Ok(None),
        several => {
            let ids: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(Failure::Usage(format!("{text} may be {}: say which", ids.join(" or "))))
        }
    }
}
