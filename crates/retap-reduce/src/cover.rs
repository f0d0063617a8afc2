//! The smallest choice of whole recordings with the same coverage: no step is cut and nothing is replayed. An app's own
//! tests are chosen so, because a test cannot be shortened.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolutionStatus, SolveOutcome};
use retap_model::{Coverage, UnitId};
use std::collections::{BTreeMap, BTreeSet};

/// The most entries of a problem that is solved exactly: some hundred tests. Larger ones could take hours.
const MOST_ENTRIES: usize = 5_000;
/// Something that can be chosen.
#[derive(Debug, Clone)]
pub struct CoverCandidate {
    pub covers: Coverage,
    /// Decides between choices of the same size.
    pub cost: u64,
}

/// A choice that covers what all candidates cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The positions of the chosen candidates, in order.
    pub chosen: Vec<usize>,
    /// Whether no smaller choice exists.
    pub is_smallest: bool,
}

/// The candidates that cover a unit. Units with the same ones are one row.
type Row = BTreeSet<usize>;

/// Chooses as few candidates as possible with the coverage of all, and the cheapest of these.
pub fn smallest_cover(candidates: &[CoverCandidate]) -> Cover {
    let rows = rows(candidates);
    // Whoever alone covers something is needed.
    let needed: BTreeSet<usize> =
        rows.iter().filter(|row| row.len() == 1).flatten().copied().collect();
    let open: Vec<Row> = rows.into_iter().filter(|row| row.is_disjoint(&needed)).collect();
    let entries: usize = open.iter().map(BTreeSet::len).sum();
    let solved = if entries <= MOST_ENTRIES { solve(&open, candidates) } else { None };
    let is_smallest = solved.is_some();
    let rest = solved.unwrap_or_else(|| choose_greedily(open, candidates));
    Cover { chosen: needed.union(&rest).copied().collect(), is_smallest }
}

/// Returns the rows that matter: one that contains another is covered with it.
fn rows(candidates: &[CoverCandidate]) -> Vec<Row> {
    let mut by_unit: BTreeMap<UnitId, Row> = BTreeMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        for unit in candidate.covers.iter() {
            by_unit.entry(unit).or_default().insert(index);
        }
    }
    let mut distinct: Vec<Row> =
        by_unit.into_values().collect::<BTreeSet<Row>>().into_iter().collect();
    distinct.sort_by_key(BTreeSet::len);
    let mut kept: Vec<Row> = Vec::new();
    for row in distinct {
        if !kept.iter().any(|smaller| smaller.is_subset(&row)) {
            kept.push(row);
        }
    }
    kept
}

/// Solves the problem exactly; `None` if the solver gives up.
fn solve(open: &[Row], candidates: &[CoverCandidate]) -> Option<BTreeSet<usize>> {
    let columns: BTreeSet<usize> = open.iter().flatten().copied().collect();
    if columns.is_empty() {
        return Some(columns);
    }
    let total: u64 = columns.iter().map(|&column| candidates[column].cost).sum();
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut variables = BTreeMap::new();
    for &column in &columns {
        // All costs together weigh less than one candidate.
        let weight = 1.0 + candidates[column].cost as f64 / (total as f64 + 1.0) / 2.0;
        variables.insert(column, problem.add_binary_var(weight));
    }
    for row in open {
        let terms: Vec<_> = row.iter().map(|column| (variables[column], 1.0)).collect();
        problem.add_constraint(terms, ComparisonOp::Ge, 1.0);
    }
    let SolveOutcome::Solution(solution) = problem.solve().ok()? else { return None };
    if solution.status() != SolutionStatus::Optimal {
        return None;
    }
    let chosen: BTreeSet<usize> = variables
        .into_iter()
        .filter(|(_, variable)| solution.var_value(*variable).round() >= 1.0)
        .map(|(column, _)| column)
        .collect();
    open.iter().all(|row| !row.is_disjoint(&chosen)).then_some(chosen)
}

/// Chooses each time the candidate that covers most of what is left, the cheapest of these.
fn choose_greedily(mut open: Vec<Row>, candidates: &[CoverCandidate]) -> BTreeSet<usize> {
    let mut chosen = BTreeSet::new();
    while !open.is_empty() {
        let mut gains: BTreeMap<usize, usize> = BTreeMap::new();
        open.iter().flatten().for_each(|column| *gains.entry(*column).or_default() += 1);
        let best = gains
            .into_iter()
            .max_by_key(|(column, gain)| (*gain, std::cmp::Reverse(candidates[*column].cost)));
        let Some((best, _)) = best else { break };
        open.retain(|row| !row.contains(&best));
        chosen.insert(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(units: &[u32], cost: u64) -> CoverCandidate {
        CoverCandidate { covers: units.iter().copied().collect(), cost }
    }

    fn check(candidates: &[CoverCandidate], expected: &[usize]) {
        let cover = smallest_cover(candidates);
        assert_eq!(cover.chosen, expected);
        assert!(cover.is_smallest);
    }

    #[test]
    fn the_smallest_choice_is_found_where_greed_misses_it() {
        // Greed takes the third first and needs three.
        let greedy_trap = [
            candidate(&[1, 2, 3, 4, 5], 1),
            candidate(&[6, 7, 8, 9, 10], 1),
            candidate(&[1, 2, 3, 6, 7, 8], 1),
            candidate(&[4, 9], 1),
            candidate(&[5, 10], 1),
        ];
        check(&greedy_trap, &[0, 1]);
    }

    #[test]
    fn of_two_choices_of_a_size_the_cheaper_one_is_taken() {
        check(&[candidate(&[1, 2], 9), candidate(&[1, 2], 3), candidate(&[2], 0)], &[1]);
        check(&[candidate(&[1], 0), candidate(&[], 0)], &[0]);
        check(&[], &[]);
    }

    proptest! {
        #[test]
        fn a_choice_covers_everything_and_none_is_smaller(
            sets in proptest::collection::vec(proptest::collection::vec(0_u32..12, 0..6), 0..8)
        ) {
            let all: Vec<CoverCandidate> = sets.iter().map(|set| candidate(set, 1)).collect();
            let union = |which: &mut dyn Iterator<Item = usize>| {
                which.fold(Coverage::new(), |sum, index| sum.union(&all[index].covers))
            };
            let wanted = union(&mut (0..all.len()));
            let cover = smallest_cover(&all);
            prop_assert_eq!(&union(&mut cover.chosen.iter().copied()), &wanted);
            let smallest = (0_u32..1 << all.len())
                .filter(|bits| {
                    union(&mut (0..all.len()).filter(|index| bits >> index & 1 == 1)) == wanted
                })
                .map(u32::count_ones)
                .min();
            prop_assert_eq!(Some(cover.chosen.len() as u32), smallest);
        }
    }
}
