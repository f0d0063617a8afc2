//! The canonical forms of a version's methods. Each is made when something first asks for it: every round of matching asks
//! again.

use std::sync::OnceLock;

use crate::canonical::{CanonicalCode, CanonicalForm, Naming, canonical_form};
use crate::program::Program;

pub struct CanonicalForms<'a> {
    pub program: &'a Program<'a>,
    /// One for each method, class by class.
    forms: Vec<OnceLock<CanonicalForm<'a>>>,
    /// Where the methods of each class begin.
    starts: Vec<usize>,
}

/// A method, by its class's position in the program and its own in the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodPlace {
    pub class: usize,
    pub method: usize,
}

impl<'a> CanonicalForms<'a> {
    pub fn new(program: &'a Program<'a>) -> Self {
        let mut count = 0;
        let mut starts = Vec::with_capacity(program.classes.len());
        for class in &program.classes {
            starts.push(count);
            count += class.definition.methods.len();
        }
        let forms = std::iter::repeat_with(OnceLock::new).take(count).collect();
        CanonicalForms { program, forms, starts }
    }

    pub fn of(&self, place: MethodPlace) -> &CanonicalForm<'a> {
        self.slot(place).get_or_init(|| self.make(place, self.code(place).as_ref()))
    }

    /// Compares two methods, each spelled by its own naming. Forms are made only if nothing cheaper tells the methods
    /// apart.
    pub fn is_same(
        &self,
        (place, naming): (MethodPlace, &dyn Naming),
        other: &CanonicalForms,
        (its_place, its_naming): (MethodPlace, &dyn Naming),
    ) -> bool {
        if let (Some(form), Some(its_form)) = (self.slot(place).get(), other.slot(its_place).get())
        {
            return form.is_same(naming, its_form, its_naming);
        }
        let effects = |code: &Option<CanonicalCode>| code.as_ref().map(CanonicalCode::effects);
        let (code, its_code) = (self.code(place), other.code(its_place));
        effects(&code) == effects(&its_code) && {
            let form = self.slot(place).get_or_init(|| self.make(place, code.as_ref()));
            let slot = other.slot(its_place);
            let its_form = slot.get_or_init(|| other.make(its_place, its_code.as_ref()));
            form.is_same(naming, its_form, its_naming)
        }
    }

    fn slot(&self, place: MethodPlace) -> &OnceLock<CanonicalForm<'a>> {
        &self.forms[self.starts[place.class] + place.method]
    }

    fn code(&self, place: MethodPlace) -> Option<CanonicalCode<'a>> {
        let class = &self.program.classes[place.class];
        let code = class.definition.methods[place.method].code.as_ref()?;
        Some(CanonicalCode::new(class, code))
    }

    fn make(&self, place: MethodPlace, code: Option<&CanonicalCode<'a>>) -> CanonicalForm<'a> {
        let class = &self.program.classes[place.class];
        let method = &class.definition.methods[place.method];
        canonical_form(class, method, code, self.program.resources)
    }
}
