//! The window graphs of fixture apps, against expectations written by hand from their sources.

use std::collections::BTreeSet;

use retap_static::{AppDiff, AppWindowKind, CallGraph, InputEvent, WindowWidget};

use crate::{check, input_text, model, open, other_inputs, short, transitions};

/// What version 2 of the shop adds.
const NEW_IN_SHOP_2: &[&str] = &[
    "CatalogActivity#options-menu click @id/orders → OrdersActivity",
    "CartActivity click @id/coupon → CartActivity.askForCoupon#dialog",
    "CartActivity.askForCoupon#dialog click @android:id/button1 → BACK",
    "CartActivity.askForCoupon#dialog click @android:id/button2 → BACK",
    "OrdersActivity item-click @id/orders → OrdersActivity.confirmForget#dialog",
    "OrdersActivity.confirmForget#dialog click @android:id/button1 → BACK",
    "OrdersActivity.confirmForget#dialog click @android:id/button2 → BACK",
];

#[test]
fn the_graph_of_notes_is_what_its_sources_say() {
    let model = model("notes");
    assert_eq!(model.launcher.as_deref().map(short).as_deref(), Some("NotesActivity"));
    check(
        &transitions(&model),
        &[
            "NotesActivity item-click @id/list → EditorActivity",
            "NotesActivity click @id/add → EditorActivity",
            "NotesActivity long-click @id/list → NotesActivity#context-menu",
            "NotesActivity menu → NotesActivity#options-menu",
            "NotesActivity#options-menu click @id/search → SearchActivity",
            "NotesActivity#options-menu click @id/statistics → StatisticsActivity",
            "NotesActivity#options-menu click @id/settings → SettingsActivity",
            "NotesActivity#options-menu click @id/delete_all → NotesActivity.confirmDeleteAll#dialog",
            "NotesActivity#context-menu click @id/share → out-of-app",
            "NotesActivity.confirmDeleteAll#dialog click @android:id/button1 → BACK",
            "NotesActivity.confirmDeleteAll#dialog click @android:id/button2 → BACK",
            "EditorActivity menu → EditorActivity#options-menu",
            "EditorActivity#options-menu click @id/attach → out-of-app",
            "EditorActivity#options-menu click @id/share → out-of-app",
            "EditorActivity#options-menu click @id/delete → EditorActivity.confirmDelete#dialog",
            "EditorActivity.confirmDelete#dialog click @android:id/button1 → BACK",
            "EditorActivity.confirmDelete#dialog click @android:id/button2 → BACK",
            "SearchActivity item-click @id/results → EditorActivity",
        ],
    );
    check(
        &other_inputs(&model),
        &[
            "NotesActivity click @id/undo",
            "NotesActivity#context-menu click @id/pin",
            "NotesActivity#context-menu click @id/delete",
            "EditorActivity#options-menu click @id/count",
            "SearchActivity click @id/go",
        ],
    );
    let editor = model.windows.iter().find(|it| short(&it.id) == "EditorActivity").unwrap();
    let extras: Vec<&str> = editor.extras.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(extras, ["id"]);
    let settings = model.windows.iter().find(|it| short(&it.id) == "SettingsActivity").unwrap();
    let keys: Vec<_> = settings.widgets.iter().filter_map(|it| it.id.as_deref()).collect();
    assert_eq!(keys, ["size", "order", "words", "signature"]);
    assert!(model.hidden_handlers.is_empty(), "{:?}", model.hidden_handlers);
}

#[test]
fn the_graph_of_files_is_what_its_sources_say() {
    let model = model("files");
    check(
        &transitions(&model),
        &[
            "BrowserActivity item-click @id/files → PicturesActivity",
            "BrowserActivity click @id/view → BrowserActivity.openViewMenu#popup-menu",
            "BrowserActivity menu → BrowserActivity#options-menu",
            "BrowserActivity back → BACK",
            "BrowserActivity#options-menu click Options → OptionsActivity",
            "BrowserActivity#options-menu click Help → HelpActivity",
            "BrowserActivity.openViewMenu#popup-menu click @id/options → OptionsActivity",
            "BrowserActivity.openViewMenu#popup-menu click @id/options → BACK",
            "BrowserActivity.openViewMenu#popup-menu dismiss → BACK",
            "HelpActivity click @id/options → OptionsActivity",
            "OptionsActivity click @id/pictures → PicturesActivity",
            "PicturesActivity item-click @id/pictures → PictureActivity",
            "PicturesActivity menu → PicturesActivity#options-menu",
            "PicturesActivity#options-menu click Help → HelpActivity",
        ],
    );
    check(&other_inputs(&model), &[]);
}

