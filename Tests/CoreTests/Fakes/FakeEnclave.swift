import LinuxSystem
import PluginHosting
import Protocol

@testable import AuthCore

/// An enclave of a few dozen lines: a passcode, contexts, sessions, and a list of what it was
/// asked.
final class FakeEnclave: Sendable {
  struct State {
    var status = EnclaveStatus()
    var passcode: [UInt8]? = Array("1234".utf8)
    var contexts: [ContextName: EvidenceSet] = [:]
    /// For each passcode that was verified, what came beside it.
    var asTyped: [[UInt8]] = []
    /// Whether each passcode counted for the destruction of everything.
    var mayErase: [Bool] = []
    /// The application passwords that contexts were given.
    var appPasswords: [ContextName: [UInt8]] = [:]
    /// Those that outlive a request, in the order they were opened.
    var lasting: [ContextName] = []
    var matches: [UInt64: ContextName] = [:]
    /// For each match that began, whether it had to be strict.
    var strictMatches: [Bool] = []
    /// For each enrollment that began, whether it asked for the relaxed rate.
    var relaxedEnrollments: [Bool] = []
    var enrollments: [UInt64: UInt32] = [:]
    /// What a reader that matches on the chip was asked for.
    var chipWork: [ChipWork] = []
    var channels: [UInt32: FrameSource] = [:]
    var fingers: [Finger] = []
    var asked: [UInt8] = []
    var reuse: EvidenceSet = []
    /// A request of this kind is not answered.
    var silentTo: UInt8?
    /// A request of this kind, and all that come after it, are answered only when it is over.
    var slowFor: UInt8?
    var heldBack: [[OpenedRequest]] = []
    /// A request of this kind is answered with these bytes.
    var lie: (number: UInt8, bytes: [UInt8])?
    /// The process dies when it is asked this.
    var dyingOf: UInt8?
    /// The next BeginMatch is refused.
    var matchRefusal: Failure?
    /// What a passcode is refused with, right or wrong.
    var passcodeRefusal: Failure?
    var starts = 0
    var host: FakeHost?
  }

  let state = Guarded(State())

  init() {
    state.update { state in
      state.status.isPasscodeSet = true
      state.status.isFirstUnlocked = true
      state.status.syntheticFingers = 1
    }
  }

  func set(_ change: (inout EnclaveStatus) -> Void) { state.update { change(&$0.status) } }

  var asked: [UInt8] { state.read { $0.asked } }

  /// Starts a process.
  func start() -> FakeHost {
    let host = FakeHost("enclave", code: .engineFailed) { [self] host, message in
      guard let call = try? EngineCall.decode(message.bytes) else { return }
      let several = try? SeveralRequests.decode(call.content.bytes)
      take((several?.requests ?? [call.content.array]).compactMap { OpenedRequest($0) }, from: host)
    }
    state.update {
      $0.host = host
      $0.starts += 1
      if $0.starts > 1 {
        $0.contexts = [:]
        $0.matches = [:]
        $0.status.isFirstUnlocked = false
      }
    }
    return host
  }

  /// Takes what came in one message.
  private func take(_ requests: [OpenedRequest], from host: FakeHost) {
    let isHeldBack = state.update { state in
      let isSlow = requests.contains { $0.number == state.slowFor } || !state.heldBack.isEmpty
      if isSlow {
        state.asked += requests.map(\.number)
        state.heldBack.append(requests)
      }
      return isSlow
    }
    if !isHeldBack { carryOut(requests, from: host) }
  }

  /// Carries out requests up to the first that fails, or that nothing comes of.
  private func carryOut(_ requests: [OpenedRequest], from host: FakeHost, isAsked: Bool = false) {
    for (index, request) in requests.enumerated() {
      let (number, isLast) = (request.number, index == requests.count - 1)
      let state = state.update {
        state -> (silent: UInt8?, dying: UInt8?, lie: (number: UInt8, bytes: [UInt8])?) in
        if !isAsked { state.asked.append(number) }
        return (state.silentTo, state.dyingOf, state.lie)
      }
      if state.dying == number { return host.die() }
      guard state.silent != number else { return }
      if let lie = state.lie, lie.number == number { return host.say(.reply(lie.bytes)) }
      let reply = answer(request.message, context: request.context)
      if isLast || reply.first == Failure.number { return host.say(.reply(reply)) }
    }
  }

