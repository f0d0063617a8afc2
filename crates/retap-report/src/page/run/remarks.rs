//! The parts of the run directory that are missing or damaged.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::RunData;
use maud::html;

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    if run.remarks.is_empty() && run.damage.is_empty() {
        return None;
    }
    let remarks = || run.remarks.iter().chain(&run.damage);
    let body = html! { ul { @for remark in remarks() { li { bdi { (remark) } } } } };
    Some(PageSection::new("remarks", "Remarks", body).counted(remarks().count()))
}
