/// Takes the picture of the empty sensor away from one of a finger.
public enum BackgroundSubtraction {
  /// `pixels` minus `background`, 0 where the background is brighter.
  ///
  /// - Throws: ``AssemblyError/pixelCount(expected:found:)`` when the two are not equally long.
  public static func image(_ pixels: [UInt16], without background: [UInt16])
    throws(AssemblyError) -> [UInt16]
  {
    guard pixels.count == background.count else {
      throw .pixelCount(expected: pixels.count, found: background.count)
    }
    return zip(pixels, background).map { $0 > $1 ? $0 - $1 : 0 }
  }
}
