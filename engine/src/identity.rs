//! Which entities are one in a view: a pure function of the `same_as` statements visible there.
