// The visible half of a web view: it lays its page out as text, draws it, scrolls it and finds the
// link under a finger. Its methods are those of WebViewProvider's two delegates.
package dev.retap.agent.device.web;

import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.os.Bundle;
import android.os.Handler;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewConfiguration;
import android.view.ViewGroup;
import android.view.WindowInsets;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.webkit.WebView;
import android.webkit.WebViewProvider;
import java.util.function.Consumer;

@SuppressWarnings("unused")
final class WebTabView {
  private final WebView view;
  private final WebView.PrivateAccess access;
  private final Consumer<String> follow;
  private final WebViewProvider.ViewDelegate viewDelegate =
      ProviderProxy.of(WebViewProvider.ViewDelegate.class, this);
  private final WebViewProvider.ScrollDelegate scrollDelegate =
      ProviderProxy.of(WebViewProvider.ScrollDelegate.class, this);
  private Page page = Page.EMPTY;
  private PageLayout layout;
  private int background = Color.WHITE;
  private float downY;
  private float lastY;
  private boolean dragged;

  /**
   * @param follow gets the target of a link that was tapped
   */
  WebTabView(WebView view, WebView.PrivateAccess access, Consumer<String> follow) {
    this.view = view;
    this.access = access;
    this.follow = follow;
  }

  WebViewProvider.ViewDelegate viewDelegate() {
    return viewDelegate;
  }

  WebViewProvider.ScrollDelegate scrollDelegate() {
    return scrollDelegate;
  }

  void show(Page shown) {
    page = shown;
    layout = null;
    access.super_scrollTo(0, 0);
    if (view.getLayoutParams() != null
        && view.getLayoutParams().height == ViewGroup.LayoutParams.WRAP_CONTENT) {
      view.requestLayout();
    }
    view.invalidate();
  }

  int count(String text) {
    int count = 0;
    for (int at = 0; text != null && !text.isEmpty(); at += text.length()) {
      at = page.text().toLowerCase().indexOf(text.toLowerCase(), at);
      if (at < 0) {
        break;
      }
      count++;
    }
    return count;
  }

  boolean hasImages() {
    return page.parts().stream().anyMatch(part -> part.kind() == Page.Kind.IMAGE);
  }

  /** Returns the height in the page's own pixels. */
  int contentHeight() {
    return (int) (layout(view.getWidth()).height() / layout.density());
  }

  /** Scrolls by so many pixels, within the page; returns false at its end. */
  boolean scroll(int by) {
    int most = Math.max(0, layout(view.getWidth()).height() - view.getHeight());
    int next = Math.max(0, Math.min(most, view.getScrollY() + by));
    if (next == view.getScrollY()) {
      return false;
    }
    access.super_scrollTo(view.getScrollX(), next);
    return true;
  }

  PageLayout layout(int width) {
    if (layout == null || layout.width() != width) {
      layout = new PageLayout(page, width, view.getResources().getDisplayMetrics().density);
    }
    return layout;
  }

  boolean onTouchEvent(MotionEvent event) {
    switch (event.getActionMasked()) {
      case MotionEvent.ACTION_DOWN -> {
        downY = lastY = event.getY();
        dragged = false;
        if (view.isFocusable() && !view.isFocused()) {
          view.requestFocus();
        }
      }
      case MotionEvent.ACTION_MOVE -> {
        int slop = ViewConfiguration.get(view.getContext()).getScaledTouchSlop();
        dragged |= Math.abs(event.getY() - downY) > slop;
        if (dragged) {
          scroll((int) (lastY - event.getY()));
          lastY = event.getY();
        }
      }
      case MotionEvent.ACTION_UP -> {
        Page.Part part =
            dragged
                ? null
                : layout(view.getWidth()).partAt(event.getX(), event.getY() + view.getScrollY());
        if (part != null && part.kind() == Page.Kind.LINK) {
          view.playSoundEffect(android.view.SoundEffectConstants.CLICK);
          view.post(() -> follow.accept(part.target()));
        }
      }
      default -> dragged = true;
    }
    return true;
  }

  void onDraw(Canvas canvas) {
    if (background != Color.TRANSPARENT) {
      canvas.drawColor(background);
    }
    layout(view.getWidth()).draw(canvas);
  }

  void setBackgroundColor(int colour) {
    background = colour;
    view.invalidate();
  }

  /** A web view as high as its content is measured when the page is there. */
  void onMeasure(int width, int height) {
    int mode = View.MeasureSpec.getMode(height);
    int wide = View.MeasureSpec.getSize(width);
    int high = View.MeasureSpec.getSize(height);
    if (mode != View.MeasureSpec.EXACTLY) {
      int content = layout(wide).height();
      high = mode == View.MeasureSpec.UNSPECIFIED ? content : Math.min(high, content);
    }
    access.setMeasuredDimension(wide, high);
  }

  AccessibilityNodeProvider getAccessibilityNodeProvider() {
    return view.getWidth() == 0 ? null : new PageNodes(view, page, layout(view.getWidth()));
  }

  void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo node) {
    node.setScrollable(layout(view.getWidth()).height() > view.getHeight());
  }

  int computeVerticalScrollRange() {
    return Math.max(view.getHeight(), layout(view.getWidth()).height());
  }

  int computeVerticalScrollOffset() {
    return view.getScrollY();
  }

  int computeVerticalScrollExtent() {
    return view.getHeight();
  }

  int computeHorizontalScrollRange() {
    return view.getWidth();
  }

  int computeHorizontalScrollOffset() {
    return 0;
  }

  void setLayoutParams(ViewGroup.LayoutParams params) {
    access.super_setLayoutParams(params);
  }

  boolean setFrame(int left, int top, int right, int bottom) {
    return access.super_setFrame(left, top, right, bottom);
  }

  boolean requestFocus(int direction, Rect former) {
    return access.super_requestFocus(direction, former);
  }

  boolean dispatchKeyEvent(KeyEvent event) {
    return access.super_dispatchKeyEvent(event);
  }

  boolean performLongClick() {
    return access.super_performLongClick();
  }

  boolean performAccessibilityAction(int action, Bundle arguments) {
    return access.super_performAccessibilityAction(action, arguments);
  }

  boolean onHoverEvent(MotionEvent event) {
    return access.super_onHoverEvent(event);
  }

  boolean onGenericMotionEvent(MotionEvent event) {
    return access.super_onGenericMotionEvent(event);
  }

  WindowInsets onApplyWindowInsets(WindowInsets insets) {
    return access.super_onApplyWindowInsets(insets);
  }

  Handler getHandler(Handler original) {
    return original;
  }

  View findFocus(View original) {
    return original;
  }

  boolean shouldDelayChildPressedState() {
    return true;
  }

  boolean onTrackballEvent(MotionEvent event) {
    return false;
  }

  boolean onKeyDown(int key, KeyEvent event) {
    return false;
  }

  boolean onKeyUp(int key, KeyEvent event) {
    return false;
  }

  boolean onKeyMultiple(int key, int count, KeyEvent event) {
    return false;
  }

  boolean onDragEvent(android.view.DragEvent event) {
    return false;
  }

  boolean requestChildRectangleOnScreen(View child, Rect part, boolean immediate) {
    return false;
  }

  /** Fields of a page take no text here. */
  boolean onCheckIsTextEditor() {
    return false;
  }

  InputConnection onCreateInputConnection(EditorInfo info) {
    return null;
  }

  boolean isVisibleToUserForAutofill(int id) {
    return false;
  }

  Object onResolvePointerIcon(MotionEvent event, int pointer) {
    return null;
  }
}
