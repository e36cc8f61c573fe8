import Protocol

@testable import EnclaveEngine
@testable import EnclaveSimulation
@testable import GoldenSamples

/// A device that runs a program. Invariants are preconditions here.
struct FuzzedDevice {
  private var memory: EngineInMemory
  /// Changes to the bytes of the next message.
  private var edits: [Edit] = []
  var items = StartingState.items
  /// Every earlier content of each file of the folder.
  private var earlier: [String: [[UInt8]]] = [:]

  private static let mostEdits = 8
  private static let contexts = 6
  /// A frame of so few pixels holds no print, so no touch ever matches.
  private static let longestSide = 24

  init(_ state: StartingState) {
    memory = EngineInMemory(files: state.files)
    if state.isUnlocked {
      send(OpenContext(context: 1))
      givePasscode(StartingState.passcode, context: 1, unlocks: true)
    }
    if state.isLockedAgain { send(LockDevice()) }
    rememberFiles()
  }

  /// Carries out the next step of a program.
  mutating func perform(_ program: inout FuzzProgram) {
    switch program.next(below: 16) {
    case 0: if edits.count < Self.mostEdits { edits.append(Edit(&program)) }
    case 1...2: sendRequest(&program)
    case 3: sendSample(&program)
    case 4: deliver(program.nextBytes(), Self.envelope(&program), context: context(&program))
    case 5: changeContexts(&program)
    case 6: usePasscodes(&program)
    case 7: if program.nextBoolean() { send(LockDevice()) } else { unlock(context(&program)) }
    case 8: useSessions(&program)
    case 9: sendFrame(&program)
    case 10: sealItem(&program)
    case 11...12: openItem(&program)
    case 13: openAttributes(&program)
    case 14: changeFiles(&program)
    default: passTime(&program)
    }
    rememberFiles()
  }

  /// No print was ever shown, so no context may have a match.
  func checkEvidence() {
    for context in 0..<UInt64(Self.contexts) {
      precondition(!evidence(of: context).hasMatch(strict: false), "a match out of nothing")
    }
  }

  // MARK: Requests

  /// Hands any bytes to the enclave; it must answer with a message.
  private func handle(_ request: [UInt8]) -> [UInt8] {
    let reply = memory.engine.handle(request.span)
    precondition(reply.count > 0, "no reply")
    if reply.bytes[0] == Failure.number, (try? Failure.decode(reply.bytes)) == nil {
      preconditionFailure("a failure that cannot be read")
    }
    return Array(copying: reply)
  }

  /// Sends a message, changed as the program asks, in its envelope. Returns the sent message and
  /// the reply.
  @discardableResult
  mutating func deliver(
    _ message: [UInt8], _ envelope: RequestCount.Envelope, context: UInt64 = noContext
  ) -> (message: [UInt8], reply: [UInt8]) {
    var message = message
    for edit in edits { edit.apply(to: &message) }
    edits = []
    let reply = handle(EngineInMemory.enveloped(message, envelope, context: context))
    RequestCount.add(message.first ?? 0, envelope, isUnderstood: !Self.isUnreadable(reply))
    return (message, reply)
  }

  /// Whether a reply says that the request was not understood, or that every request is refused
  /// because the files are damaged.
  private static func isUnreadable(_ reply: [UInt8]) -> Bool {
    guard reply[0] == Failure.number, let failure = try? Failure.decode(reply.span) else {
      return false
    }
    return failure.code == .coreFailed || failure.code == .stateDamaged
  }

  private func send(_ message: borrowing some WireMessage & ~Copyable) {
    _ = handle(Array(copying: message.encoded()))
  }

  private mutating func sendEdited(_ message: borrowing some WireMessage & ~Copyable) {
    deliver(Array(copying: message.encoded()), .core)
  }

  /// Sends one of the samples that are requests, in a context of this device.
  private mutating func sendRequest(_ program: inout FuzzProgram) {
    let (sample, envelope) = Samples.requests[program.next(below: Samples.requests.count)]
    let context = context(&program)
    deliver(Samples.bytes(of: sample, context: context), envelope, context: context)
  }

  /// Sends any sample in any envelope.
  private mutating func sendSample(_ program: inout FuzzProgram) {
    let sample = Samples.all[program.next(below: Samples.all.count)]
    let (envelope, context) = (Self.envelope(&program), context(&program))
    deliver(Samples.bytes(of: sample, context: context), envelope, context: context)
  }

  private static func envelope(_ program: inout FuzzProgram) -> RequestCount.Envelope {
    RequestCount.Envelope.allCases[program.next(below: 3)]
  }

