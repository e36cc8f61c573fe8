import Foundation
import LocalAuthentication
import Testing

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
