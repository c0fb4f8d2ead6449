//! The names of worlds: people, employers, cities and projects. No two of a kind are alike, so that no rule has a reason
//! to take one for another.

use crate::belief::splitmix::Random;

pub(super) const GIVEN: &[&str] = &[
    "Adele", "Bruno", "Carla", "Derek", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas", "Karin", "Leon",
    "Mara", "Nils", "Olga", "Pavel", "Rosa", "Stefan", "Tilda", "Viktor", "Wanda", "Yusuf",
];

pub(super) const FAMILY: &[&str] = &[
    "Abrams",
    "Brandt",
    "Castellano",
    "Drummond",
    "Eriksen",
    "Fontaine",
    "Gallagher",
    "Hofmann",
    "Ivanova",
    "Jankowski",
    "Kowalczyk",
    "Lindqvist",
    "Moretti",
    "Novak",
    "Okafor",
    "Petrov",
    "Quigley",
    "Rasmussen",
    "Schneider",
    "Tanaka",
    "Urbina",
    "Vasquez",
    "Whitfield",
    "Yamamoto",
];

pub(super) const EMPLOYERS: &[&str] = &[
    "Brightwater",
    "Northgate Labs",
    "Halcyon",
    "Quartzline",
    "Bluefin Logistics",
    "Ironwood",
    "Lumenta",
    "Cobaltix",
    "Redmill Foods",
    "Silverfern",
    "Tandemly",
    "Orchid Systems",
    "Pinecrest Bank",
    "Vantora",
    "Kestrel Air",
    "Mosaic Health",
    "Windrose",
    "Emberly",
    "Granite Works",
    "Foxglove Media",
    "Stellarix",
    "Deepwell",
    "Amberjack",
    "Crosswind Energy",
    "Larkspur",
    "Octavo Press",
    "Riverbend Clinic",
    "Zephyrline",
];

pub(super) const CITIES: &[&str] = &[
    "Lisbon",
    "Oslo",
    "Vienna",
    "Toronto",
    "Seattle",
    "Prague",
    "Dublin",
    "Helsinki",
    "Madrid",
    "Chicago",
    "Warsaw",
    "Zurich",
    "Boston",
    "Athens",
    "Milan",
    "Denver",
    "Hamburg",
    "Lyon",
    "Krakow",
    "Glasgow",
    "Portland",
    "San Diego",
    "New Orleans",
    "Kyoto",
    "Melbourne",
    "Montreal",
    "Rotterdam",
    "Valencia",
];

pub(super) const PROJECTS: &[&str] = &[
    "Falcon", "Juniper", "Atlas", "Nimbus", "Cedar", "Borealis", "Harbor", "Saffron", "Beacon", "Tundra",
    "Marigold", "Onyx", "Lantern", "Meridian", "Sparrow", "Glacier", "Papaya", "Compass", "Thistle", "Drift",
    "Ember", "Quasar", "Willow", "Zenith",
];

/// Names in an order of their own, handed out one after the other, so that none stands for two things.
pub(super) struct Pool(Vec<&'static str>);

impl Pool {
    /// Shuffles names.
    pub(super) fn new(names: &[&'static str], random: &mut Random) -> Pool {
        let mut names = names.to_vec();
        for place in (1..names.len()).rev() {
            let other = random.below(place as u64 + 1);
            names.swap(place, usize::try_from(other).unwrap_or(place));
        }
        Pool(names)
    }

    /// Hands out the next name.
    pub(super) fn next(&mut self) -> String {
        self.0.pop().expect("a world needs fewer names than there are").to_owned()
    }
}