  /// Waits until something is held back.
  func waitUntilHeldBack() { state.wait { $0.heldBack.isEmpty ? nil : () } }

  /// Answers what was held back, in its order.
  func catchUp() {
    let requests = state.update { state in
      state.slowFor = nil
      defer { state.heldBack = [] }
      return state.heldBack
    }
    guard let host else { return }
    for request in requests { carryOut(request, from: host, isAsked: true) }
  }

  var host: FakeHost? { state.read { $0.host } }

  /// Waits until it has been asked `number`, `count` times in all.
  func waitUntilAsked(_ number: UInt8, count: Int = 1) {
    state.wait { state in
      state.asked.count(where: { $0 == number }) >= count ? () : nil
    }
  }

  /// Something came through the frame socket.
  func touch(_ session: UInt64, _ outcome: TouchEvent.Outcome) {
    let isOpen = state.update { state in
      if case .matched = outcome, let context = state.matches[session] {
        state.contexts[context]?.insert(.biometry)
      }
      if case .taken(let taken) = outcome, state.enrollments[session] != nil {
        state.enrollments[session] = taken.touches
      }
      let isOpen = state.matches[session] != nil || state.enrollments[session] != nil
      switch outcome {
      case .matched, .duplicate, .failed:
        state.matches[session] = nil
        state.enrollments[session] = nil
      case .missed, .retry, .taken, .refused, .ended, .chip: break
      }
      return isOpen
    }
    guard isOpen else { return }
    host?.say(.event(TouchEvent(session: session, outcome: outcome).encoded().array))
  }

  private func answer(_ request: [UInt8], context: ContextName) -> [UInt8] {
    do throws(Failure) {
      return try state.update { (state) -> Result<[UInt8], Failure> in
        do throws(Failure) {
          return .success(try Self.reply(request, context, &state))
        } catch {
          return .failure(error)
        }
      }.get()
    } catch {
      return error.encoded().array
    }
  }

  private static func read<Message: WireMessage & ~Copyable>(
    _ request: [UInt8], _ type: Message.Type = Message.self
  ) throws(Failure) -> Message {
    do {
      return try Message.decode(request.span)
    } catch {
      throw Failure(.engineFailed, "fake enclave: \(error)")
    }
  }

  private static func reply(
    _ request: [UInt8], _ context: ContextName, _ state: inout State
  ) throws(Failure) -> [UInt8] {
    switch request[0] {
    case GetEnclaveStatus.number: return state.status.encoded().array
    case LockDevice.number: state.status.isLocked = true
    case UnlockWithMatch.number:
      let message: UnlockWithMatch = try read(request)
      guard state.contexts[message.context]?.contains(.biometry) == true else {
        throw Failure(.authenticationFailed, "no evidence")
      }
      state.status.isLocked = false
    case OpenContext.number:
      let message: OpenContext = try read(request)
      state.contexts[message.context] = []
      if message.outlivesRequest { state.lasting.append(message.context) }
    case CloseContext.number:
      let message: CloseContext = try read(request)
      state.contexts[message.context] = nil
    case ForgetEvidence.number:
      let message: ForgetEvidence = try read(request)
      if state.contexts[message.context] != nil { state.contexts[message.context] = [] }
    case CloseContexts.number:
      let message: CloseContexts = try read(request)
      state.contexts = state.contexts.filter { $0.key.requester != message.requester }
    case GetContextEvidence.number:
      let message: GetContextEvidence = try read(request)
      guard let evidence = state.contexts[message.context] else {
        throw Failure(.invalidContext, "fake enclave: no context")
      }
      let reused = message.reuseSeconds > 0 ? state.reuse : []
      return ContextEvidence(
        evidence: evidence.union(reused), finger: "thumb", matchAge: 7, passcodeAge: 9
      )
      .encoded().array
    case OpenChannel.number:
      let message: OpenChannel = try read(request)
      state.channels[message.channel] = message.source
    case CloseChannel.number:
      let message: CloseChannel = try read(request)
      state.channels[message.channel] = nil
    default: return try replyAboutPeople(request, context, &state)
    }
    return Done().encoded().array
  }

