import CoreClient
import Foundation
import LocalAuthentication
import TestSupport
import Testing

@Suite("Every LAError that can be due, through the programs", .timeLimit(.minutes(60)))
struct EveryErrorTests {
  private let device: TestHome
  init() throws { device = try TestHome() }

  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics
  private let owner = LAPolicy.deviceOwnerAuthentication

  private func setPasscode() throws {
    let set = try device.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.status == 0, "\(set.account)")
  }

  @Test("L3: the owner's finger is no error")
  func success() async throws {
    try device.setUp()
    for policy in [biometrics, owner, .deviceOwnerAuthenticationWithBiometricsOrWatch] {
      let context = device.context(driver: try device.ownerTouch())
      #expect(context.obstacle(to: policy) == nil)
      #expect(await context.failure(of: policy) == nil, "\(policy)")
    }
  }

  @Test("−1 and −8: three misses end an evaluation, five in a row lock biometry out")
  func missesAndLockout() async throws {
    try device.setUp()
    let strangers = try device.strangerTouches(8)
    #expect(
      await device.context(driver: strangers).failure(of: biometrics) == .authenticationFailed)
    #expect(await device.context(driver: strangers).failure(of: biometrics) == .biometryLockout)
    let context = device.context(driver: try device.ownerTouch())
    #expect(context.obstacle(to: biometrics) == .biometryLockout)
    #expect(context.obstacle(to: owner) == nil)
    #expect(await context.failure(of: biometrics) == .biometryLockout)
    // The passcode would count, but nobody can give it.
    #expect(await context.failure(of: owner) == .notInteractive)
  }

  @Test("−4: nobody answers in time")
  func timeout() async throws {
    try device.setUp()
    let context = device.context(driver: try device.tape([String]()))
    #expect(await context.failure(of: biometrics) == .systemCancel)
  }

  @Test(
    "−4: the core ends during an evaluation, by itself or by force, and another one serves the next",
    arguments: [false, true])
  func coreEnds(byForce: Bool) async throws {
    try device.setUp()
    // The command that enrolled used another core.
    device.waitUntilNoDriverRuns()
    let context = device.context(driver: try device.untouched())
    let replies = Replies()
    context.evaluatePolicy(biometrics, localizedReason: "wait", reply: replies.take)
    try device.waitUntilDriverRuns()
    if byForce {
      kill(try #require(device.core), SIGKILL)
    } else {
      #expect(try device.authcore("quit").status == 0)
    }
    let codes = await replies.codes(1)
    #expect(codes == [.systemCancel])
    // Before the first unlock no finger counts.
    #expect(context.obstacle(to: biometrics) == .biometryLockout)
  }

  @Test("−5: without a passcode nobody has access")
  func passcodeNotSet() async throws {
    let context = device.context(driver: try device.ownerTouch())
    #expect(context.obstacle(to: owner) == .passcodeNotSet)
    #expect(await context.failure(of: owner) == .passcodeNotSet)
  }

  @Test("−6: no reader is there, and none ever was")
  func biometryNotAvailable() async throws {
    try setPasscode()
    let context = device.context()
    #expect(context.obstacle(to: biometrics) == .biometryNotAvailable)
    #expect(context.biometryType == .none)
    #expect(await context.failure(of: biometrics) == .biometryNotAvailable)
    #expect(context.obstacle(to: owner) == nil)
  }

  @Test(
    "−6 and never −11: what only a companion device could prove is not available",
    arguments: [
      LAPolicy.deviceOwnerAuthenticationWithCompanion,
      .deviceOwnerAuthenticationWithWristDetection,
    ])
  func companions(policy: LAPolicy) async throws {
    try device.setUp()
    let context = device.context(driver: try device.ownerTouch())
    #expect(context.obstacle(to: policy) == .biometryNotAvailable)
    #expect(await context.failure(of: policy) == .biometryNotAvailable)
  }

  @Test("−7: no finger is enrolled")
  func biometryNotEnrolled() async throws {
    try setPasscode()
    let context = device.context(driver: try device.ownerTouch())
    #expect(context.obstacle(to: biometrics) == .biometryNotEnrolled)
    #expect(context.biometryType == .touchID)
    #expect(context.evaluatedPolicyDomainState == nil)
    #expect(await context.failure(of: biometrics) == .biometryNotEnrolled)
  }

  @Test(
    "−9: the application invalidates the context, or cancels its task, while a touch is awaited")
  func appCancel() async throws {
    try device.setUp()
    let shared = SharedContext(device.context(driver: try device.untouched()))
    let biometrics = biometrics
    let task = Task { await shared.context.failure(of: biometrics) }
    try device.waitUntilDriverRuns()
    task.cancel()
    #expect(await task.value == .appCancel)
    let next = Replies()
    shared.context.evaluatePolicy(biometrics, localizedReason: "again", reply: next.take)
    shared.context.evaluatePolicy(biometrics, localizedReason: "and again", reply: next.take)
    shared.context.invalidate()
    #expect(await next.codes(2) == [.appCancel, .appCancel])
  }

  @Test("−10: a context that was invalidated is over")
  func invalidContext() async throws {
    try device.setUp()
    let context = device.context(driver: try device.ownerTouch())
    context.invalidate()
    context.invalidate()
    #expect(context.obstacle(to: biometrics) == .invalidContext)
    #expect(await context.failure(of: biometrics) == .invalidContext)
    #expect(!context.setCredential(Data("x".utf8), type: .applicationPassword))
  }

  @Test("−12: a reader is meant that no finger was enrolled with")
  func biometryNotPaired() async throws {
    try setPasscode()
    let context = device.context(driver: "uru4000")
    #expect(context.obstacle(to: biometrics) == .biometryNotPaired)
    #expect(await context.failure(of: biometrics) == .biometryNotPaired)
    #expect(
      try device.authcore("--driver", "uru4000", "auth", "--can", "--policy", "biometrics")
        .errorName == "biometryNotAvailable")
  }

  @Test("−13: the reader that took the enrolled fingers is away, or is unplugged meanwhile")
  func biometryDisconnected() async throws {
    try device.setUp()
    let unplugged = device.context(driver: try device.tape(["unplug"]))
    #expect(unplugged.obstacle(to: biometrics) == nil)
    #expect(await unplugged.failure(of: biometrics) == .biometryDisconnected)
    let away = device.context()
    #expect(away.obstacle(to: biometrics) == .biometryDisconnected)
    #expect(await away.failure(of: biometrics) == .biometryDisconnected)
    #expect(
      try device.authcore("auth", "--can", "--policy", "biometrics")
        .errorName == "biometryNotAvailable")
  }

  @Test("−1004: nobody may be asked, or nobody is there to ask")
  func notInteractive() async throws {
    try device.setUp()
    let context = device.context(driver: try device.ownerTouch())
    context.interactionNotAllowed = true
    #expect(context.obstacle(to: biometrics) == nil)
    #expect(await context.failure(of: biometrics) == .notInteractive)
    #expect(await context.failure(of: owner) == .notInteractive)
    context.interactionNotAllowed = false
    #expect(await context.failure(of: biometrics) == nil)
    // It is proved, so nobody has to be asked.
    context.interactionNotAllowed = true
    #expect(await context.failure(of: biometrics) == nil)
    // Without a reader only the passcode counts, and there is no terminal.
    #expect(await device.context().failure(of: owner) == .notInteractive)
  }

  @Test("L6: an empty reason is an error that says so")
  func emptyReason() async throws {
    try device.setUp()
    let context = device.context(driver: try device.ownerTouch())
    let error = await #expect(throws: LAError.self) {
      try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "")
    }
    #expect(error?.code == .notInteractive)
    #expect(error?.localizedDescription.contains("localizedReason") == true)
    #expect(await context.failure(of: biometrics) == nil)
    #expect(await context.failure(of: biometrics, reason: "") == .notInteractive)
  }

  @Test("−4: without a core, and no way to start one, everything says so")
  func noCore() async throws {
    let client = ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(
          home: device.home, stateFolder: nil,
          workingFolder: FileManager.default.currentDirectoryPath),
        applicationName: "Tests", program: "/nonexistent/authcored"))
    let context = ApplicationClient.$replacement.withValue(client) { LAContext() }
    #expect(context.obstacle(to: owner) == .systemCancel)
    #expect(context.obstacle(to: biometrics) == .systemCancel)
    #expect(context.biometryType == .none && context.domainState.stateHash == nil)
    let error = await #expect(throws: LAError.self) {
      try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "prove it")
    }
    #expect(error?.code == .systemCancel)
    #expect(error?.localizedDescription.contains("/nonexistent/authcored") == true)
  }
}
