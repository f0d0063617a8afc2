// Who says which files of the shared storage the app may reach. Paths begin below the storage's own
// folder: "" is that folder, "/Download/list.txt" a file.
package dev.retap.agent.world.jdk;

public interface SharedGuard {
  /** The guard of a phone that has no rules yet. */
  SharedGuard OPEN =
      new SharedGuard() {
        @Override
        public boolean mayRead(String path) {
          return true;
        }

        @Override
        public boolean mayWrite(String path) {
          return true;
        }
      };

  /** Returns true if a file may be opened, or a folder listed. */
  boolean mayRead(String path);

  /** Returns true if a file or folder may be made, changed or removed. */
  boolean mayWrite(String path);
}
