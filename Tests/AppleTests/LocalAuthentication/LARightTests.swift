import CoreClient
import Foundation
import LocalAuthentication
import TestSupport
import Testing

@Suite("LARight, through the programs", .timeLimit(.minutes(15)))
struct LARightTests {
  private let device: TestHome

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  private func right(
    _ requirement: LAAuthenticationRequirement = .default, driver: String?
  ) -> LARight {
    ApplicationClient.$replacement.withValue(device.client(driver: driver)) {
      LARight(requirement: requirement)
    }
  }

  private func code(_ body: () async throws -> Void) async -> LAError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? LAError)?.code ?? .invalidDimensions
    }
  }

  @Test("a right is authorized by a touch, until it is deauthorized")
  func authorize() async throws {
    let right = right(driver: try device.ownerTouch())
    right.tag = 7
    #expect(right.state == .unknown && right.tag == 7)
    #expect(await code { try await right.checkCanAuthorize() } == nil)
    #expect(right.state == .unknown)
    try await right.authorize(localizedReason: "open the chest")
    #expect(right.state == .authorized)
    await right.deauthorize()
    #expect(right.state == .notAuthorized)
    try await right.authorize(localizedReason: "open it again")
    #expect(right.state == .authorized)
  }

  @Test(
    "each requirement is satisfied by the owner's finger",
    arguments: [
      LAAuthenticationRequirement.default, .biometry, .biometryCurrentSet,
      .biometry(fallback: .default), .biometry(fallback: .devicePasscode),
    ])
  func requirements(requirement: LAAuthenticationRequirement) async throws {
    let right = right(requirement, driver: try device.ownerTouch())
    #expect(await code { try await right.checkCanAuthorize() } == nil)
    try await right.authorize(localizedReason: "open the chest")
    #expect(right.state == .authorized)
  }

  @Test("a right that is refused says why, and is not authorized")
  func refused() async throws {
    let strange = right(driver: try device.strangerTouches(3))
    #expect(
      await code { try await strange.authorize(localizedReason: "open") } == .authenticationFailed)
    #expect(strange.state == .notAuthorized)
    #expect(await code { try await strange.authorize(localizedReason: "") } == .notInteractive)
    let away = right(.biometry, driver: nil)
    #expect(await code { try await away.checkCanAuthorize() } == .biometryDisconnected)
    #expect(
      await code { try await away.authorize(localizedReason: "open") } == .biometryDisconnected)
    // The passcode would do.
    let either = right(.biometry(fallback: .devicePasscode), driver: nil)
    #expect(await code { try await either.checkCanAuthorize() } == nil)
  }

  @Test("deauthorizing ends an authorization that is under way; the right stays closed")
  func deauthorizeMeanwhile() async throws {
    let right = right(driver: try device.untouched())
    let replies = Replies()
    right.authorize(localizedReason: "wait") { replies.take($0 == nil, $0) }
    try device.waitUntilDriverRuns()
    #expect(right.state == .authorizing)
    await right.deauthorize()
    #expect(await replies.codes(1) == [.appCancel])
    #expect(right.state == .notAuthorized)
  }
}
