// A place in an object of Robolectric's resource reader for what our classes know about it.
// RememberingClass gives it to the objects.
package org.robolectric.res.android;

public interface Memory {
  Object memory();

  void setMemory(Object memory);
}