#[test]
fn the_graph_of_the_shop_is_what_its_sources_say() {
    let model = model("shop-1");
    check(
        &transitions(&model),
        &[
            "CatalogActivity item-click @id/products → ProductActivity",
            "CatalogActivity menu → CatalogActivity#options-menu",
            "CatalogActivity#options-menu click @id/cart → CartActivity",
            "CatalogActivity#options-menu click @id/settings → SettingsActivity",
            "CatalogActivity#options-menu click @id/about → CatalogActivity.onOptionsItemSelected#dialog",
            "CatalogActivity.onOptionsItemSelected#dialog click @android:id/button1 → BACK",
            "ProductActivity click @id/add → BACK",
            "CartActivity long-click @id/lines → CartActivity#context-menu",
            "CartActivity click @id/checkout → CheckoutActivity",
            "CheckoutActivity click @id/place → CheckoutActivity.confirm#dialog",
            "CheckoutActivity.confirm#dialog click @android:id/button1 → BACK",
            "CheckoutActivity.confirm#dialog dismiss → BACK",
        ],
    );
    check(
        &other_inputs(&model),
        &[
            "ProductActivity click @id/less",
            "ProductActivity click @id/more",
            "ProductActivity click @id/gift",
            "ProductActivity click @id/origin",
            "CartActivity#context-menu click 1",
            "CheckoutActivity checked-change @id/express",
            "SettingsActivity checked-change @id/currency",
            "SettingsActivity checked-change @id/member",
            "SettingsActivity checked-change @id/collect",
        ],
    );
    let hidden: Vec<String> = model.hidden_handlers.iter().map(|it| it.method.clone()).collect();
    let method = |name: &str| format!("Ldev/retap/fixture/shop/ProductActivity;->{name}()V");
    assert_eq!(hidden, [method("showGift"), method("showOrigin")]);
}

#[test]
fn the_graph_of_the_new_shop_is_what_its_sources_say() {
    let (old, new) = (model("shop-1"), model("shop-2"));
    let (before, after) = (transitions(&old), transitions(&new));
    let gone: Vec<&String> = before.difference(&after).collect();
    assert!(gone.is_empty(), "{gone:?}");
    check(&after.difference(&before).cloned().collect(), NEW_IN_SHOP_2);
    let hidden: Vec<String> = new.hidden_handlers.iter().map(|it| it.method.clone()).collect();
    let method = |name: &str| format!("Ldev/retap/fixture/shop/ProductActivity;->{name}()V");
    assert_eq!(hidden, [method("showGift"), method("showOrigin")]);
}

#[test]
fn windows_and_inputs_have_their_literals_and_terms() {
    let model = model("shop-2");
    let window = |name: &str| model.windows.iter().find(|it| short(&it.id) == name).unwrap();
    let product = window("ProductActivity");
    assert!(product.extras.iter().any(|it| it.name == "product"), "{:?}", product.extras);
    assert!(product.literals.iter().any(|it| it == "product"), "{:?}", product.literals);
    let counts = |name: &str, term: &str| window(name).terms.get(term).copied().unwrap_or(0);
    // Fields of the window's own class count once for each method that uses them, literals with their quotes.
    assert!(counts("ProductActivity", "dev.retap.fixture.shop.ProductActivity.product") > 1);
    assert!(counts("ProductActivity", "\"product\"") > 0);
    let place = "CheckoutActivity click @id/place";
    let input = model.inputs.iter().find(|it| input_text(it) == place).unwrap();
    let own = |it: &String| it.starts_with("dev.retap.fixture.shop.") || it.starts_with('"');
    assert!(!input.terms.is_empty() && input.terms.keys().all(own), "{:?}", input.terms);
}

