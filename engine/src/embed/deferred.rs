//! An embedder that is made when vectors are first needed.
//!
//! Most commands need none, and making one may take long or fail: a model's file is read, a service is asked for its
//! dimension. What could not be made is tried again the next time, so that a service may come up in between.

use std::sync::Arc;

use super::{EmbedError, Embedder};

/// What makes an embedder.
pub type MakeEmbedder = Box<dyn Fn() -> Result<Arc<dyn Embedder>, EmbedError> + Send + Sync>;

/// An embedder, or what makes it.
pub(crate) struct Deferred {
    make: MakeEmbedder,
    made: Option<Arc<dyn Embedder>>,
}

impl Deferred {
    /// Makes nothing yet.
    pub(crate) fn new(make: MakeEmbedder) -> Deferred {
        Deferred { make, made: None }
    }

    /// Returns the embedder, which is made unless it is there.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) fn get(&mut self) -> Result<Arc<dyn Embedder>, EmbedError> {
        match &self.made {
            Some(made) => Ok(Arc::clone(made)),
            None => Ok(Arc::clone(self.made.insert((self.make)()?))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::StaticEmbedder;
    use super::*;

    #[test]
    fn an_embedder_is_made_once_and_a_failure_is_tried_again() {
        let n_tries = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&n_tries);
        let mut deferred = Deferred::new(Box::new(move || match counted.fetch_add(1, Ordering::Relaxed) {
            0 => Err(EmbedError::Table("torn".to_owned())),
            _ => Ok(Arc::new(StaticEmbedder::built_in()?)),
        }));
        assert_eq!(n_tries.load(Ordering::Relaxed), 0);
        assert!(matches!(deferred.get().map(|_| ()), Err(EmbedError::Table(_))));
        let made = deferred.get().unwrap();
        assert!(Arc::ptr_eq(&made, &deferred.get().unwrap()));
        assert_eq!(n_tries.load(Ordering::Relaxed), 2);
    }
}
