/// A kind of device that proves its owner's presence elsewhere. This system knows none.
public enum LACompanionType: Int, Sendable {
  /// A watch.
  case watch = 1
  /// A Mac.
  case mac = 2
  /// A headset.
  case vision = 4
}
