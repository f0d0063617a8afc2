//! The concrete graph (GSTG): every screen that was seen and every event between two of them.

use crate::targets::TargetNumber;
use retap_model::{Event, Screen, ScreenId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An event that led from a screen to a screen.
#[derive(Debug, Clone, PartialEq)]
pub struct ConcreteStep {
    pub from: ScreenId,
    pub event: Event,
    pub to: ScreenId,
    /// The targets that ran.
    pub covered: BTreeSet<TargetNumber>,
}

#[derive(Debug, Clone, Default)]
pub struct ConcreteGraph {
    screens: BTreeMap<ScreenId, Arc<Screen>>,
    pub steps: Vec<ConcreteStep>,
    /// Events after which the app was gone: it crashed, or lost the device.
    pub endings: Vec<(ScreenId, Event)>,
}

impl ConcreteGraph {
    pub fn keep_screen(&mut self, id: ScreenId, screen: &Screen) {
        self.screens.entry(id).or_insert_with(|| Arc::new(screen.clone()));
    }

    pub fn screen(&self, id: ScreenId) -> Option<&Arc<Screen>> {
        self.screens.get(&id)
    }

    pub fn screen_count(&self) -> usize {
        self.screens.len()
    }

    pub fn screens(&self) -> impl Iterator<Item = (ScreenId, &Arc<Screen>)> {
        self.screens.iter().map(|(id, screen)| (*id, screen))
    }
}