  func context(_ program: inout FuzzProgram) -> UInt64 {
    UInt64(program.next(below: Self.contexts))
  }

  // MARK: State

  private mutating func changeContexts(_ program: inout FuzzProgram) {
    let (kind, context) = (program.next(below: 5), context(&program))
    switch kind {
    case 0...1:
      sendEdited(OpenContext(context: context, outlivesRequest: program.nextBoolean()))
    case 2: sendEdited(CloseContext(context: context))
    case 3: sendEdited(ForgetEvidence(context: contextName(context)))
    default: sendEdited(CloseContexts(of: requester))
    }
  }

  private mutating func usePasscodes(_ program: inout FuzzProgram) {
    let kind = program.next(below: 8)
    let current = Self.passcodes[program.next(below: Self.passcodes.count)]
    let other = Self.passcodes[program.next(below: Self.passcodes.count)]
    switch kind {
    case 0: sendEdited(SetPasscode(passcode: secret(current)))
    case 1: sendEdited(ReplacePasscode(current: secret(current), replacement: secret(other)))
    case 2: sendEdited(ErasePasscode(current: secret(current)))
    default: givePasscode(current, context: context(&program), unlocks: program.nextBoolean())
    }
  }

  private static let passcodes = [StartingState.passcode, "battery", "", "\0\u{e9}", "e\u{301}123"]

  private func givePasscode(_ passcode: String, context: UInt64, unlocks: Bool) {
    send(
      VerifyPasscode(context: context, unlocksDevice: unlocks, passcode: secret(passcode)))
  }

  private mutating func unlock(_ context: UInt64) { sendEdited(UnlockWithMatch(context: context)) }

  private mutating func useSessions(_ program: inout FuzzProgram) {
    let kind = program.next(below: 7)
    let session = UInt64(program.next(below: 4))
    let channel = UInt32(program.next(below: 3))
    switch kind {
    case 0:
      let source = FrameSource(
        program.nextBoolean() ? .synthetic : .reader, mayRepeat: program.nextBoolean())
      sendEdited(OpenChannel(channel: channel, source: source))
    case 1: sendEdited(CloseChannel(channel: channel))
    case 2:
      sendEdited(BeginMatch(session: session, channel: channel, context: context(&program)))
    case 3:
      sendEdited(
        BeginEnrollment(session: session, channel: channel, context: context(&program), name: "n"))
    case 4: sendEdited(AwaitTouch(session: session))
    case 5: sendEdited(CommitEnrollment(session: session))
    default: sendEdited(EndSession(session: session))
    }
  }

  private mutating func sendFrame(_ program: inout FuzzProgram) {
    let (width, height) = (program.next(below: Self.longestSide), program.next(below: 24))
    let seed = program.next()
    let pixels = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* Int(seed)) }
    sendEdited(
      SensorFrame(
        channel: UInt32(program.next(below: 3)), session: UInt64(program.next(below: 4)),
        width: UInt32(width), height: UInt32(height), pixelsPerInch: 500, pixels: pixels))
  }

  /// Restores or damages old files, and restarts the enclave.
  private mutating func changeFiles(_ program: inout FuzzProgram) {
    let kind = program.next(below: 4)
    let names = memory.platform.files.keys.sorted()
    var files = memory.platform.files
    if !names.isEmpty, kind != 3 {
      let name = names[program.next(below: names.count)]
      let known = earlier[name, default: []]
      switch kind {
      case 0: if !known.isEmpty { files[name] = known[program.next(below: known.count)] }
      case 1: Edit(&program).apply(to: &files[name, default: []])
      default: files[name] = nil
      }
    }
    memory = EngineInMemory(files: files)
  }

  private mutating func rememberFiles() {
    for (name, bytes) in memory.platform.files where earlier[name]?.last != bytes {
      earlier[name, default: []].append(bytes)
    }
  }

  private func passTime(_ program: inout FuzzProgram) {
    switch program.next(below: 3) {
    case 0: memory.platform.advance(seconds: UInt64(program.next()))
    case 1: memory.platform.advance(seconds: UInt64(program.next()) * 3600)
    // The disk is full for a while.
    default: memory.platform.writesLeft = program.nextBoolean() ? program.next(below: 3) : nil
    }
  }

  // MARK: Looking

  var status: EnclaveStatus? {
    try? EnclaveStatus.decode(handle(Array(copying: GetEnclaveStatus().encoded())).span)
  }

  func evidence(of context: UInt64) -> EvidenceSet {
    let reply = handle(Array(copying: GetContextEvidence(context: context).encoded()))
    return (try? ContextEvidence.decode(reply.span))?.evidence ?? []
  }
}
