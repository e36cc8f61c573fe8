import CoreClient
import Protocol
import TestSupport
import Testing

@Suite("An application's client", .timeLimit(.minutes(15)))
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

  @Test("what would have to ask and may not is told apart from what is not there")
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
    // The tape held one touch: a second one could not come.
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

  @Test("a core that was ended meanwhile is started again, and a context opened anew")
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

  @Test("a driver that is not there is told in the words of the command")
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
