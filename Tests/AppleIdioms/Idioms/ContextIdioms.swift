import Foundation
import LocalAuthentication
import Testing

/// What applications hide a context behind, to replace it in tests.
protocol Authenticating {
  var interactionNotAllowed: Bool { get set }
  func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
}

extension LAContext: Authenticating {}

/// A context of a test: the form with a closure alone is replaced.
final class ReplacedContext: LAContext {
  override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    if let error = error {
      error.pointee = NSError(
        domain: LAErrorDomain, code: LAError.Code.passcodeNotSet.rawValue)
    }
    return false
  }

  override func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, Error?) -> Void
  ) {
    if localizedReason == "yes" {
      reply(true, nil)
    } else {
      reply(false, NSError(domain: LAErrorDomain, code: LAError.Code.userCancel.rawValue))
    }
  }

  override var biometryType: LABiometryType { .touchID }
}

/// A context that a model of a view keeps.
@MainActor final class ViewModel {
  private let context: LAContext
  var isUnlocked = false

  init(_ context: LAContext) { self.context = context }

  func unlock() async {
    do {
      isUnlocked = try await context.evaluatePolicy(
        .deviceOwnerAuthenticationWithBiometrics, localizedReason: "yes")
    } catch {
      isUnlocked = false
    }
  }
}

/// A context that an actor keeps.
actor Vault {
  private let context = ReplacedContext()

  func isOpened(reason: String) async -> Bool {
    (try? await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)) == true
  }
}

/// Contexts, and contexts of tests.
@Suite("X5: contexts as existing code uses them", .timeLimit(.minutes(60)))
struct ContextIdioms {
  @Test("an error goes to a variable, or nowhere")
  func canEvaluate() throws {
    let device = try IdiomDevice()
    try device.run {
      let context = LAContext()
      var error: NSError?
      #expect(!(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)))
      #expect(error?.code == LAError.passcodeNotSet.rawValue && error?.domain == LAErrorDomain)
      #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
      var authenticating: Authenticating = context
      authenticating.interactionNotAllowed = true
      #expect(context.interactionNotAllowed)
    }
  }

  @Test("a replaced closure form serves the form that waits, from a view model and an actor")
  func replaced() async {
    var error: NSError?
    let context = ReplacedContext()
    #expect(!(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)))
    #expect((error as? LAError)?.code == .passcodeNotSet)
    let model = await ViewModel(ReplacedContext())
    await model.unlock()
    #expect(await model.isUnlocked)
    #expect(await Vault().isOpened(reason: "yes"))
    #expect(await !Vault().isOpened(reason: "no"))
  }

  @Test("a kind of biometry is switched over")
  func biometry() {
    func name(_ context: LAContext) -> String {
      switch context.biometryType {
      case .none: return "none"
      case .touchID: return "finger"
      case .faceID, .opticID: return "face"
      @unknown default: return "other"
      }
    }
    #expect(name(ReplacedContext()) == "finger")
    if #available(iOS 11.0, macOS 10.13.2, *) { #expect(name(ReplacedContext()) == "finger") }
  }

  @Test("errors are caught, cast and compared in every way")
  func errors() async throws {
    let context = ReplacedContext()
    do {
      _ = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "no")
      Issue.record("it was to fail")
    } catch LAError.userCancel {
      // As it should be.
    } catch {
      Issue.record("another error: \(error)")
    }
    let plain: Error = NSError(domain: LAErrorDomain, code: -2)
    #expect((plain as? LAError)?.code == .userCancel)
    #expect((plain as! LAError).code == LAError.Code.userCancel)
    switch plain {
    case LAError.userCancel: break
    case LAError.systemCancel, LAError.appCancel: Issue.record("another code")
    default: Issue.record("not told")
    }
    let typed = LAError(.biometryLockout)
    #expect(typed.errorCode == -8)
    let any: Any = typed
    #expect((any as? NSError)?.code == Int(kLAErrorBiometryLockout))
    #expect(LAError.Code(rawValue: -8) == .biometryLockout)
    do { throw typed } catch let error as NSError {
      #expect(error.code == -8 && error.domain == LAErrorDomain)
    }
    #expect((NSError(domain: "other", code: -2) as Error) as? LAError == nil)
  }

  @Test("the owner is authenticated by both forms, and opens an item without a second prompt")
  func owner() async throws {
    let device = try IdiomDevice(isSetUp: true)
    try await device.run {
      let context = LAContext()
      context.localizedFallbackTitle = ""
      context.touchIDAuthenticationAllowableReuseDuration = 10
      let isOwner = try await context.evaluatePolicy(
        .deviceOwnerAuthenticationWithBiometrics, localizedReason: "unlock the vault")
      #expect(isOwner)
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [.biometryAny, .or, .devicePasscode],
        nil)!
      let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "vault",
        kSecAttrAccessControl as String: control, kSecValueData as String: Data("gold".utf8),
        kSecUseAuthenticationContext as String: context,
      ]
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      context.interactionNotAllowed = true
      let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "vault",
        kSecReturnData as String: true, kSecUseAuthenticationContext as String: context,
      ]
      var found: AnyObject?
      #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
      #expect(found as? Data == Data("gold".utf8))
    }
  }
}
