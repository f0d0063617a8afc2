//! A Java test for Espresso, which runs inside the app's process. It fails where the app crashes.

use crate::language::Language;
use crate::query::Query;
use crate::quoting::java;
use crate::shell;
use crate::trace::ExportedTrace;
use retap_model::{Event, Key, Orientation, Point, Target};

const BEGINNING: &str = r#"import static androidx.test.espresso.Espresso.onView;
import static androidx.test.espresso.Espresso.openActionBarOverflowOrOptionsMenu;
import static androidx.test.espresso.Espresso.pressBackUnconditionally;
import static androidx.test.espresso.action.ViewActions.actionWithAssertions;
import static androidx.test.espresso.action.ViewActions.click;
import static androidx.test.espresso.action.ViewActions.closeSoftKeyboard;
import static androidx.test.espresso.action.ViewActions.longClick;
import static androidx.test.espresso.action.ViewActions.pressKey;
import static androidx.test.espresso.action.ViewActions.replaceText;
import static androidx.test.espresso.matcher.ViewMatchers.hasFocus;
import static androidx.test.espresso.matcher.ViewMatchers.isDisplayed;
import static androidx.test.espresso.matcher.ViewMatchers.isRoot;
import static androidx.test.espresso.matcher.ViewMatchers.withContentDescription;
import static androidx.test.espresso.matcher.ViewMatchers.withResourceName;
import static androidx.test.espresso.matcher.ViewMatchers.withText;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.startsWith;

import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyEvent;
import android.view.MotionEvent;
import androidx.test.core.app.ActivityScenario;
import androidx.test.core.app.ApplicationProvider;
import androidx.test.espresso.ViewAction;
import androidx.test.espresso.action.CoordinatesProvider;
import androidx.test.espresso.action.GeneralClickAction;
import androidx.test.espresso.action.GeneralSwipeAction;
import androidx.test.espresso.action.Press;
import androidx.test.espresso.action.Swipe;
import androidx.test.espresso.action.Tap;
import androidx.test.espresso.action.Tapper;
import androidx.test.ext.junit.runners.AndroidJUnit4;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(AndroidJUnit4.class)
public class RetapTest {
  /** A place on the screen, wherever the window lies. */
  private static CoordinatesProvider at(float x, float y) {
    return view -> new float[] {x, y};
  }

  private static ViewAction touch(Tapper tapper, float x, float y) {
    return actionWithAssertions(
        new GeneralClickAction(
            tapper, at(x, y), Press.FINGER, InputDevice.SOURCE_UNKNOWN, MotionEvent.BUTTON_PRIMARY));
  }

  private static ViewAction drag(float x1, float y1, float x2, float y2) {
    return actionWithAssertions(
        new GeneralSwipeAction(Swipe.FAST, at(x1, y1), at(x2, y2), Press.FINGER));
  }

  @Test
  public void repeatsTheTrace() {
    Context context = ApplicationProvider.getApplicationContext();
    Intent intent = context.getPackageManager().getLaunchIntentForPackage(context.getPackageName());
    ActivityScenario<Activity> scenario = ActivityScenario.launch(intent);"#;

pub struct Espresso;

impl Language for Espresso {
    const COMMENT: &'static str = "//";
    const INDENT: &'static str = "    ";

    fn begin(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        let mut lines = vec![
            format!("// {}.", trace.purpose()),
            format!("// The places are those of a screen of {}.", trace.display),
            "// The trace begins with a clean install: run the test with the orchestrator's clearPackageData.".into(),
        ];
        lines.extend(BEGINNING.lines().map(str::to_string));
        lines
    }

    fn step(&mut self, event: &Event, _: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
        let cannot = || Err(format!("a test inside the app cannot {event}"));
        let line = match event {
            Event::Tap(target) => touch(target, "click()", "SINGLE")?,
            Event::LongPress(target) => touch(target, "longClick()", "LONG")?,
            Event::Drag { from, to, .. } => {
                let Point { x, y } =
                    from.at.ok_or_else(|| format!("the place of {from} is unknown"))?;
                format!("onView(isRoot()).perform(drag({x}, {y}, {}, {}));", to.x, to.y)
            }
            Event::Text { on, text } => return Ok(type_into(on, text)),
            Event::Key(key) => press(key)?,
            Event::Rotate(orientation) => format!(
                "scenario.onActivity(it -> it.setRequestedOrientation(ActivityInfo.{}));",
                orientation_name(*orientation)
            ),
            Event::Wait(ms) => format!("SystemClock.sleep({ms});"),
            Event::Pinch { .. }
            | Event::Intent(_)
            | Event::System(_)
            | Event::Launch
            | Event::Close
            | Event::Hasty(_) => return cannot(),
        };
        Ok(vec![line])
    }

    fn end(&mut self, _: &ExportedTrace<'_>) -> Vec<String> {
        vec!["    scenario.close();".into(), "  }".into(), "}".into()]
    }
}

fn touch(target: &Target, action: &str, tapper: &str) -> Result<String, String> {
    match (Query::of(target), target.at) {
        (Some(query), _) => Ok(format!("onView({}).perform({action});", matcher(query))),
        (None, Some(Point { x, y })) => {
            Ok(format!("onView(isRoot()).perform(touch(Tap.{tapper}, {x}, {y}));"))
        }
        (None, None) => Err(format!("the place of {target} is unknown")),
    }
}

fn type_into(on: &Target, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let field = match (Query::of(on), on.at) {
        (Some(query), _) => matcher(query),
        (None, at) => {
            lines.extend(at.map(|Point { x, y }| {
                format!("onView(isRoot()).perform(touch(Tap.SINGLE, {x}, {y}));")
            }));
            "hasFocus()".into()
        }
    };
    let text = java(text);
    lines.push(format!("onView({field}).perform(replaceText({text}), closeSoftKeyboard());"));
    lines
}

fn press(key: &Key) -> Result<String, String> {
    if *key == Key::back() {
        return Ok("pressBackUnconditionally();".into());
    }
    if *key == Key::menu() {
        return Ok("openActionBarOverflowOrOptionsMenu(context);".into());
    }
    if *key == Key::home() {
        return Err("a test inside the app cannot press home".into());
    }
    let name = shell::key_name(key)?;
    Ok(format!("onView(isRoot()).perform(pressKey(KeyEvent.{name}));"))
}

fn orientation_name(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Portrait => "SCREEN_ORIENTATION_PORTRAIT",
        Orientation::Landscape => "SCREEN_ORIENTATION_LANDSCAPE",
        Orientation::ReversePortrait => "SCREEN_ORIENTATION_REVERSE_PORTRAIT",
        Orientation::ReverseLandscape => "SCREEN_ORIENTATION_REVERSE_LANDSCAPE",
    }
}

fn matcher(query: Query<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(id) = query.id {
        parts.push(format!("withResourceName({})", java(id)));
    }
    if let Some(text) = query.text {
        let value = java(text.value);
        let value = if text.is_cut { format!("startsWith({value})") } else { value };
        parts.push(format!("withText({value})"));
    }
    if let Some(description) = query.description {
        parts.push(format!("withContentDescription({})", java(description)));
    }
    parts.push("isDisplayed()".into());
    format!("allOf({})", parts.join(", "))
}
