import Foundation
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import CoreClient

@Suite("An application's client", .timeLimit(.minutes(60)))
struct ApplicationClientTests {
  let device: TestHome
  init() throws { device = try TestHome() }

  @Test("it starts a core on demand, adds an item and gets it back")
  func addsAndGets() throws {
    let application = TestApplication(device)
    try application.add("mail", secret: "open sesame")
    #expect(try application.secret("mail") == "open sesame")
  }

  @Test("an item behind a finger is opened by a touch of the tape, which begins anew each time")
  func tapeBeginsAnew() throws {
    try device.setUp()
    let application = TestApplication(device, driver: try device.ownerTouch())
    try application.add("bank", access: "biometry-any")
    #expect(try application.secret("bank") == "s3cret")
    #expect(try application.secret("bank") == "s3cret")
  }

  @Test("a forbidden prompt and a missing item give different failures")
  func forbiddenPrompt() throws {
    try device.setUp()
    let application = TestApplication(device, driver: try device.ownerTouch())
    try application.add("bank", access: "presence")
    let denied = #expect(throws: Failure.self) { try application.secret("bank", .forbidden) }
    #expect(denied?.code == .errSecInteractionNotAllowed)
    let missing = #expect(throws: Failure.self) { try application.secret("none", .forbidden) }
    #expect(missing?.code == .errSecItemNotFound)
  }

  @Test("one proof in a context opens several items, until it is invalidated")
  func contextServesSeveral() throws {
    try device.setUp()
    let application = TestApplication(device, driver: try device.ownerTouch())
    try application.add("bank", access: "biometry-any")
    try application.add("shop", access: "biometry-any")
    let context = ApplicationContext(application.client)
    let proof = try context.evaluate(.biometrics, Prompting(reason: "open two items"))
    #expect(proof.evidence == .biometry)
    // The tape has one touch: a second one is impossible.
    #expect(try application.secret("bank", in: context) == "s3cret")
    #expect(try application.secret("shop", in: context) == "s3cret")
    context.invalidate()
    let over = #expect(throws: Failure.self) { try application.secret("bank", in: context) }
    #expect(over?.code == .invalidContext)
  }

  @Test("a request that waits for a touch is cancelled from another thread")
  func cancelled() async throws {
    try device.setUp()
    let tape = try device.tape([String]()) + ",hold=1"
    let application = TestApplication(device, driver: tape)
    let context = ApplicationContext(application.client)
    async let failure = Self.failure {
      _ = try context.evaluate(.biometrics, Prompting(reason: "wait for nobody"))
    }
    while device.core == nil { await Task.yield() }
    context.invalidate()
    let code = await failure?.code
    #expect(code == .appCancel || code == .invalidContext)
  }

  @Test("a hundred threads share a few connections, and each gets its own item")
  func manyThreads() async throws {
    let application = TestApplication(device)
    for number in 0..<10 { try application.add("item \(number)", secret: "secret \(number)") }
    let answers = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          (try? application.secret("item \(number % 10)")) == "secret \(number % 10)"
        }
      }
      return await group.reduce(into: 0) { count, isRight in count += isRight ? 1 : 0 }
    }
    #expect(answers == 100)
  }

  @Test("a core that ended is started again, and a context opened anew")
  func coreEnded() throws {
    let application = TestApplication(device)
    let context = ApplicationContext(application.client)
    try application.add("mail")
    #expect(try application.secret("mail", in: context) == "s3cret")
    #expect(try device.authcore("quit").status == 0)
    #expect(try application.secret("mail", in: context) == "s3cret")
    #expect(try device.authcore("quit").status == 0)
    #expect(try application.secret("mail") == "s3cret")
  }

  @Test("a missing driver is reported in the words of the command")
  func unknownDriver() throws {
    let application = TestApplication(device, driver: "nonesuch")
    let failure = #expect(throws: Failure.self) { try application.secret("mail") }
    #expect(failure?.code == .driverNotFound)
    let badOption = TestApplication(device, driver: "replay:pitch=1")
    let usage = #expect(throws: Failure.self) { try badOption.secret("mail") }
    #expect(usage?.code == .usage)
    #expect(usage?.message.contains("pitch") == true)
  }

  private static func failure(of body: () throws -> Void) async -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return error as? Failure
    }
  }
}

