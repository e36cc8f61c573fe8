import EngineKit
import Wire

extension Enclave {
  /// Carries out one request. Bytes that are none are refused; nothing happens then.
  func answer(_ request: Span<UInt8>) throws(Failure) -> SecretBytes {
    guard request.count > 0 else { throw Self.unreadable(.truncated(wanted: 1, left: 0)) }
    let number = request[0]
    switch number {
    case GetEnclaveStatus.number...GetContextEvidence.number, LockDevice.number:
      return try answerState(number, request)
    case SetPasscode.number...ErasePasscode.number:
      return try answerPasscode(number, request)
    case OpenChannel.number...EndSession.number, AwaitTouch.number:
      return try answerSessions(number, request)
    case ApplicationRequest.number: return try answerApplication(request)
    case KeychainRequest.number: return try answerKeychain(request)
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
    case SetPasscode.number: try setPasscode(read(SetPasscode.self, request).passcode)
    case VerifyPasscode.number:
      let message = try read(VerifyPasscode.self, request)
      try verifyPasscode(
        message.passcode, for: message.context, unlocksDevice: message.unlocksDevice)
    case ReplacePasscode.number:
      let message = try read(ReplacePasscode.self, request)
      try changePasscode(current: message.current, replacement: message.replacement)
    case ErasePasscode.number:
      try removePasscode(current: read(ErasePasscode.self, request).current)
    default: throw Self.unreadable(.unknownMessage(number: number))
    }
    return Done().encoded()
  }

  private func answerSessions(
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
    case AwaitTouch.number:
      try awaitTouch(read(AwaitTouch.self, request).session)
    case BeginEnrolment.number:
      try beginEnrolment(read(BeginEnrolment.self, request))
    case CommitEnrolment.number:
      return try commitEnrolment(read(CommitEnrolment.self, request).session).encoded()
    case EndSession.number:
      sessions[try read(EndSession.self, request).session] = nil
    default: throw Self.unreadable(.unknownMessage(number: number))
    }
    return Done().encoded()
  }

  /// What an application may ask; the core has not looked at it.
  private func answerApplication(_ request: Span<UInt8>) throws(Failure) -> SecretBytes {
    let envelope: ApplicationRequest
    do throws(DecodeError) {
      envelope = try ApplicationRequest(decoding: request)
    } catch {
      throw Self.unreadable(error)
    }
    let message = envelope.message
    switch message.isEmpty ? 0 : message[0] {
    case LockDevice.number:
      _ = try read(LockDevice.self, message)
      try lockDevice()
    case ListFingers.number:
      _ = try read(ListFingers.self, message)
      return fingerList.encoded()
    case RenameFinger.number:
      let rename = try read(RenameFinger.self, message)
      try renameFinger(rename.finger, to: rename.name)
    case RemoveFinger.number:
      let removal = try read(RemoveFinger.self, message)
      if let needed = try removeFinger(removal.finger, context: envelope.context) {
        return needed.encoded()
      }
    case let number: throw Self.unreadable(.unknownMessage(number: number))
    }
    return Done().encoded()
  }

  /// What the keychain may ask; the core has not looked at it.
  private func answerKeychain(_ request: Span<UInt8>) throws(Failure) -> SecretBytes {
    let envelope: KeychainRequest
    do throws(DecodeError) {
      envelope = try KeychainRequest(decoding: request)
    } catch {
      throw Self.unreadable(error)
    }
    let (message, context) = (envelope.message, envelope.context)
    switch message.isEmpty ? 0 : message[0] {
    case SealItem.number:
      let message = try read(SealItem.self, message)
      return try sealItem(message.protection, message.secret).encoded()
    case OpenItem.number:
      return try openItem(read(OpenItem.self, message), context: context).encoded()
    case SealAttributes.number:
      return try sealAttributes(read(SealAttributes.self, message).entries).encoded()
    case OpenAttributes.number:
      return openAttributes(try read(OpenAttributes.self, message).entries).encoded()
    case HashAttributes.number:
      return try hashAttributes(read(HashAttributes.self, message).values).encoded()
    case OpenItemWithAttributes.number:
      let message = try read(OpenItemWithAttributes.self, message)
      return openItemWithAttributes(message, context: context).encoded(capacity: 1024)
    case let number: throw Self.unreadable(.unknownMessage(number: number))
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
