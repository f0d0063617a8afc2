//! LHDD (SimplyDroid, table 3): BHDD with local checks and pre-selection.
//!
//! Above the level of the end, a candidate passes as soon as it leads to the next level. Only the
//! shortest tail of a level that leads there is reduced.

mod descent;

pub(crate) use descent::{DescentOptions, DescentResult, descend};

use super::{bhdd, hdd};
use crate::hierarchy::StateTree;
use crate::search::{Examiner, SearchStop};

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    preselect: bool,
) -> Result<(), SearchStop> {
    let options =
        DescentOptions { preselect, reduce_level: hdd::inlevel_hdd, try_last_nodes: false };
    match descend(examiner, tree, options)? {
        DescentResult::LocalChecksHeld => Ok(()),
        DescentResult::NodesRestored => bhdd::reduce(examiner, tree),
    }
}