@Suite("One prompt at a time", .serialized, .timeLimit(.minutes(60)))
struct PromptTurnTests {
  private let turn = PromptTurn()

  private struct Seen: Sendable {
    var running = 0
    var most = 0
    var ended = 0
  }

  @Test("requests of many threads have their turns one after the other")
  func oneByOne() {
    let (turn, seen) = (turn, Guarded(Seen()))
    for _ in 0..<8 {
      SystemThread.start(name: "prompting") {
        for _ in 0..<50 {
          try? turn.take(nil) { () throws(Failure) in
            seen.update {
              $0.running += 1; $0.most = max($0.most, $0.running)
            }
            seen.update { $0.running -= 1 }
          }
        }
        seen.update { $0.ended += 1 }
      }
    }
    let most = seen.wait { $0.ended == 8 ? $0.most : nil }
    #expect(most == 1)
  }

  @Test("a request that waits for its turn can be cancelled, and leaves the turn to the others")
  func cancelledWhileWaiting() throws {
    let turn = turn
    let cancellation = CancellationSignal()
    let code = Guarded<FailureCode?>(nil)
    try turn.take(nil) { () throws(Failure) in
      SystemThread.start(name: "waiting") {
        do throws(Failure) {
          try turn.take(cancellation) { () throws(Failure) in }
        } catch {
          code.update { $0 = error.code }
        }
      }
      turn.cancel(cancellation)
      #expect(code.wait { $0 } == .appCancel)
    }
    var ran = false
    try turn.take(nil) { () throws(Failure) in ran = true }
    #expect(ran)
  }

  @Test("a request that was cancelled before does not begin")
  func cancelledBefore() throws {
    let cancellation = CancellationSignal()
    cancellation.cancel()
    cancellation.cancel()
    let failure = #expect(throws: Failure.self) {
      try turn.take(cancellation) { () throws(Failure) in
        Issue.record("it ran")
      }
    }
    #expect(failure?.code == .appCancel)
  }

  @Test("a failed request ends its turn")
  func failure() {
    for _ in 0..<2 {
      let failure = #expect(throws: Failure.self) {
        try turn.take(nil) { () throws(Failure) in throw Failure(.userCancel, "no") }
      }
      #expect(failure?.code == .userCancel)
    }
  }
}

/// An application on a device, and requests of its client.
struct TestApplication: Sendable {
  let client: ApplicationClient

  /// `driver` is what `AUTHCORE_DRIVER` names.
  init(_ device: TestHome, driver: String? = nil) {
    client = ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(
          home: device.home, driver: driver, stateFolder: nil,
          workingFolder: FileManager.default.currentDirectoryPath),
        applicationName: "Tests", program: Products.program("authcored")))
  }

  /// Adds a generic password of this service.
  func add(_ service: String, access: String? = nil, secret: String = "s3cret") throws {
    var attributes = ItemAttributes()
    attributes.service = service
    attributes.accessControl = try access.map { try AccessControl(parsing: $0) }
    let _: ItemAdded = try client.ask(
      AddItem(attributes: attributes, secret: SecretBytes(copying: Array(secret.utf8).span)))
  }

  /// The secret of the one item of this service.
  func secret(
    _ service: String, _ prompting: Prompting = Prompting(),
    in context: ApplicationContext? = nil
  ) throws -> String {
    var query = ItemQuery()
    query.terms[text: .service] = service
    let got: GotItem = try client.ask(GetItem(query: query), prompting, in: context)
    return String(
      decoding: (0..<got.secret.count).map { got.secret.bytes[$0] }, as: UTF8.self)
  }
}
