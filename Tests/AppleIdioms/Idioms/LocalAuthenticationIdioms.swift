import Foundation
import LocalAuthentication
import Testing

/// What an application asks a context for, so that tests of its own can answer.
protocol IdiomaticAuthenticator {
  func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
  func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, Error?) -> Void)
  var biometryType: LABiometryType { get }
}

extension LAContext: IdiomaticAuthenticator {}

/// A context of a test that answers as it is told, by the form with a reply.
class ReplyingContext: LAContext {
  var answer: LAError.Code?
  var asked: [LAPolicy] = []

  override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    guard let answer = answer else { return true }
    error?.pointee = NSError(domain: LAErrorDomain, code: answer.rawValue, userInfo: nil)
    return false
  }

  override func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping (Bool, Error?) -> Void
  ) {
    asked.append(policy)
    if let answer = answer { reply(false, LAError(answer)) } else { reply(true, nil) }
  }

  override var biometryType: LABiometryType { return .faceID }
  override func invalidate() { answer = .invalidContext }
}

/// One that answers the form for tasks itself.
final class AwaitedContext: LAContext {
  override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    throw LAError(.userFallback)
  }
}

/// One whose signature is that of early Swift.
class EarlyContext: LAContext {
  override func canEvaluatePolicy(
    _ policy: LAPolicy, error: AutoreleasingUnsafeMutablePointer<NSError?>?
  ) -> Bool {
    return policy == .deviceOwnerAuthentication
  }
}

/// What applications do with errors of LocalAuthentication, and with contexts of their tests.
@Suite("X5: errors and mocks of LocalAuthentication as existing code has them")
struct AuthenticationIdioms {
  private let cancelled: Error = NSError(domain: LAErrorDomain, code: -2, userInfo: nil)

  @Test("errors are cast in every direction")
  func casts() {
    #expect((cancelled as? LAError)?.code == .userCancel)
    #expect((cancelled as! LAError).errorCode == Int(kLAErrorUserCancel))
    #expect((cancelled as NSError).code == LAError.userCancel.rawValue)
    let plain = NSError(domain: LAErrorDomain, code: -8, userInfo: nil)
    #expect((plain as? LAError)?.code == .biometryLockout)
    let native: Any = LAError(.biometryLockout)
    #expect(native as? NSError == plain)
    #expect(LAError(_nsError: plain).code == LAError.Code.touchIDLockout)
    #expect(LAError(.appCancel) as NSError == NSError(domain: LAErrorDomain, code: -9))
    #expect((NSError(domain: "other", code: -2) as Error) as? LAError == nil)
    #expect(LAError.Code(rawValue: -1004) == .notInteractive)
    #expect(
      LAError(.passcodeNotSet, userInfo: ["key": "value"]).userInfo["key"] as? String == "value")
    #expect(LAError.errorDomain == LAErrorDomain)
  }

  @Test("errors are caught by code, by type, and as NSError")
  func catches() {
    func name(_ error: Error) -> String {
      do {
        throw error
      } catch LAError.userCancel {
        return "cancel"
      } catch LAError.biometryNotAvailable, LAError.touchIDNotEnrolled {
        return "unavailable"
      } catch let error as LAError where error.code == .userFallback {
        return "fallback"
      } catch let error as LAError {
        return "\(error.code.rawValue)"
      } catch let error as NSError {
        return error.domain
      }
    }
    #expect(name(cancelled) == "cancel" && name(LAError(.userCancel)) == "cancel")
    #expect(name(LAError(.biometryNotEnrolled)) == "unavailable")
    #expect(name(LAError(.userFallback)) == "fallback")
    #expect(name(NSError(domain: LAErrorDomain, code: -1)) == "-1")
    #expect(name(NSError(domain: NSCocoaErrorDomain, code: -2)) == NSCocoaErrorDomain)
  }

  @Test("errors are switched over")
  func switches() {
    func title(_ error: Error) -> String {
      switch error {
      case LAError.authenticationFailed: return "wrong"
      case LAError.userCancel, LAError.appCancel, LAError.systemCancel: return "cancel"
      default: break
      }
      guard let error = error as? LAError else { return "other" }
      switch error.code {
      case .passcodeNotSet: return "no passcode"
      case .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout: return "no biometry"
      case .userFallback: return "fallback"
      case .invalidContext, .notInteractive: return "ours"
      default: return "unknown"
      }
    }
    #expect(title(cancelled) == "cancel" && title(LAError(.authenticationFailed)) == "wrong")
    #expect(title(LAError(.biometryLockout)) == "no biometry")
    #expect(title(LAError(.userFallback)) == "fallback")
    #expect(title(NSError()) == "other")
  }

  @Test("a plain error of C is asked whether, by its number")
  func numbers() {
    let context = ReplyingContext()
    context.answer = .passcodeNotSet
    var error: NSError?
    let can = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error)
    #expect(!can && error?.code == Int(kLAErrorPasscodeNotSet))
    #expect(error.map { $0.domain == LAErrorDomain } == true)
    #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
    if let code = error.flatMap({ LAError.Code(rawValue: $0.code) }) {
      #expect(code == LAError.Code.passcodeNotSet)
    } else {
      Issue.record("the number has no name")
    }
  }

  @Test("a mock of the form with a reply answers both forms")
  func mocks() async {
    let context = ReplyingContext()
    do {
      let isTrue = try await context.evaluatePolicy(
        .deviceOwnerAuthentication, localizedReason: "why")
      #expect(isTrue && context.asked == [.deviceOwnerAuthentication])
      context.answer = .userCancel
      _ = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "why")
      Issue.record("it was cancelled")
    } catch {
      #expect((error as? LAError)?.code == .userCancel)
    }
    context.invalidate()
    #expect(context.answer == .invalidContext && context.asked.count == 2)
  }

  @Test("a mock of the form for tasks, and one of an early signature")
  func otherMocks() async {
    do {
      _ = try await AwaitedContext().evaluatePolicy(
        .deviceOwnerAuthentication, localizedReason: "why")
      Issue.record("the fallback was chosen")
    } catch {
      #expect(error as? LAError != nil && (error as NSError).code == -3)
    }
    let early = EarlyContext()
    #expect(early.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
    #expect(!early.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
  }

  @Test("a protocol stands before a context")
  func protocols() {
    let authenticator: IdiomaticAuthenticator = ReplyingContext()
    var error: NSError?
    #expect(authenticator.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
    authenticator.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "why") {
      success, error in
      #expect(success && error == nil)
    }
    #expect(authenticator.biometryType == .faceID)
  }

  @Test("properties are set before an evaluation")
  func properties() {
    let context = LocalAuthentication.LAContext()
    context.localizedReason = "open"
    context.localizedFallbackTitle = ""
    context.localizedCancelTitle = "Leave"
    context.interactionNotAllowed = true
    context.touchIDAuthenticationAllowableReuseDuration =
      LATouchIDAuthenticationMaximumAllowableReuseDuration
    #expect(context.touchIDAuthenticationAllowableReuseDuration == 300)
    #expect(context.evaluatedPolicyDomainState == nil)
    context.invalidate()
  }
}
