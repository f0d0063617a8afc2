//! BHDD (SimplyDroid, ASE 2017): HDD whose parts are balanced by the events in their subtrees.

use super::hdd;
use crate::hierarchy::{Balance, StateTree};
use crate::search::{Examiner, SearchStop};

pub(crate) fn reduce(examiner: &mut Examiner<'_>, tree: &StateTree) -> Result<(), SearchStop> {
    hdd::reduce_levels(examiner, tree, Balance::Events)
}
