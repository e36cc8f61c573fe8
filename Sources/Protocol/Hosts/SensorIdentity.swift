extension SensorIdentity {
  // What is no UTF-8 became U+FFFD, three bytes for one.
  static let longestText = 3 * 64

  /// It comes from a process that ran somebody's plugin: everything is checked again.
  func check() throws(DecodeError) {
    try DriverDescription.requirePossible(width: width, height: height, pixelsPerInch)
  }
}
