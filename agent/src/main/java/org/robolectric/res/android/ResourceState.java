// The files that an asset manager reads and the configuration for which it chooses among their
// values. Whatever the manager answers depends on nothing else. Managers with equal files and
// configurations share one state, also those of later processes, because a new process opens the
// same files.
package org.robolectric.res.android;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

final class ResourceState {
  /** An app has few managers, and a phone few configurations. */
  private static final int MOST_KEPT = 24;

  private static final Deque<ResourceState> KEPT = new ArrayDeque<>();

  /** The files, by identity: the host's reader keeps the content of a file under its path. */
  private final Object[] files;

  private final ResTable_config configuration;

  final IntTable<FoundEntry> entries = new IntTable<>();
  final IntTable<CppAssetManager2.ResolvedBag> bags = new IntTable<>();
  final StyleTable attributes = new StyleTable();
  final XmlFiles xmlFiles;

  private ResourceState(Object[] files, ResTable_config configuration, XmlFiles xmlFiles) {
    this.files = files;
    this.configuration = copy(configuration);
    this.xmlFiles = xmlFiles;
  }

  static ResourceState of(CppAssetManager2 manager) {
    Memory place = (Memory) (Object) manager;
    List<CppApkAssets> assets = manager.GetApkAssets();
    ResTable_config configuration = manager.GetConfiguration();
    if (place.memory() instanceof Seen seen && seen.isStill(assets, configuration)) {
      return seen.state;
    }
    ResourceState state = find(assets.toArray(), configuration);
    place.setMemory(new Seen(assets, configuration, configuration.density, state));
    return state;
  }

  /** Returns the state of these files in this configuration. */
  static ResourceState find(Object[] files, ResTable_config configuration) {
    synchronized (KEPT) {
      XmlFiles xmlFiles = null;
      for (ResourceState kept : KEPT) {
        if (kept.hasFiles(files)) {
          xmlFiles = kept.xmlFiles;
          if (kept.configuration.compare(configuration) == 0
              && kept.configuration.density == configuration.density) {
            KEPT.remove(kept);
            KEPT.addFirst(kept);
            return kept;
          }
        }
      }
      ResourceState state =
          new ResourceState(files, configuration, xmlFiles == null ? new XmlFiles() : xmlFiles);
      KEPT.addFirst(state);
      if (KEPT.size() > MOST_KEPT) {
        KEPT.removeLast();
      }
      return state;
    }
  }

  private boolean hasFiles(Object[] others) {
    boolean equal = files.length == others.length;
    for (int i = 0; equal && i < files.length; i++) {
      equal = files[i] == others[i];
    }
    return equal;
  }

  /** Copies a configuration that its owner may change. The host's copies miss two parts. */
  static ResTable_config copy(ResTable_config from) {
    ResTable_config copy =
        new ResTable_config(
            from.size,
            from.mcc,
            from.mnc,
            from.language.clone(),
            from.country.clone(),
            from.orientation,
            from.touchscreen,
            from.density,
            from.keyboard,
            from.navigation,
            from.inputFlags,
            from.screenWidth,
            from.screenHeight,
            from.sdkVersion,
            from.minorVersion,
            from.screenLayout,
            from.uiMode,
            from.smallestScreenWidthDp,
            from.screenWidthDp,
            from.screenHeightDp,
            from.localeScript.clone(),
            from.localeVariant.clone(),
            from.screenLayout2,
            from.colorMode,
            from.screenConfigPad2,
            from.unknown);
    copy.localeScriptWasComputed = from.localeScriptWasComputed;
    copy.localeNumberingSystem = from.localeNumberingSystem.clone();
    return copy;
  }

  /** An entry that was found for an identifier. */
  record FoundEntry(ApkAssetsCookie cookie, CppAssetManager2.FindEntryResult result) {}

  /**
   * What a manager had when its state was found. A manager gets other objects when it changes; only
   * the density changes in place.
   */
  private record Seen(
      List<CppApkAssets> assets, ResTable_config configuration, int density, ResourceState state) {
    boolean isStill(List<CppApkAssets> assets, ResTable_config configuration) {
      return this.assets == assets
          && this.configuration == configuration
          && density == configuration.density;
    }
  }
}
