// Where the cells of a nine-patch lie when it is stretched along one side.
package dev.retap.agent.shadow.graphics;

import java.util.ArrayList;
import java.util.List;

final class NinePatchCells {
  private NinePatchCells() {}

  /**
   * Returns the edges of the cells, from the first to the last.
   *
   * @param divisions where parts that stretch begin and end, in turn, in the picture
   */
  static int[] edges(int[] divisions, int size, int from, int to) {
    List<Integer> inPicture = new ArrayList<>(List.of(0));
    List<Boolean> stretches = new ArrayList<>();
    for (int i = 0; i <= divisions.length; i++) {
      int edge = i < divisions.length ? divisions[i] : size;
      if (edge > inPicture.get(inPicture.size() - 1)) {
        stretches.add(i % 2 == 1);
        inPicture.add(edge);
      }
    }
    int stretching = 0;
    for (int i = 0; i < stretches.size(); i++) {
      stretching += stretches.get(i) ? inPicture.get(i + 1) - inPicture.get(i) : 0;
    }
    int more = Math.max(0, to - from - (size - stretching));
    int[] edges = new int[inPicture.size()];
    edges[0] = from;
    for (int i = 0; i < stretches.size(); i++) {
      int length = inPicture.get(i + 1) - inPicture.get(i);
      edges[i + 1] = edges[i] + (stretches.get(i) ? more * length / stretching : length);
    }
    return edges;
  }
}
