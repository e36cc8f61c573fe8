package import Protocol

/// What one capture gave, as the reading end of a frame socket hears it.
package enum TouchOutcome: Sendable {
  /// The image of a touch.
  case frame(SensorFrame)
  /// The person has to try again.
  case retry(SensorRetry)
  /// It is over without a touch.
  case end(SensorEnd)

  /// Any bytes give an outcome or an error.
  package static func decode(_ bytes: Span<UInt8>) throws(DecodeError) -> TouchOutcome {
    guard bytes.count > 0 else { throw .truncated(wanted: 1, left: 0) }
    switch bytes[0] {
    case SensorFrame.number: return .frame(try SensorFrame.decode(bytes))
    case SensorRetry.number: return .retry(try SensorRetry.decode(bytes))
    case SensorEnd.number: return .end(try SensorEnd.decode(bytes))
    default: throw .unknownMessage(number: bytes[0])
    }
  }
}
