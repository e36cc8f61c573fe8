import EngineKit
import Wire

extension Enclave {
  private static var mostChannels: Int { 256 }
  private static var mostSessions: Int { 256 }

  /// Says what is behind a channel.
  func openChannel(_ channel: UInt32, isSynthetic: Bool) throws(Failure) {
    guard channels[channel] == nil else {
      throw Failure(.errSecParam, "the channel \(channel) is open already")
    }
    guard channels.count < Self.mostChannels else {
      throw Failure(.busy, "\(Self.mostChannels) channels are open")
    }
    channels[channel] = isSynthetic
  }

  /// Forgets a channel and its sessions.
  func closeChannel(_ channel: UInt32) {
    channels[channel] = nil
    sessions = sessions.filter { $0.value.channel != channel }
  }

  /// From here frames of the session are compared for the context.
  func beginMatch(_ request: BeginMatch) throws(Failure) {
    try requireContext(request.context)
    let isSynthetic = try requireFree(request.session, on: request.channel)
    guard keybag.fingers.contains(where: { $0.isSynthetic == isSynthetic }) else {
      throw Self.notEnrolled
    }
    guard lock.isFirstUnlocked, !isLockedOut else { throw lockout }
    try loadTemplates(isSynthetic: isSynthetic)
    sessions[request.session] = TouchSession(
      channel: request.channel, context: request.context,
      purpose: .match(isStrict: request.requiresStrictMatch, tellsScore: request.tellsScore))
  }

  /// The next frame of the session is one that was asked for.
  func awaitTouch(_ number: UInt64) throws(Failure) {
    guard let session = sessions[number] else {
      throw Failure(.errSecParam, "no session \(number) is under way")
    }
    if case .over(let failure) = session.purpose { throw failure }
    sessions[number]?.isAwaited = true
  }

  /// From here frames of the session are touches of a new finger. The passcode was given for this
  /// enrolment and no other.
  func beginEnrolment(_ request: BeginEnrolment) throws(Failure) {
    try requirePasscodeEvidence(request.context)
    let isSynthetic = try requireFree(request.session, on: request.channel)
    guard keybag.fingers.count < Keybag.mostFingers else { throw Self.tooManyFingers }
    if !request.name.isEmpty { try refuseName(request.name, except: nil) }
    try loadTemplates(isSynthetic: isSynthetic)
    contexts[request.context]?.spendPasscode()
    sessions[request.session] = TouchSession(
      channel: request.channel, context: request.context,
      purpose: .enrolment(
        EnrolmentProgress(
          beganAt: platform.bootTime, name: request.name, isRelaxed: request.isRelaxed)))
  }

  /// Checks that a session can begin; says whether its channel is synthetic.
  private func requireFree(_ session: UInt64, on channel: UInt32) throws(Failure) -> Bool {
    guard let isSynthetic = channels[channel] else {
      throw Failure(.errSecParam, "the enclave knows no channel \(channel)")
    }
    guard sessions[session] == nil else {
      throw Failure(.errSecParam, "the session \(session) is under way already")
    }
    guard sessions.count < Self.mostSessions else {
      throw Failure(.busy, "\(Self.mostSessions) sessions are under way")
    }
    return isSynthetic
  }

  static var notEnrolled: Failure {
    Failure(
      .biometryNotEnrolled, "no finger is enrolled that this sensor could match",
      hint: "enrol one with: authcore finger enroll")
  }

  static var tooManyFingers: Failure {
    Failure(
      .tooManyFingers, "\(Keybag.mostFingers) fingers are enrolled",
      hint: "remove one first: authcore finger remove")
  }

  /// Why nothing is compared.
  var lockout: Failure {
    guard !isDistrusted else {
      return Failure(
        .biometryLockout, "an old copy of the enclave's files has been put back: no finger counts",
        hint: "give the passcode, and see authcore status")
    }
    return lock.isFirstUnlocked
      ? Failure(
        .biometryLockout,
        "\(attempts.misses) touches in a row did not match: fingers are locked out",
        hint: "give the passcode")
      : Failure(
        .biometryLockout, "fingers are not compared before the first unlock",
        hint: "unlock the device with the passcode: authcore unlock")
  }
}
