import CoreClient
import Foundation
import LinuxSystem
import Protocol
import TestSupport

/// A core on demand with a passcode and a finger, and what ``EnduranceTests`` does to it. Clients and
/// their drivers come and go meanwhile.
final class EnduredDevice {
  let state: TestHome
  let requests: EnduredRequests
  private let access: CoreAccess
  private let person = EndurancePerson()
  /// Keeps the core alive.
  private let connection: CoreConnection

  private static let options = PromptOptions(
    reason: "to endure", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 20_000,
    mayPrompt: true, touch: .played, canGivePasscode: true, prefersPasscode: true,
    mayUseAgent: false)

  init() throws {
    state = try TestHome()
    access = CoreAccess(to: .folder(state.home), program: Products.program("authcored"))
    requests = EnduredRequests(access)
    connection = try access.connect()
    let _: Done = try connection.request(
      SetPasscode(passcode: SecretBytes(copying: Array(person.passcode.utf8).span)))
    try enroll("owner", by: reader(touches(0..<5)))
  }

  /// Touches in turns of six: matched; missed; refused, then matched; too late, then matched. A reader
  /// serves a hundred turns.
  func touch(_ count: Int) throws {
    let (owner, stranger) = (try Prints.owner.get(), try Prints.stranger.get())
    var tape: [String] = []
    for turn in 0..<100 {
      tape += [
        "touch \(owner[5 + turn % 3].path)", "touch \(stranger[turn % 8].path)", "noise too-dry",
        "touch \(owner[turn % 8].path)", "wait 30s", "touch \(owner[6].path)",
      ]
    }
    for reader in 0..<(count + 599) / 600 {
      let connection = try self.reader(tape)
      for _ in 0..<min(100, (count - reader * 600 + 5) / 6) {
        try expect(connection, [.matched, .missed, .matched, .late, .matched])
      }
    }
  }

  private enum Outcome { case matched, missed, late }

  private func expect(_ connection: CoreConnection, _ expected: [Outcome]) throws {
    for expected in expected {
      let found: Outcome
      do throws(Failure) {
        let tested: FingerTested = try connection.request(
          TestFinger(options: Self.options), agent: person)
        found = tested.isMatch ? .matched : .missed
      } catch {
        guard error.code == .timedOut else { throw error }
        found = .late
      }
      guard found == expected else {
        throw Failure(.engineFailed, "A touch was \(found), not \(expected)")
      }
    }
  }

  func cancelTouches(_ count: Int) throws {
    let connection = try reader([], options: "hold=1")
    person.manner = .cancels
    defer { person.manner = .answers }
    for _ in 0..<count { try expectFailure(.appCancel, connection) }
  }

  /// Clients leave while the core awaits a touch, or the passcode.
  func abandonPrompts(_ count: Int) throws {
    person.manner = .leaves
    defer { person.manner = .answers }
    for number in 0..<count {
      let connection = number % 2 == 0 ? try access.connect() : try reader([], options: "hold=1")
      try expectFailure(.systemCancel, connection, unlocks: number % 2 == 0)
    }
  }

  private func expectFailure(
    _ code: FailureCode, _ connection: CoreConnection, unlocks: Bool = false
  ) throws {
    do throws(Failure) {
      if unlocks {
        let _: Done = try connection.request(
          ChangePasscode(replacement: SecretBytes(count: 8), options: Self.options), agent: person)
      } else {
        let _: FingerTested = try connection.request(
          TestFinger(options: Self.options), agent: person)
      }
    } catch {
      guard error.code == code else { throw error }
      return
    }
    throw Failure(.engineFailed, "A prompt that nobody answers was answered")
  }

  func enroll(_ count: Int) throws {
    for number in 0..<count {
      let connection = try reader(touches(0..<5, of: Prints.second.get()))
      try enroll("finger \(number)", by: connection)
      let _: Done = try connection.ask(
        RemoveFinger(finger: "finger \(number)"), Self.options, agent: person)
    }
  }

  private func enroll(_ name: String, by connection: CoreConnection) throws {
    let _: EnrolledFinger = try connection.request(
      EnrollFinger(name: name, touches: 5, options: Self.options), agent: person)
  }

  func changePasscode(_ count: Int) throws {
    for number in 0..<count {
      let next = "correct horse \(number)"
      let _: Done = try connection.request(
        ChangePasscode(
          replacement: SecretBytes(copying: Array(next.utf8).span), options: Self.options),
        agent: person)
      person.passcode = next
    }
  }

  func lock(_ count: Int) throws {
    for _ in 0..<count {
      let _: Done = try connection.ask(LockDevice())
      let _: Evaluated = try connection.request(UnlockDevice(options: Self.options), agent: person)
    }
  }

  /// Readers that leave after a touch, and some that are unplugged before it.
  func changeReaders(_ count: Int) throws {
    for number in 0..<count {
      let touch = try touches(5..<6)
      if number % 2 == 0 {
        try expect(try reader(touch), [.matched])
      } else {
        let connection = try reader(["unplug", "plug"] + touch)
        try? expect(connection, [.matched])
        try expect(connection, [.matched])
      }
    }
  }

  private func touches(_ range: Range<Int>, of finger: [URL]? = nil) throws -> [String] {
    try (finger ?? Prints.owner.get())[range].map { "touch \($0.path)" }
  }

  /// A client whose own reader plays these lines.
  private func reader(_ lines: [String], options: String? = nil) throws -> CoreConnection {
    let path = state.folder.file("endured.tape")
    let text = (["authcore-tape 1", "ppi 500"] + lines).joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let tape = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    var given = [DriverOption(name: "tape", value: path, hasDescriptor: true)]
    if let options = options?.split(separator: "=") {
      given.append(
        DriverOption(name: String(options[0]), value: String(options[1]), hasDescriptor: false))
    }
    let connection = try access.connect()
    let _: Done = try connection.request(
      UseDriver(driver: "replay", options: given), descriptors: [tape.fileDescriptor])
    return connection
  }
}

/// Somebody who answers prompts, or does not.
final class EndurancePerson: PromptAgent {
  enum Manner { case answers, cancels, leaves }

  var manner = Manner.answers
  var passcode = TestHome.passcode
  private(set) var told: [Protocol.Progress.Event] = []
  private var conversation: (any PromptConversation)?

  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    self.conversation = conversation
    if prompt.awaitsTouch {
      try conversation.answer(PromptAnswer(prompt: prompt.prompt, kind: .shown))
    } else if manner == .answers {
      try conversation.answer(
        PromptAnswer(
          prompt: prompt.prompt, kind: .passcode,
          passcode: SecretBytes(copying: Array(passcode.utf8).span)))
    }
    if manner == .leaves { throw Failure(.systemCancel, "The client leaves") }
  }

  func tell(_ progress: Protocol.Progress.Event) {
    told.append(progress)
    if manner == .cancels, case .awaitingTouch = progress { try? conversation?.cancelRequest() }
  }

  var watchedDescriptors: [Int32] { [] }
  func descriptorIsReady(
    _ number: Int32, in conversation: any PromptConversation
  ) throws(Failure) {}
  func requestEnded() { conversation = nil }
}