  private static func replyAboutPeople(
    _ request: [UInt8], _ context: ContextName, _ state: inout State
  ) throws(Failure) -> [UInt8] {
    switch request[0] {
    case SetPasscode.number:
      let message: SetPasscode = try read(request)
      state.passcode = message.passcode.array
      state.status.isPasscodeSet = true
    case VerifyPasscode.number:
      let message: VerifyPasscode = try read(request)
      state.asTyped.append(message.asTyped.array)
      state.mayErase.append(message.mayErase)
      try check(message.passcode.array, state)
      state.contexts[message.context]?.insert(.passcode)
      if message.unlocksDevice {
        state.status.isLocked = false
        state.status.isFirstUnlocked = true
      }
    case ReplacePasscode.number:
      let message: ReplacePasscode = try read(request)
      try check(message.current.array, state)
      state.passcode = message.replacement.array
    case ErasePasscode.number:
      let message: ErasePasscode = try read(request)
      try check(message.current.array, state)
      state.passcode = nil
      state.status.isPasscodeSet = false
    case BeginMatch.number:
      if let refusal = state.matchRefusal { throw refusal }
      let message: BeginMatch = try read(request)
      state.matches[message.session] = message.context
      state.strictMatches.append(message.requiresStrictMatch)
    case AwaitTouch.number: break
    case BeginChipWork.number:
      let message: BeginChipWork = try read(request)
      state.matches[message.session] = message.context
      state.chipWork.append(message.work)
    case BeginEnrollment.number:
      let message: BeginEnrollment = try read(request)
      guard state.contexts[message.context]?.contains(.passcode) == true else {
        throw Failure(.authenticationFailed, "no evidence")
      }
      state.enrollments[message.session] = 0
      state.relaxedEnrollments.append(message.isRelaxed)
    case CommitEnrollment.number: return try commit(try read(request), &state)
    case EndSession.number:
      let message: EndSession = try read(request)
      state.matches[message.session] = nil
      state.enrollments[message.session] = nil
    case SealItem.number:
      return SealedItem(hashes: [[4]], attributes: [5], sealedSecret: [6]).encoded().array
    case GiveAppPassword.number:
      let message: GiveAppPassword = try read(request)
      guard state.contexts[context] != nil else { throw Failure(.invalidContext, "no context") }
      state.contexts[context]?.insert(.appPassword)
      state.appPasswords[context] = message.password.array
    case ListFingers.number: return FingerList(fingers: state.fingers).encoded().array
    case RenameFinger.number: break
    case RemoveFinger.number:
      let message: RemoveFinger = try read(request)
      guard state.fingers.contains(where: { $0.name == message.finger }) else {
        throw Failure(.fingerNotFound, "there is no such finger")
      }
      let held = state.contexts[context] ?? []
      if !held.contains(.passcode), let control = try? AccessControl(.passcode) {
        return EvidenceNeeded(accessControl: control, held: held).encoded().array
      }
      state.fingers.removeAll { $0.name == message.finger }
    default: throw Failure(.engineFailed, "fake enclave: unknown request \(request[0])")
    }
    return Done().encoded().array
  }

  private static func check(_ passcode: [UInt8], _ state: State) throws(Failure) {
    if let refusal = state.passcodeRefusal { throw refusal }
    guard passcode == state.passcode else {
      throw Failure(.authenticationFailed, "the passcode is wrong")
    }
  }

  private static func commit(
    _ message: CommitEnrollment, _ state: inout State
  ) throws(Failure) -> [UInt8] {
    guard let touches = state.enrollments[message.session], touches >= 3 else {
      throw Failure(.enrolmentIncomplete, "too few touches")
    }
    let finger = Finger(identifier: "0badf00d", name: "thumb", enrolledAt: 0, isSynthetic: true)
    state.fingers.append(finger)
    return EnrolledFinger(finger: finger, touches: touches, coverage: 0.5).encoded().array
  }
}
