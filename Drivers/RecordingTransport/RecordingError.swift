/// Why a recording cannot be played.
package struct RecordingError: Error, Equatable, Sendable {
  package let place: RecordingPlace
  /// A sentence without a full stop.
  package let reason: String
}

/// A place in a recording; lines and packets are counted from 1.
package enum RecordingPlace: Equatable, Sendable, CustomStringConvertible {
  case line(Int)
  case packet(Int)
  case wholeFile

  package var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .packet(let number): "packet \(number)"
    case .wholeFile: "as a whole"
    }
  }
}
