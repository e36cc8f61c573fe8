import EngineKit
import Wire

extension Enclave {
  /// Carries out one request. Bytes that are none are refused; nothing happens then.
  func answer(_ request: Span<UInt8>) throws(Failure) -> SecretBytes {
    guard request.count > 0 else { throw Self.unreadable(.truncated(wanted: 1, left: 0)) }
    let number = request[0]
    switch number {
    case GetEnclaveStatus.number...GetContextEvidence.number:
      return try answerState(number, request)
    case SetPasscode.number...RemovePasscode.number:
      return try answerPasscode(number, request)
    case OpenChannel.number...RemoveFinger.number:
      return try answerFingers(number, request)
    case SealItem.number...OpenWholeItem.number:
      return try answerItems(number, request)
    case SensorFrame.number...SensorEnd.number:
      return try answerSensor(number, request)
    default: throw Self.unreadable(.unknownMessage(number: number))
    }
  }

  private func answerState(
    _ number: UInt8, _ request: Span<UInt8>
  ) throws(Failure) -> SecretBytes {
    switch number {
    case GetEnclaveStatus.number:
      _ = try read(GetEnclaveStatus.self, request)
      return status.encoded()
    case LockDevice.number:
      _ = try read(LockDevice.self, request)
      try lockDevice()
    case UnlockWithMatch.number:
      try unlockDevice(withMatchOf: read(UnlockWithMatch.self, request).context)
    case OpenContext.number:
      let message = try read(OpenContext.self, request)
      try openContext(message.context, reuseSeconds: message.reuseSeconds)
    case CloseContext.number:
      closeContext(try read(CloseContext.self, request).context)
    case GetContextEvidence.number:
      return try evidence(of: read(GetContextEvidence.self, request).context).encoded()
    default: throw Self.unreadable(.unknownMessage(number: number))
    }
    return Done().encoded()
  }

  private func answerPasscode(
    _ number: UInt8, _ request: Span<UInt8>
  ) throws(Failure) -> SecretBytes {
    switch number {
    case SetPasscode.number:
      try setPasscode(read(SetPasscode.self, request).passcode)
    case VerifyPasscode.number:
      let message = try read(VerifyPasscode.self, request)
      try verifyPasscode(
        message.passcode, for: message.context, unlocksDevice: message.unlocksDevice)
    case ChangePasscode.number:
      let message = try read(ChangePasscode.self, request)
      try changePasscode(current: message.current, replacement: message.replacement)
    case RemovePasscode.number:
      try removePasscode(current: read(RemovePasscode.self, request).current)
    default: throw Self.unreadable(.unknownMessage(number: number))
    }
    return Done().encoded()
  }

  private func answerFingers(
    _ number: UInt8, _ request: Span<UInt8>
  ) throws(Failure) -> SecretBytes {
    switch number {
    case OpenChannel.number:
      let message = try read(OpenChannel.self, request)
      try openChannel(message.channel, isSynthetic: message.isSynthetic)
    case CloseChannel.number:
      closeChannel(try read(CloseChannel.self, request).channel)
    case BeginMatch.number:
      try beginMatch(read(BeginMatch.self, request))
    case BeginEnrolment.number:
      try beginEnrolment(read(BeginEnrolment.self, request))
    case CommitEnrolment.number:
      return try commitEnrolment(read(CommitEnrolment.self, request).session).encoded()
    case EndSession.number:
      sessions[try read(EndSession.self, request).session] = nil
    case ListFingers.number:
      _ = try read(ListFingers.self, request)
      return fingerList.encoded()
    case RenameFinger.number:
      let message = try read(RenameFinger.self, request)
      try renameFinger(message.finger, to: message.name)
    case RemoveFinger.number:
      let message = try read(RemoveFinger.self, request)
      try removeFinger(message.finger, context: message.context)
    default: throw Self.unreadable(.unknownMessage(number: number))
    }
    return Done().encoded()
  }

  private func answerItems(
    _ number: UInt8, _ request: Span<UInt8>
  ) throws(Failure) -> SecretBytes {
    switch number {
    case SealItem.number:
      let message = try read(SealItem.self, request)
      return try sealItem(message.protection, message.secret).encoded()
    case OpenItem.number:
      return try openItem(read(OpenItem.self, request)).encoded()
    case SealAttributes.number:
      return try sealAttributes(read(SealAttributes.self, request).entries).encoded()
    case OpenAttributes.number:
      return openAttributes(try read(OpenAttributes.self, request).entries).encoded()
    case HashAttributes.number:
      return try hashAttributes(read(HashAttributes.self, request).values).encoded()
    case OpenWholeItem.number:
      return openWholeItem(try read(OpenWholeItem.self, request)).encoded(capacity: 1024)
    default: throw Self.unreadable(.unknownMessage(number: number))
    }
  }

  /// What the enclave's host passes on from a driver's host.
  private func answerSensor(
    _ number: UInt8, _ request: Span<UInt8>
  ) throws(Failure) -> SecretBytes {
    switch number {
    case SensorFrame.number: frameArrived(try read(SensorFrame.self, request))
    case SensorRetry.number: retryArrived(try read(SensorRetry.self, request))
    default: endArrived(try read(SensorEnd.self, request))
    }
    return Done().encoded()
  }

  private func read<Message: WireMessage & ~Copyable>(
    _ type: Message.Type, _ request: Span<UInt8>
  ) throws(Failure) -> Message {
    do throws(DecodeError) {
      return try Message.decode(request)
    } catch {
      throw Self.unreadable(error)
    }
  }

  private static func unreadable(_ error: DecodeError) -> Failure {
    Failure(
      .coreFailed, "the enclave cannot read a request: \(error)",
      hint: "core and enclave belong to different versions, or the core is faulty")
  }
}
