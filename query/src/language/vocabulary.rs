//! What can be asked of nodes, facts, paths and turns, and which functions there are.

use super::check::Scope;

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An entity or a value.
    Node,
    /// A fact.
    Fact,
    /// A path of facts.
    Path,
    /// A turn.
    Turn,
}

impl Kind {
    /// Returns what a person calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Node => "a node",
            Kind::Fact => "a fact",
            Kind::Path => "a path of several facts",
            Kind::Turn => "a turn",
        }
    }

    /// Returns the properties that it has, by name.
    pub(super) fn properties(self) -> impl Iterator<Item = (&'static str, Property)> {
        let own: &[Property] = match self {
            Kind::Node => &[
                Property::Id,
                Property::Name,
                Property::Type,
                Property::Aliases,
                Property::Value,
                Property::Unit,
            ],
            Kind::Fact => &[
                Property::Id,
                Property::Subject,
                Property::Predicate,
                Property::Key,
                Property::Object,
                Property::Valid,
                Property::From,
                Property::To,
                Property::EndedBy,
                Property::Verdict,
                Property::KnownFrom,
                Property::KnownTo,
                Property::LastConfirmed,
                Property::Authority,
                Property::Confidence,
            ],
            Kind::Path => &[Property::Valid, Property::From, Property::To, Property::Length],
            Kind::Turn => &[
                Property::Id,
                Property::Session,
                Property::Turn,
                Property::Speaker,
                Property::Role,
                Property::Time,
                Property::Text,
                Property::Agent,
                Property::User,
            ],
        };
        own.iter().map(|property| (property.name(), *property))
    }

    /// Finds one of the properties that it has.
    pub(super) fn property(self, name: &str) -> Option<Property> {
        self.properties().find(|(own, _)| *own == name).map(|(_, property)| property)
    }
}

macro_rules! properties {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What can be asked of what a variable stands for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Property { $($(#[$doc])* $variant,)* }

        impl Property {
            /// Returns the name that it has in a query.
            pub(super) const fn name(self) -> &'static str {
                match self { $(Property::$variant => $name,)* }
            }
        }
    };
}

properties! {
    /// The id: `type:Name`, `f:…` or `e:…`.
    Id = "id",
    /// The name of an entity.
    Name = "name",
    /// The type of an entity, or the kind of a value.
    Type = "type",
    /// What else an entity is or was called.
    Aliases = "aliases",
    /// A value itself.
    Value = "value",
    /// The unit of a number.
    Unit = "unit",
    /// What a fact is about.
    Subject = "subject",
    /// What it says of it.
    Predicate = "predicate",
    /// Which of several parallel values.
    Key = "key",
    /// What holds.
    Object = "object",
    /// When it holds.
    Valid = "valid",
    /// From when on.
    From = "from",
    /// Until when.
    To = "to",
    /// Why it ended.
    EndedBy = "ended_by",
    /// How it stands.
    Verdict = "verdict",
    /// Since when it is known.
    KnownFrom = "known_from",
    /// Until when it was believed.
    KnownTo = "known_to",
    /// When it was said last.
    LastConfirmed = "last_confirmed",
    /// On whose word.
    Authority = "authority",
    /// How sure.
    Confidence = "confidence",
    /// How many facts.
    Length = "length",
    /// The session of a turn.
    Session = "session",
    /// The place in the session.
    Turn = "turn",
    /// Who speaks.
    Speaker = "speaker",
    /// The voice.
    Role = "role",
    /// When it was said.
    Time = "time",
    /// What was said.
    Text = "text",
    /// The agent that took part.
    Agent = "agent",
    /// The user that took part.
    User = "user",
}

impl Property {
    /// Says whether its values are times or periods, so that texts beside them are times, too.
    pub(super) const fn is_time(self) -> bool {
        matches!(
            self,
            Property::Valid
                | Property::From
                | Property::To
                | Property::KnownFrom
                | Property::KnownTo
                | Property::LastConfirmed
                | Property::Time
        )
    }
}

/// A function, with how many values it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) function: Function,
    pub(super) name: &'static str,
    pub(super) least: usize,
    pub(super) most: usize,
}

/// What can be made of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// The id of a node, a fact or a turn.
    Id,
    /// The type of a node, the predicate of a fact.
    Type,
    /// A granule of time, or `[a, b)`.
    Period,
    /// A time.
    Time,
    /// The present.
    Now,
    /// Where a period starts.
    Start,
    /// Where it ends.
    End,
    /// What two periods share.
    Intersection,
    /// How many days something lasts.
    Days,
    /// The facts of a path.
    Relationships,
    /// The nodes of a path.
    Nodes,
    /// How many facts a path has.
    Length,
    /// How many values a list has, or characters a text.
    Size,
    /// In small letters.
    Lower,
    /// In capitals.
    Upper,
    /// The first value that is one.
    Coalesce,
    /// Whether it has one of the words.
    Search,
    /// Whether it is among what fits best.
    Similar,
    /// How well it fits.
    Score,
}

/// Every function.
pub(super) const FUNCTIONS: [Signature; 19] = [
    Signature { function: Function::Id, name: "id", least: 1, most: 1 },
    Signature { function: Function::Type, name: "type", least: 1, most: 1 },
    Signature { function: Function::Period, name: "period", least: 1, most: 2 },
    Signature { function: Function::Time, name: "time", least: 1, most: 1 },
    Signature { function: Function::Now, name: "now", least: 0, most: 0 },
    Signature { function: Function::Start, name: "start", least: 1, most: 1 },
    Signature { function: Function::End, name: "end", least: 1, most: 1 },
    Signature { function: Function::Intersection, name: "intersection", least: 2, most: 2 },
    Signature { function: Function::Days, name: "days", least: 1, most: 1 },
    Signature { function: Function::Relationships, name: "relationships", least: 1, most: 1 },
    Signature { function: Function::Nodes, name: "nodes", least: 1, most: 1 },
    Signature { function: Function::Length, name: "length", least: 1, most: 1 },
    Signature { function: Function::Size, name: "size", least: 1, most: 1 },
    Signature { function: Function::Lower, name: "lower", least: 1, most: 1 },
    Signature { function: Function::Upper, name: "upper", least: 1, most: 1 },
    Signature { function: Function::Coalesce, name: "coalesce", least: 1, most: 8 },
    Signature { function: Function::Search, name: "search", least: 1, most: 2 },
    Signature { function: Function::Similar, name: "similar", least: 1, most: 2 },
    Signature { function: Function::Score, name: "score", least: 1, most: 2 },
];

/// Finds a function.
pub(super) fn function(name: &str) -> Option<Signature> {
    FUNCTIONS.into_iter().find(|signature| signature.name == name)
}

/// Returns what a search is for where it does not say so: the one turn of the patterns, or else the one fact that has a
/// name, or else the one node.
pub(super) fn searched(scope: &Scope) -> Option<(&String, Kind)> {
    [Kind::Turn, Kind::Fact, Kind::Node].into_iter().find_map(|kind| {
        let mut of_kind = scope.iter().filter(|(_, own)| **own == kind).map(|(name, _)| name);
        let first = of_kind.next()?;
        Some(of_kind.next().is_none().then_some((first, kind)))
    })?
}

/// Says whether the types of a node make it a turn.
pub(super) fn is_turn(types: &[super::ast::Word]) -> bool {
    matches!(types, [only] if only.text.eq_ignore_ascii_case("turn"))
}
