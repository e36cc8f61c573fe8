/// Everything a host may say; decoded in one place, because a driver can write to its host's
/// mailbox as well.
package enum HostReport: ~Copyable, Sendable {
  case failure(Failure)
  case ready(HostReady)
  case stage(HostStage.Stage)
  case log(HostLog)
  case ending(HostEnding)
  case trapped(HostTrapped)
  /// The content of an ``EngineReply``.
  case reply(SecretBytes)
  /// The content of an ``EngineEvent``.
  case event(SecretBytes)
  case opened(SensorIdentity?)
  case closed
  case described(DriverDescription)
  case change(DeviceChange)

  /// Any bytes give a report or an error. What an engine said stays where it lies.
  package static func decode(_ message: consuming SecretBytes) throws(DecodeError) -> HostReport {
    switch message.count > 0 ? message.bytes[0] : nil {
    case EngineReply.number: return .reply(try EngineReply.content(of: message))
    case EngineEvent.number: return .event(try EngineEvent.content(of: message))
    default: return try decodeCopying(message.bytes)
    }
  }

  private static func decodeCopying(_ bytes: Span<UInt8>) throws(DecodeError) -> HostReport {
    guard bytes.count > 0 else { throw .truncated(wanted: 1, left: 0) }
    switch bytes[0] {
    case Failure.number: return .failure(try Failure.decode(bytes))
    case HostReady.number: return .ready(try HostReady.decode(bytes))
    case HostStage.number: return .stage(try HostStage.decode(bytes).stage)
    case HostLog.number: return .log(try HostLog.decode(bytes))
    case HostEnding.number: return .ending(try HostEnding.decode(bytes))
    case HostTrapped.number: return .trapped(try HostTrapped.decode(bytes))
    case SensorOpened.number: return .opened(try SensorOpened.decode(bytes).identity)
    case SensorClosed.number:
      _ = try SensorClosed.decode(bytes)
      return .closed
    case SensorDescribed.number: return .described(try SensorDescribed.decode(bytes).description)
    case DeviceChange.number: return .change(try DeviceChange.decode(bytes))
    default: throw .unknownMessage(number: bytes[0])
    }
  }
}
