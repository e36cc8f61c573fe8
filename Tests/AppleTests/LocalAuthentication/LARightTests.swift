import CoreClient
import Foundation
import LocalAuthentication
import Security
import TestSupport
import Testing

@Suite("LARight, through the programs", .timeLimit(.minutes(60)))
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
    // The passcode would also count.
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

@Suite("LARightStore, through the programs", .timeLimit(.minutes(60)))
struct LARightStoreTests {
  private let device: TestHome

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  private func code(_ body: () async throws -> Void) async -> Int? {
    do {
      try await body()
      return nil
    } catch {
      return (error as NSError).code
    }
  }

  private func asApplication(
    driver: String, _ body: (LARightStore) async throws -> Void
  ) async throws {
    try await ApplicationClient.$replacement.withValue(device.client(driver: driver)) {
      try await body(LARightStore.shared)
    }
  }

  @Test("E4: the secret of a right is read while it is authorized, and not before or after")
  func secret() async throws {
    try await asApplication(driver: try device.ownerTouch()) { store in
      let secret = Data("access token".utf8)
      let saved = try await store.saveRight(LARight(), identifier: "token", secret: secret)
      #expect(saved.state == .unknown)
      let right = try await store.right(forIdentifier: "token")
      #expect(
        await code { _ = try await right.secret.rawData } == Int(errSecInteractionNotAllowed))
      try await right.authorize(localizedReason: "read the token")
      #expect(try await right.secret.rawData == secret)
      #expect(try await right.secret.rawData == secret)
      // Only this right is authorized, not another one of its name.
      #expect(
        await code { _ = try await saved.secret.rawData } == Int(errSecInteractionNotAllowed))
      await right.deauthorize()
      #expect(
        await code { _ = try await right.secret.rawData } == Int(errSecInteractionNotAllowed))
    }
  }

  @Test("E4: the key of a right signs, decrypts and agrees while it is authorized")
  func key() async throws {
    try await asApplication(driver: try device.ownerTouch()) { store in
      let right = try await store.saveRight(
        LARight(requirement: .biometryCurrentSet), identifier: "signing")
      let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
      let sealing = SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM
      let agreeing = SecKeyAlgorithm.ecdhKeyExchangeStandard
      let publicKey = right.key.publicKey
      #expect(right.key.canSign(using: signing) && publicKey.canVerify(using: signing))
      #expect(right.key.canDecrypt(using: sealing) && publicKey.canEncrypt(using: sealing))
      #expect(right.key.canExchangeKeys(using: agreeing) && !right.key.canSign(using: sealing))
      let message = Data("the letter".utf8)
      #expect(await code { _ = try await right.key.sign(message, algorithm: signing) } != nil)
      let sealed = try await publicKey.encrypt(message, algorithm: sealing)

      try await right.authorize(localizedReason: "sign the letter")
      let signature = try await right.key.sign(message, algorithm: signing)
      try await publicKey.verify(message, signature: signature, algorithm: signing)
      #expect(
        await code {
          try await publicKey.verify(sealed, signature: signature, algorithm: signing)
        } == Int(errSecVerifyFailed))
      #expect(try await right.key.decrypt(sealed, algorithm: sealing) == message)
      let bytes = try await publicKey.bytes
      #expect(bytes.count == 65 && bytes.first == 4)
      let shared = try await right.key.exchangeKeys(
        publicKey: bytes, algorithm: agreeing, parameters: [:])
      #expect(shared.count == 32)
    }
  }

  @Test("rights are found by name, once each, and removed with what they keep")
  func names() async throws {
    try await asApplication(driver: try device.ownerTouch()) { store in
      #expect(
        await code { _ = try await store.right(forIdentifier: "a") } == Int(errSecItemNotFound))
      let right = LARight(requirement: .biometry(fallback: .devicePasscode))
      let first = try await store.saveRight(right, identifier: "a", secret: Data([1]))
      #expect(
        await code { _ = try await store.saveRight(right, identifier: "a") }
          == Int(errSecDuplicateItem))
      _ = try await store.saveRight(right, identifier: "b")
      _ = try await store.saveRight(right, identifier: "c")
      #expect(
        await code {
          let second = try await store.right(forIdentifier: "b")
          try await second.authorize(localizedReason: "read")
          _ = try await second.secret.rawData
        } == Int(errSecItemNotFound))
      try await store.removeRight(first)
      #expect(
        await code { try await store.removeRight(forIdentifier: "a") } == Int(errSecItemNotFound))
      let again = try await store.saveRight(right, identifier: "a", secret: Data([2]))
      try await again.authorize(localizedReason: "read")
      #expect(try await again.secret.rawData == Data([2]))
      try await store.removeAllRights()
      for name in ["a", "b", "c"] {
        #expect(
          await code { _ = try await store.right(forIdentifier: name) } == Int(errSecItemNotFound))
      }
      try await store.removeAllRights()
    }
  }
}
