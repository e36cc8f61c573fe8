import Foundation
import Protocol
import Testing

@testable import LocalAuthentication

@Suite("LAError")
struct LAErrorTests {
  static let codes: [(LAError.Code, Int32, LAError.Code)] = [
    (.authenticationFailed, kLAErrorAuthenticationFailed, LAError.authenticationFailed),
    (.userCancel, kLAErrorUserCancel, LAError.userCancel),
    (.userFallback, kLAErrorUserFallback, LAError.userFallback),
    (.systemCancel, kLAErrorSystemCancel, LAError.systemCancel),
    (.passcodeNotSet, kLAErrorPasscodeNotSet, LAError.passcodeNotSet),
    (.biometryNotAvailable, kLAErrorBiometryNotAvailable, LAError.biometryNotAvailable),
    (.biometryNotEnrolled, kLAErrorBiometryNotEnrolled, LAError.biometryNotEnrolled),
    (.biometryLockout, kLAErrorBiometryLockout, LAError.biometryLockout),
    (.appCancel, kLAErrorAppCancel, LAError.appCancel),
    (.invalidContext, kLAErrorInvalidContext, LAError.invalidContext),
    (.companionNotAvailable, kLAErrorCompanionNotAvailable, LAError.companionNotAvailable),
    (.biometryNotPaired, kLAErrorBiometryNotPaired, LAError.biometryNotPaired),
    (.biometryDisconnected, kLAErrorBiometryDisconnected, LAError.biometryDisconnected),
    (.invalidDimensions, kLAErrorInvalidDimensions, LAError.invalidDimensions),
    (.notInteractive, kLAErrorNotInteractive, LAError.notInteractive),
  ]

  @Test("L10: the numbers are Apple's, by every name")
  func numbers() {
    let numbers: [Int32] = Array((1...14).map { -$0 }) + [-1004]
    #expect(Self.codes.map(\.1) == numbers)
    for (code, number, name) in Self.codes {
      #expect(code.rawValue == Int(number) && name == code)
      #expect(LAError(code).errorCode == Int(number))
    }
    #expect(LAErrorDomain == "com.apple.LocalAuthentication")
    #expect(LAError.errorDomain == LAErrorDomain && kLAErrorDomain == LAErrorDomain)
  }

  @Test("earlier names mean the same")
  func aliases() {
    #expect(LAError.touchIDNotAvailable == .biometryNotAvailable)
    #expect(LAError.touchIDNotEnrolled == .biometryNotEnrolled)
    #expect(LAError.touchIDLockout == .biometryLockout)
    #expect(LAError.watchNotAvailable == .companionNotAvailable)
    #expect(LAError.Code.touchIDNotAvailable == .biometryNotAvailable)
    #expect(LAError.Code.touchIDNotEnrolled == .biometryNotEnrolled)
    #expect(LAError.Code.touchIDLockout == .biometryLockout)
    #expect(LAError.Code.watchNotAvailable == .companionNotAvailable)
    #expect(kLAErrorTouchIDNotAvailable == -6 && kLAErrorTouchIDNotEnrolled == -7)
    #expect(kLAErrorTouchIDLockout == -8 && kLAErrorWatchNotAvailable == -11)
  }

  @Test("L10: a failure that Apple has a code for keeps it, and tells message and hint")
  func sameNumbers() {
    for code in FailureCode.allCases where code.number > -50 || code == .notInteractive {
      let error = LAError(Failure(code, "it went wrong", hint: "try again"))
      #expect(error.errorCode == Int(code.number), "\(code)")
      #expect(error.localizedDescription == "it went wrong")
      let plain = error._nsError
      #expect(plain.domain == LAErrorDomain && plain.code == Int(code.number))
      #expect(plain.localizedRecoverySuggestion == "try again")
      #expect(plain.userInfo[NSUnderlyingErrorKey] == nil)
    }
  }

