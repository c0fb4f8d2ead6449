//! `bygone inbox`: messages between agents.

use bygone_engine::time::format_moment;
use bygone_query::state::inbox::{
    Draft, HAND_OVER, HandOver, Mailbox, Message, Priority, Status, Wanted, close, get, list, read, reply,
    send, start,
};

use crate::acting::{Acting, Whose, given_text, optional_moment};
use crate::failure::{Exit, Failure};
use crate::mask::Mask;
use crate::output::{Output, count, shorten};
use crate::session::{Context, Opened};
use crate::table::Cell;
use crate::view::ViewOptions;

#[derive(clap::Args)]
pub(crate) struct Inbox {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Send a message; its id is printed
    Send(Send),
    /// Hand work over: all eight parts are required
    Handover(Handover),
    /// List messages: unresolved, urgent and due ones first
    List(List),
    /// Show a message and mark it as read
    Read(Change),
    /// Answer a message
    Reply(Reply),
    /// Begin with what a message asks for
    ///
    /// Exit code 1 where it was sent to others, somebody else has begun, or it is resolved.
    Start(Change),
    /// Resolve a message
    ///
    /// Exit code 1 for everybody but who sent it.
    Close(Change),
    /// Show a message, or how it stood at another time, and leave it unread
    Show(Show),
}

#[derive(clap::Args)]
struct Address {
    /// Whom it is for: an agent, or type:Name as in person:Anna; may be given again
    #[arg(long, value_name = "B", required = true)]
    to: Vec<String>,
    /// Who is to know of it; may be given again
    #[arg(long, value_name = "C")]
    cc: Vec<String>,
    /// What it is about
    #[arg(long, value_name = "S", default_value = "", hide_default_value = true)]
    subject: String,
    /// low, normal, high or urgent
    #[arg(long, value_name = "PRIORITY", default_value = "normal", value_parser = priority)]
    priority: Priority,
    /// When it is to be dealt with
    #[arg(long, value_name = "T")]
    due: Option<String>,
}

#[derive(clap::Args)]
struct Send {
    #[command(flatten)]
    address: Address,
    /// What it is: request, report, question, or any word in lower case
    #[arg(long, value_name = "KIND", default_value = "note")]
    kind: String,
    /// What it says; - reads standard input
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    body: String,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct Handover {
    #[command(flatten)]
    address: Address,
    /// Why it is handed over
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    why: String,
    /// What is to be reached
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    objective: String,
    /// What is done
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    done: String,
    /// Where things stand
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    state: String,
    /// The next step
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    next: String,
    /// Open questions
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    open: String,
    /// Pitfalls
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pitfalls: String,
    /// Where things are: files, branches, pages
    #[arg(long = "where", value_name = "TEXT", default_value = "", hide_default_value = true)]
    places: String,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct List {
    /// Only open, in-progress or resolved ones
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Option<Status>,
    /// Only those that whose they are has not read
    #[arg(long)]
    unread: bool,
    /// Those that were sent, not those that were got
    #[arg(long)]
    sent: bool,
    #[command(flatten)]
    whose: Whose,
    #[command(flatten)]
    view: ViewOptions,
}

#[derive(clap::Args)]
struct Change {
    /// The message
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct Reply {
    /// The message
    #[arg(value_name = "ID")]
    id: String,
    /// The answer; - reads standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    #[command(flatten)]
    acting: Acting,
}

#[derive(clap::Args)]
struct Show {
    /// The message
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    view: ViewOptions,
}

impl Inbox {
    pub(crate) fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        match &self.action {
            Action::Send(action) => action.execute(context),
            Action::Handover(action) => action.execute(context),
            Action::List(action) => action.execute(context),
            Action::Read(action) => action.execute(context, Step::Read),
            Action::Reply(action) => action.execute(context),
            Action::Start(action) => action.execute(context, Step::Start),
            Action::Close(action) => action.execute(context, Step::Close),
            Action::Show(action) => action.execute(context),
        }
    }
}

impl Address {
    fn draft<'a>(&'a self, kind: &'a str, subject: &'a str, body: &'a str) -> Result<Draft<'a>, Failure> {
        Ok(Draft {
            kind,
            to: self.to.clone(),
            cc: self.cc.clone(),
            subject,
            body,
            priority: self.priority,
            due: optional_moment("--due", self.due.as_deref())?,
            handover: None,
        })
    }
}

impl Send {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let body = mask.text(&given_text(&self.body, context.input)?);
        let subject = mask.text(&self.address.subject);
        let draft = self.address.draft(&self.kind, &subject, &body)?;
        sent(context, &self.acting, &mask, &draft)
    }
}

impl Handover {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let handover = HandOver {
            why: mask.text(&self.why),
            objective: mask.text(&self.objective),
            done: mask.text(&self.done),
            state: mask.text(&self.state),
            next: mask.text(&self.next),
            open: mask.text(&self.open),
            pitfalls: mask.text(&self.pitfalls),
            places: mask.text(&self.places),
        };
        let subject = mask.text(&self.address.subject);
        let draft = Draft { handover: Some(handover), ..self.address.draft(HAND_OVER, &subject, "")? };
        sent(context, &self.acting, &mask, &draft)
    }
}

fn sent(context: Context<'_>, acting: &Acting, mask: &Mask, draft: &Draft<'_>) -> Result<Exit, Failure> {
    let key = context.sent();
    let Opened { space, now, mut output, .. } = context.writing()?;
    mask.tell(&mut output)?;
    let by = acting.actor();
    let message = acting.decide(&space, key.as_deref(), &("inbox send", draft), now, |snapshot, place| {
        send(snapshot, place, &by, draft)
    })?;
    told(&message, &mut output)
}

