// The pages that a web view has shown, and which of them it shows now.
package dev.retap.agent.device.web;

import android.graphics.Bitmap;
import android.webkit.WebBackForwardList;
import android.webkit.WebHistoryItem;
import java.util.ArrayList;
import java.util.List;

final class History {
  /** One page: its address, and its content if the app gave that itself. */
  static final class Entry {
    final String address;
    final String shownAddress;
    final String content;
    final String type;
    String title;

    /**
     * @param address what callbacks name
     * @param shownAddress what the web view gives as its address
     */
    Entry(String address, String shownAddress, String content, String type) {
      this.address = address;
      this.shownAddress = shownAddress;
      this.content = content;
      this.type = type;
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private int index = -1;

  Entry current() {
    return index < 0 ? null : entries.get(index);
  }

  /** Goes to a new page, which ends the way forward; the same address again is no new page. */
  void visit(Entry entry) {
    Entry current = current();
    if (current != null && entry.content == null && current.address.equals(entry.address)) {
      entries.set(index, entry);
      return;
    }
    entries.subList(index + 1, entries.size()).clear();
    entries.add(entry);
    index++;
  }

  boolean canMove(int steps) {
    return index + steps >= 0 && index + steps < entries.size();
  }

  Entry move(int steps) {
    index += steps;
    return current();
  }

  /** Forgets all pages but the one shown. */
  void clear() {
    Entry current = current();
    entries.clear();
    index = -1;
    if (current != null) {
      entries.add(current);
      index = 0;
    }
  }

  ArrayList<String> addresses() {
    ArrayList<String> addresses = new ArrayList<>();
    entries.forEach(entry -> addresses.add(entry.address));
    return addresses;
  }

  int index() {
    return index;
  }

  void restore(List<String> addresses, int index) {
    entries.clear();
    addresses.forEach(address -> entries.add(new Entry(address, address, null, null)));
    this.index = index;
  }

  WebBackForwardList copy() {
    List<WebHistoryItem> items = new ArrayList<>();
    for (Entry entry : entries) {
      items.add(new Item(entry.shownAddress, entry.title));
    }
    return new Copy(items, index);
  }

  private static final class Copy extends WebBackForwardList {
    private final transient List<WebHistoryItem> items;
    private final int index;

    Copy(List<WebHistoryItem> items, int index) {
      this.items = items;
      this.index = index;
    }

    @Override
    public WebHistoryItem getCurrentItem() {
      return getItemAtIndex(index);
    }

    @Override
    public int getCurrentIndex() {
      return index;
    }

    @Override
    public WebHistoryItem getItemAtIndex(int at) {
      return at < 0 || at >= items.size() ? null : items.get(at);
    }

    @Override
    public int getSize() {
      return items.size();
    }

    @Override
    protected WebBackForwardList clone() {
      return new Copy(items, index);
    }
  }

  private static final class Item extends WebHistoryItem {
    private final String address;
    private final String title;

    Item(String address, String title) {
      this.address = address;
      this.title = title;
    }

    @Override
    public int getId() {
      return address.hashCode();
    }

    @Override
    public String getUrl() {
      return address;
    }

    @Override
    public String getOriginalUrl() {
      return address;
    }

    @Override
    public String getTitle() {
      return title == null ? "" : title;
    }

    @Override
    public Bitmap getFavicon() {
      return null;
    }

    @Override
    protected WebHistoryItem clone() {
      return new Item(address, title);
    }
  }
}