#[test]
fn windows_hold_what_includes_views_helpers_and_preferences_bring() {
    let model = model("windows");
    check(
        &transitions(&model),
        &[
            // Each caller of the helper leads to the activity that it names, and to no other.
            "MainActivity click @id/more → MoreActivity",
            "MainActivity click @id/settings → SettingsActivity",
            // The application implements the interface, and only Android makes it.
            "MainActivity click @id/samples → SamplesActivity",
            "MainActivity item-long-click @id/rows → MainActivity#context-menu",
            "MainActivity menu → MainActivity#options-menu",
            "MainActivity#options-menu click @id/help → HelpActivity",
            "MainActivity#options-menu click @id/about → AboutDialog",
            "MoreActivity click @id/work → MoreActivity.work#dialog",
            "MoreActivity click @android:id/home → BACK",
            "MoreActivity.work#dialog click @android:id/button2 → BACK",
            "MoreActivity.work#dialog click @android:id/button2 → HelpActivity",
            "SettingsActivity preference help → HelpActivity",
            "SamplesActivity item-click @android:id/list → FirstSample",
            "SamplesActivity item-click @android:id/list → SecondSample",
            "HelpActivity click @id/text → AboutDialog",
            "HelpActivity long-click @id/text → HelpActivity.choose#dialog",
            // Each item of a list leads where the code says for its place.
            "HelpActivity.choose#dialog item-click More → BACK",
            "HelpActivity.choose#dialog item-click More → MoreActivity",
            "HelpActivity.choose#dialog item-click Settings → BACK",
            "HelpActivity.choose#dialog item-click Settings → SettingsActivity",
            "HelpActivity.choose#dialog item-click Nothing → BACK",
        ],
    );
    check(
        &other_inputs(&model),
        &[
            "MainActivity touch @id/dial",
            "MainActivity#context-menu click @id/delete",
            "SettingsActivity preference stamp",
        ],
    );
    let ids = |name: &str| -> BTreeSet<String> {
        fn collect(widget: &WindowWidget, ids: &mut BTreeSet<String>) {
            ids.extend(widget.id.clone());
            widget.children.iter().for_each(|it| collect(it, ids));
        }
        let mut ids = BTreeSet::new();
        let window = model.windows.iter().find(|it| short(&it.id) == name).unwrap();
        window.widgets.iter().for_each(|it| collect(it, &mut ids));
        ids
    };
    // The code of a dialog runs while its activity shows, so that the activity has its widgets, too.
    let main = ["title", "more", "dial", "hand", "settings", "samples", "rows", "version"];
    let main: Vec<String> = main.iter().map(|it| format!("@id/{it}")).collect();
    check(&ids("MainActivity"), &main.iter().map(String::as_str).collect::<Vec<_>>());
    check(&ids("SettingsActivity"), &["stamp", "help"]);
    check(&ids("HelpActivity"), &["@id/text", "@id/side", "@id/version"]);
    check(&ids("AboutDialog"), &["@id/version"]);
}

#[test]
fn libraries_add_their_widgets_to_a_window() {
    let model = model("modern");
    let main = model.windows.iter().find(|it| short(&it.id) == "MainActivity").unwrap();
    let has = |id: &str| main.library_widgets.iter().any(|it| it.id.as_deref() == Some(id));
    assert!(has("@id/action_bar_root"), "{:?}", main.library_widgets);
}

#[test]
fn an_update_marks_the_inputs_that_reach_it() {
    let mut model = model("shop-2");
    let sets = AppDiff::compare(&open("shop-1"), &open("shop-2")).unwrap().sets();
    model.mark_targets(&[sets.modified, sets.new].concat());
    let targets = |text: &str| -> Vec<String> {
        let input = model.inputs.iter().find(|it| input_text(it) == text).unwrap();
        let short =
            |it: &String| it.split('(').next().unwrap().rsplit('/').next().unwrap().to_owned();
        input.target_methods.iter().map(short).collect()
    };
    let reaches = |text: &str, method: &str| targets(text).iter().any(|it| it.starts_with(method));
    assert!(reaches("CheckoutActivity click @id/place", "CheckoutActivity;->placeOrder"));
    assert!(reaches("CheckoutActivity click @id/place", "Cart;->clear"));
    assert!(reaches("CartActivity lifecycle", "Prices;->total"));
    assert!(reaches("CheckoutActivity checked-change @id/express", "Prices;->total"));
    assert_eq!(targets("ProductActivity click @id/less"), [""; 0]);
    assert_eq!(targets("SettingsActivity checked-change @id/member"), [""; 0]);
    let gift = model.hidden_handlers.iter().find(|it| it.method.contains("showGift")).unwrap();
    assert_eq!(gift.target_methods, std::slice::from_ref(&gift.method));
}

#[test]
fn kotlin_fragments_and_libraries_belong_to_the_window_that_hosts_them() {
    let model = model("modern");
    let activities: Vec<_> =
        model.windows.iter().filter(|it| it.kind == AppWindowKind::Activity).collect();
    let main = activities.iter().find(|it| short(&it.id) == "MainActivity").unwrap();
    assert!(main.fragments.iter().any(|it| short(it) == "PlantsFragment"), "{:?}", main.fragments);
    assert!(main.layouts.iter().any(|it| it == "@layout/plants"), "{:?}", main.layouts);
    let handled =
        model.inputs.iter().any(|it| it.event == InputEvent::Click && it.widget.is_some());
    assert!(handled, "{:#?}", model.inputs);
}

#[test]
fn a_call_graph_reaches_what_android_and_xml_name_and_what_those_call() {
    let graph = CallGraph::read(&open("routes")).unwrap();
    assert!(graph.calls > 0 && graph.reached.is_subset(&graph.own));
    // Only the navigation graph names the fragment; only its code registers the lambda.
    for name in ["HomeFragment;->onViewCreated(", "HomeFragment;->lambda$onViewCreated$0("] {
        assert!(graph.reached.iter().any(|it| it.contains(name)), "{name}: {:#?}", graph.reached);
    }
}