  /// The codes for failures that Apple does not have: a row for each kind.
  static let others: [LAError.Code: Set<FailureCode>] = [
    .authenticationFailed: [
      .errSecAuthFailed, .passcodeDelayed, .appPasswordDelayed, .tpmLockout,
    ],
    .userCancel: [.errSecUserCanceled],
    .passcodeNotSet: [.deviceErased],
    .biometryNotAvailable: [
      .driverNotFound, .driverFailed, .untrustedPlugin, .errSecNotAvailable,
    ],
    .notInteractive: [
      .errSecInteractionNotAllowed, .errSecMissingEntitlement, .refusedByService, .invalidReason,
      .usage, .unsupported, .errSecParam,
    ],
  ]

  @Test("L10: every other failure has one code, and is told beside it by its own name and number")
  func otherNumbers() throws {
    let apples = Set(Self.codes.map(\.1))
    for code in FailureCode.allCases where !apples.contains(code.number) {
      let row = Self.others.first { $0.value.contains(code) }
      let error = LAError(Failure(code, "it went wrong"))
      #expect(error.code == row?.key ?? .systemCancel, "\(code)")
      #expect(error._nsError.localizedRecoverySuggestion == nil)
      let underlying = try #require(error._nsError.userInfo[NSUnderlyingErrorKey] as? NSError)
      #expect(underlying.domain == "authcore" && underlying.code == Int(code.number))
      #expect(underlying.localizedDescription == "\(code): it went wrong")
    }
  }

  @Test("codes of later systems, and foreign errors, are not an LAError")
  func strangers() {
    let later: any Error = NSError(domain: LAErrorDomain, code: -77)
    #expect(later as? LAError == nil)
    #expect(
      LAError(_nsError: NSError(domain: LAErrorDomain, code: -77)).code == .authenticationFailed)
    let other: any Error = NSError(domain: NSOSStatusErrorDomain, code: -2)
    #expect(other as? LAError == nil)
    var isCaught = false
    do { throw other } catch LAError.userCancel { isCaught = true } catch {}
    #expect(!isCaught)
  }
}

@Suite("Policies, operations and credentials")
struct VocabularyTests {
  @Test("policies have Apple's numbers, by every name")
  func policies() {
    let policies: [(LAPolicy, Int32)] = [
      (
        .deviceOwnerAuthenticationWithBiometrics, kLAPolicyDeviceOwnerAuthenticationWithBiometrics
      ),
      (.deviceOwnerAuthentication, kLAPolicyDeviceOwnerAuthentication),
      (.deviceOwnerAuthenticationWithCompanion, kLAPolicyDeviceOwnerAuthenticationWithCompanion),
      (
        .deviceOwnerAuthenticationWithBiometricsOrCompanion,
        kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion
      ),
      (
        .deviceOwnerAuthenticationWithWristDetection,
        kLAPolicyDeviceOwnerAuthenticationWithWristDetection
      ),
    ]
    #expect(policies.map(\.0.rawValue) == Array(1...5))
    #expect(policies.map(\.1) == Array(1...5))
    #expect(
      LAPolicy.deviceOwnerAuthenticationWithWatch == .deviceOwnerAuthenticationWithCompanion)
    #expect(
      LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch
        == .deviceOwnerAuthenticationWithBiometricsOrCompanion)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithWatch == 3)
    #expect(kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch == 4)
  }

  @Test("biometry, operations and credentials have Apple's numbers")
  func others() {
    let types: [LABiometryType] = [.none, .touchID, .faceID, .opticID]
    #expect(types.map(\.rawValue) == [0, 1, 2, 4])
    #expect(LABiometryType.LABiometryNone == .none)
    let operations: [LAAccessControlOperation] = [
      .createItem, .useItem, .createKey, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange,
    ]
    #expect(operations.map(\.rawValue) == Array(0...5))
    #expect([.watch, .mac, .vision].map { (type: LACompanionType) in type.rawValue } == [1, 2, 4])
    #expect(LACredentialType.applicationPassword.rawValue == 0)
    #expect(LACredentialType.smartCardPIN.rawValue == -3)
    #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
  }
}
