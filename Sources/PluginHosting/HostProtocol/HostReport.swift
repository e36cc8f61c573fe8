package import Wire

/// Everything a host may say; decoded in one place, because a driver can write to its host's mailbox as well.
package enum HostReport: ~Copyable, Sendable {
  case failure(Failure)
  case ready(HostReady)
  case stage(HostStage.Stage)
  case log(HostLog)
  case ending(HostEnding)
  case trapped(HostTrapped)
  case reply(EngineReply)
  case event(EngineEvent)
  case opened(SensorIdentity?)
  case closed
  case described(SensorDescription)
  case change(DeviceChange)

  /// Any bytes give a word or an error.
  package static func decode(_ bytes: Span<UInt8>) throws(DecodeError) -> HostReport {
    guard bytes.count > 0 else { throw .truncated(wanted: 1, left: 0) }
    switch bytes[0] {
    case Failure.number: return .failure(try Failure.decode(bytes))
    case HostReady.number: return .ready(try HostReady.decode(bytes))
    case HostStage.number: return .stage(try HostStage.decode(bytes).stage)
    case HostLog.number: return .log(try HostLog.decode(bytes))
    case HostEnding.number: return .ending(try HostEnding.decode(bytes))
    case HostTrapped.number: return .trapped(try HostTrapped.decode(bytes))
    case EngineReply.number: return .reply(try EngineReply.decode(bytes))
    case EngineEvent.number: return .event(try EngineEvent.decode(bytes))
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