/// Says that a message was sent.
fn told(message: &Message, output: &mut Output<'_>) -> Result<Exit, Failure> {
    if output.json {
        output.row(&message.to_json())?;
        return Ok(Exit::Done);
    }
    output.line(&message.id)?;
    output.remark(format!("sent to {}", message.to.join(", ")))?;
    Ok(Exit::Done)
}

impl List {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let of = self.whose.entity()?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let mailbox = if self.sent { Mailbox::Sent } else { Mailbox::Received };
        let wanted = Wanted { mailbox, status: self.status, only_unread: self.unread };
        let messages = list(&seen, &of, wanted, at)?;
        if output.json {
            messages.iter().try_for_each(|message| output.row(&message.to_json()))?;
            return Ok(Exit::Done);
        }
        let own = seen.identity().representative(&of).to_string();
        let table: Vec<Vec<Cell>> =
            messages.iter().map(|message| columns(message, &own, self.sent)).collect();
        output.table(&table)?;
        output.remark(count(messages.len() as u64, "message"))?;
        Ok(Exit::Done)
    }
}

fn columns(message: &Message, own: &str, is_sent: bool) -> Vec<Cell> {
    let other =
        if is_sent { format!("to {}", message.to.join(", ")) } else { format!("from {}", message.from) };
    let about = if message.subject.is_empty() { &message.body } else { &message.subject };
    let is_new = !is_sent && !message.is_read_by(own);
    vec![
        Cell::strong(message.id.clone()),
        message.kind.clone().into(),
        standing(message).into(),
        if is_new { "new".into() } else { "".into() },
        shorten(&other, 40).into(),
        Cell::strong(shorten(about, 60)),
    ]
}

/// Says how a message stands: its status, and what presses.
fn standing(message: &Message) -> String {
    let mut standing = message.status.name().replace('_', " ");
    if message.priority != Priority::Normal {
        standing = format!("{standing}, {}", message.priority.name());
    }
    if let Some(due) = message.due {
        let word = if message.is_overdue { "overdue since" } else { "due" };
        standing = format!("{standing}, {word} {}", format_moment(due));
    }
    standing
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug)]
enum Step {
    Read,
    Start,
    Close,
}

impl Change {
    fn execute(&self, context: Context<'_>, step: Step) -> Result<Exit, Failure> {
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        let by = self.acting.actor();
        let id = self.id.as_str();
        let message =
            self.acting.decide(&space, key.as_deref(), &("inbox", step, id), now, |snapshot, place| {
                match step {
                    Step::Read => read(snapshot, place, &by, id),
                    Step::Start => start(snapshot, place, &by, id),
                    Step::Close => close(snapshot, place, &by, id),
                }
            })?;
        if output.json {
            output.row(&message.to_json())?;
            return Ok(Exit::Done);
        }
        match step {
            Step::Read => show(&message, &mut output)?,
            Step::Start | Step::Close => {
                output.line(format!("{} is {}", message.id, message.status.name().replace('_', " ")))?;
            }
        }
        Ok(Exit::Done)
    }
}

impl Reply {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let mask = self.acting.mask();
        let body = mask.text(&given_text(&self.text, context.input)?);
        let key = context.sent();
        let Opened { space, now, mut output, .. } = context.writing()?;
        mask.tell(&mut output)?;
        let by = self.acting.actor();
        let request = ("inbox reply", &self.id, &body);
        let message = self.acting.decide(&space, key.as_deref(), &request, now, |snapshot, place| {
            reply(snapshot, place, &by, &self.id, &body)
        })?;
        told(&message, &mut output)
    }
}

impl Show {
    fn execute(&self, context: Context<'_>) -> Result<Exit, Failure> {
        let request = self.view.request(context.now())?;
        let Opened { space, mut output, .. } = context.reading_in(&request.view)?;
        let snapshot = space.snapshot();
        let seen = snapshot.seen(&request.view)?;
        let at = self.view.instant(&snapshot, &request)?;
        let Some(message) = get(&seen, &self.id, at)? else {
            return Err(Failure::NotKnown(format!("there is no message {:?} in this view", self.id)));
        };
        if output.json {
            output.row(&message.to_json())?;
        } else {
            show(&message, &mut output)?;
        }
        Ok(Exit::Done)
    }
}

fn show(message: &Message, output: &mut Output<'_>) -> Result<(), Failure> {
    output.line(format!("{}  {}, {}", message.id, message.kind, standing(message)))?;
    output.line(format!(
        "from {} to {}, {}",
        message.from,
        message.to.join(", "),
        message.sent_at.to_rfc3339()
    ))?;
    if !message.cc.is_empty() {
        output.line(format!("cc {}", message.cc.join(", ")))?;
    }
    if let Some(original) = &message.reply_to {
        output.line(format!("in answer to {original}"))?;
    }
    if !message.read_by.is_empty() {
        let readers: Vec<&str> = message.read_by.iter().map(|mark| mark.by.as_str()).collect();
        output.line(format!("read by {}", readers.join(", ")))?;
    }
    for part in [&message.subject, &message.body] {
        if !part.is_empty() {
            output.line("")?;
            part.lines().try_for_each(|line| output.line(line))?;
        }
    }
    for (name, part) in message.handover.iter().flat_map(HandOver::parts) {
        output.line("")?;
        output.line(format!("{name}:"))?;
        part.lines().try_for_each(|line| output.line(format!("  {line}")))?;
    }
    Ok(())
}

fn priority(text: &str) -> Result<Priority, String> {
    Priority::from_name(text)
        .ok_or_else(|| format!("{text:?} is no priority: expected low, normal, high or urgent"))
}

fn status(text: &str) -> Result<Status, String> {
    Status::from_name(&text.replace('-', "_"))
        .ok_or_else(|| format!("{text:?} is no status: expected open, in-progress or resolved"))
}
