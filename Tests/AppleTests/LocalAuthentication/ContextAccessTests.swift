import CoreClient
import Foundation
import LocalAuthentication
import Protocol
import Security
import TestSupport
import Testing

@Suite("Access controls in an LAContext, through the programs", .timeLimit(.minutes(60)))
struct ContextAccessTests {
  private let device: TestHome

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  private func accessControl(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
    let made = SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
    return try #require(made)
  }

  private nonisolated(nonsending) func failure(
    of flags: SecAccessControlCreateFlags, _ operation: LAAccessControlOperation = .useItem,
    in context: LAContext, reason: String = "open it"
  ) async throws -> LAError.Code? {
    let accessControl = try accessControl(flags)
    return await context.failure {
      try await $0.evaluateAccessControl(
        accessControl, operation: operation, localizedReason: reason)
    }
  }

  @Test(
    "A1: a touch satisfies what a finger can",
    arguments: [
      SecAccessControlCreateFlags.userPresence, .biometryAny, .biometryCurrentSet,
      [.biometryAny, .or, .devicePasscode], [.privateKeyUsage, .biometryAny],
      [.userPresence, .applicationPassword],
    ])
  func touch(flags: SecAccessControlCreateFlags) async throws {
    let context = device.context(driver: try device.ownerTouch())
    for operation in [.useItem, .useKeySign, .useKeyDecrypt] as [LAAccessControlOperation] {
      #expect(try await failure(of: flags, operation, in: context) == nil)
    }
  }

  @Test("A1: a touch does not satisfy what demands the passcode")
  func passcode() async throws {
    let context = device.context(driver: try device.ownerTouch())
    for flags in [.devicePasscode, [.biometryAny, .devicePasscode]]
      as [SecAccessControlCreateFlags]
    {
      #expect(try await failure(of: flags, in: context) == .notInteractive)
    }
  }

  @Test("FINDINGS A4: an unlock by touch answers a policy, and opens nothing in that context")
  func reuse() async throws {
    let item: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "bank",
      kSecAttrAccessControl: try accessControl(.biometryAny), kSecValueData: Data("gold".utf8),
    ]
    ApplicationClient.$replacement.withValue(device.client()) {
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }
    #expect(try device.authcore("lock").status == 0)
    let unlock = try device.authcore("--driver", device.ownerTouch(), "unlock")
    #expect(unlock.json["by"]?.string == "biometry", "\(unlock.account)")
    let context = device.context()
    context.interactionNotAllowed = true
    context.touchIDAuthenticationAllowableReuseDuration = 300
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "bank", kSecReturnData: true,
      kSecUseAuthenticationContext: context,
    ]
    for _ in 0..<2 {
      #expect(
        SecItemCopyMatching(query as CFDictionary, nil) == errSecInteractionNotAllowed)
      #expect(try await failure(of: .biometryAny, in: context) == .notInteractive)
      #expect(await context.failure(of: .deviceOwnerAuthenticationWithBiometrics) == nil)
    }
  }

  @Test("FINDINGS A15: making an item or a key asks as the access control says")
  func creating() async throws {
    for operation in [.createItem, .createKey] as [LAAccessControlOperation] {
      let nobody = device.context(driver: try device.tape([String]()))
      #expect(try await failure(of: .userPresence, operation, in: nobody) == .systemCancel)
      let stranger = device.context(driver: try device.strangerTouches(8))
      #expect(
        try await failure(of: .biometryAny, operation, in: stranger) == .authenticationFailed)
      let unlock = try device.authcore("unlock", passcode: TestHome.passcode)
      #expect(unlock.status == 0, "\(unlock.account)")
      let owner = device.context(driver: try device.ownerTouch())
      #expect(try await failure(of: .biometryAny, operation, in: owner) == nil)
    }
  }

  @Test("without an access control nobody is asked")
  func free() async throws {
    let context = device.context(driver: try device.tape([String]()))
    for flags in [[], .privateKeyUsage, .applicationPassword] as [SecAccessControlCreateFlags] {
      #expect(try await failure(of: flags, .useKeySign, in: context) == nil)
    }
    #expect(try await failure(of: .userPresence, in: context) == .systemCancel)
  }

  @Test("L6, L10: it fails as a policy does")
  func failures() async throws {
    let context = device.context(driver: try device.strangerTouches(8))
    for reason in ["", " \n", "\u{200B}"] {
      #expect(try await failure(of: .biometryAny, in: context, reason: reason) == .notInteractive)
    }
    #expect(
      try await failure(of: .biometryAny, .createItem, in: context, reason: "") == .notInteractive)
    #expect(try await failure(of: .biometryAny, in: context) == .authenticationFailed)
    context.interactionNotAllowed = true
    #expect(try await failure(of: .userPresence, in: context) == .notInteractive)
    context.invalidate()
    #expect(try await failure(of: .biometryAny, in: context) == .invalidContext)
    let away = device.context()
    #expect(try await failure(of: .biometryAny, in: away) == .biometryDisconnected)
  }

  /// Adds an item behind an access control, and tells what opening it in a context comes to.
  private func opened(
    _ service: String, _ context: LAContext
  ) -> FailureCode? {
    let authentication = context._authentication
    var query = ItemQuery()
    query.service = service
    do throws(Failure) {
      let got: GotItem = try authentication.context.ask(
        GetItem(query: query), authentication.prompting)
      let isRight = got.secret.isEqual(to: Array("s3cret".utf8).span)
      #expect(isRight)
      return nil
    } catch {
      return error.code
    }
  }

  private func add(
    _ service: String, _ access: String, to context: LAContext
  ) throws {
    var attributes = ItemAttributes()
    attributes.service = service
    attributes.accessControl = try AccessControl(parsing: access)
    let secret = SecretBytes(copying: Array("s3cret".utf8).span)
    let _: ItemAdded = try context._authentication.context.ask(
      AddItem(attributes: attributes, secret: secret))
  }

  @Test("E4: what an evaluation proved opens items of the keychain, without a second prompt")
  func opensItems() async throws {
    let context = device.context(driver: try device.ownerTouch())
    for service in ["bank", "shop"] { try add(service, "biometry-any", to: context) }
    #expect(await context.failure(of: .deviceOwnerAuthenticationWithBiometrics) == nil)
    context.interactionNotAllowed = true
    #expect(opened("bank", context) == nil && opened("shop", context) == nil)
    let other = device.context(driver: try device.ownerTouch())
    other.interactionNotAllowed = true
    #expect(opened("bank", other) == .errSecInteractionNotAllowed)
    context.invalidate()
    #expect(opened("bank", context) == .invalidContext)
  }

  @Test("an application password seals and opens in the context, also in another core")
  func appPassword() async throws {
    let context = device.context(driver: try device.ownerTouch())
    context.setCredential(Data("mine".utf8), type: .applicationPassword)
    try add("safe", "app-password", to: context)
    #expect(opened("safe", context) == nil)
    #expect(try device.authcore("quit").status == 0)
    let unlock = try device.authcore("unlock", passcode: TestHome.passcode)
    #expect(unlock.status == 0, "\(unlock.account)")
    #expect(opened("safe", context) == nil)
    context.interactionNotAllowed = true
    context.setCredential(Data("another".utf8), type: .applicationPassword)
    #expect(opened("safe", context) == .errSecAuthFailed)
    context.setCredential(nil, type: .applicationPassword)
    #expect(opened("safe", context) == .errSecInteractionNotAllowed)
    context.setCredential(Data("mine".utf8), type: .applicationPassword)
    #expect(opened("safe", context) == nil)
  }
}
