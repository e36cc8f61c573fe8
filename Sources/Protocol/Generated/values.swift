// swift-format-ignore-file
// Made by scripts/make-protocol from Sources/Protocol/Schema/values.schema, which documents it.
/// When an item can be reached (`kSecAttrAccessible`, APPLE.md 1.6). The raw value crosses walls
/// and is stored.
public enum Accessibility: UInt8, CaseIterable, WireField {
  case whenUnlocked = 1, afterFirstUnlock = 2, whenPasscodeSetThisDeviceOnly = 3
  case whenUnlockedThisDeviceOnly = 4, afterFirstUnlockThisDeviceOnly = 5
}
/// The attributes of items, beside those that every item has (`kSecAttr…`). The raw value crosses
/// walls and is stored.
public enum AttributeName: UInt8, CaseIterable, Comparable, WireField {
  case service = 1, account = 2, label = 3, description = 4, comment = 5, creator = 6, type = 7
  case isInvisible = 8, isNegative = 9, generic = 10, securityDomain = 11, server = 12
  case `protocol` = 13, authenticationType = 14, port = 15, path = 16, certificateType = 17
  case certificateEncoding = 18, subject = 19, issuer = 20, serialNumber = 21, subjectKeyID = 22
  case publicKeyHash = 23, keyClass = 24, applicationLabel = 25, isPermanent = 26
  case applicationTag = 27, keyType = 28, keySizeInBits = 29, effectiveKeySize = 30, canEncrypt = 31
  case canDecrypt = 32, canDerive = 33, canSign = 34, canVerify = 35, canWrap = 36, canUnwrap = 37
  case tokenID = 38, startDate = 39, endDate = 40
  /// The class that an application stated, if Apple has deprecated it: `dk` or `dku`. The item's
  /// own class protects it.
  case statedAccessibility = 41
}
package struct BackupCounts: WireField, Equatable {
  package let items: UInt64, leftOut: UInt64, unreadable: UInt64
  package init(items: UInt64, leftOut: UInt64, unreadable: UInt64) { self.items = items; self.leftOut = leftOut; self.unreadable = unreadable }
  package func encode(into encoder: inout WireEncoder) { encoder.write(items, leftOut, unreadable) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (items, leftOut, unreadable) = try decoder.read() }
}
package struct EnclaveKey: WireField, Equatable {
  package let identifier: String, name: String
  package var applicationTag: [UInt8], applicationLabel: [UInt8], label: String, group: String
  package let accessibility: Accessibility, accessControl: AccessControl?, createdAt: Int64, publicKey: [UInt8]
  package init(identifier: String, name: String, applicationTag: [UInt8] = [], applicationLabel: [UInt8] = [], label: String = "", group: String = "", accessibility: Accessibility, accessControl: AccessControl?, createdAt: Int64, publicKey: [UInt8]) { self.identifier = identifier; self.name = name; self.applicationTag = applicationTag; self.applicationLabel = applicationLabel; self.label = label; self.group = group; self.accessibility = accessibility; self.accessControl = accessControl; self.createdAt = createdAt; self.publicKey = publicKey }
  package func encode(into encoder: inout WireEncoder) { encoder.write(identifier, name, applicationTag, applicationLabel, label, group, accessibility, accessControl, createdAt, publicKey) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { identifier = try decoder.read(); name = try decoder.readText(limit: AttributeValue.longestText); applicationTag = try decoder.readBytes(limit: AttributeValue.longestData); applicationLabel = try decoder.read(); label = try decoder.readText(limit: AttributeValue.longestText); group = try decoder.readText(limit: ItemAttributes.longestGroup); (accessibility, accessControl, createdAt, publicKey) = try decoder.read() }
}
package enum KeyOperation: UInt8, CaseIterable, WireField {
  case sign = 1, decrypt = 2, exchange = 3
}
package struct Finger: WireField, Equatable {
  package let identifier: String, name: String, enrolledAt: Int64, isSynthetic: Bool, isRelaxed: Bool, wantsEnrollment: Bool
  package init(identifier: String, name: String, enrolledAt: Int64, isSynthetic: Bool, isRelaxed: Bool = false, wantsEnrollment: Bool = false) { self.identifier = identifier; self.name = name; self.enrolledAt = enrolledAt; self.isSynthetic = isSynthetic; self.isRelaxed = isRelaxed; self.wantsEnrollment = wantsEnrollment }
  package func encode(into encoder: inout WireEncoder) { encoder.write(identifier, name, enrolledAt, isSynthetic, isRelaxed, wantsEnrollment) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (identifier, name, enrolledAt, isSynthetic, isRelaxed, wantsEnrollment) = try decoder.read() }
}
/// The kinds of keychain item (`kSecClass…`). The raw value crosses walls and is stored.
public enum ItemClass: UInt8, CaseIterable, WireField {
  case generic = 1, internet = 2, certificate = 3, key = 4, note = 5
}
package struct KeyQuery: WireField, Equatable {
  package var identifier: String?, name: String?, applicationTag: [UInt8]?, applicationLabel: [UInt8]?, label: String?, group: String?
  package init(identifier: String? = nil, name: String? = nil, applicationTag: [UInt8]? = nil, applicationLabel: [UInt8]? = nil, label: String? = nil, group: String? = nil) { self.identifier = identifier; self.name = name; self.applicationTag = applicationTag; self.applicationLabel = applicationLabel; self.label = label; self.group = group }
  package func encode(into encoder: inout WireEncoder) { encoder.write(identifier, name, applicationTag, applicationLabel, label, group) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { identifier = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText(limit: AttributeValue.longestText) }; name = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText(limit: AttributeValue.longestText) }; applicationTag = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readBytes(limit: AttributeValue.longestData) }; applicationLabel = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readBytes(limit: AttributeValue.longestData) }; label = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText(limit: AttributeValue.longestText) }; group = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText(limit: ItemAttributes.longestGroup) } }
}
package struct KeychainIdentity: WireField, Equatable {
  package let certificate: ItemAttributes, key: EnclaveKey
  package init(certificate: ItemAttributes, key: EnclaveKey) { self.certificate = certificate; self.key = key }
  package func encode(into encoder: inout WireEncoder) { encoder.write(certificate, key) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (certificate, key) = try decoder.read() }
}
package struct ItemAttributes: WireField, Equatable {
  package var identifier: String, itemClass: ItemClass, values: AttributeValues, group: String, isSynchronizable: Bool, accessibility: Accessibility, accessControl: AccessControl?, createdAt: Int64, modifiedAt: Int64, sharedWith: [String]
  package init(identifier: String = "", itemClass: ItemClass = ItemClass.generic, values: AttributeValues = AttributeValues(), group: String = "", isSynchronizable: Bool = false, accessibility: Accessibility = Accessibility.whenUnlocked, accessControl: AccessControl? = nil, createdAt: Int64 = 0, modifiedAt: Int64 = 0, sharedWith: [String] = []) { self.identifier = identifier; self.itemClass = itemClass; self.values = values; self.group = group; self.isSynchronizable = isSynchronizable; self.accessibility = accessibility; self.accessControl = accessControl; self.createdAt = createdAt; self.modifiedAt = modifiedAt; self.sharedWith = sharedWith }
  package func encode(into encoder: inout WireEncoder) { encoder.write(identifier, itemClass, values, group, isSynchronizable, accessibility, accessControl, createdAt, modifiedAt, sharedWith) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { identifier = try decoder.readText(limit: AttributeValue.longestText); (itemClass, values) = try decoder.read(); group = try decoder.readText(limit: ItemAttributes.longestGroup); (isSynchronizable, accessibility, accessControl, createdAt, modifiedAt) = try decoder.read(); sharedWith = try decoder.readArray(limit: ItemAttributes.mostShares, elementSize: 1) { (decoder) throws(DecodeError) in try decoder.readText(limit: longestApplication) } }
}
package struct ItemQuery: WireField, Equatable {
  package var names: [String], identifier: String?, itemClass: ItemClass?, terms: AttributeTerms, group: String?, isSynchronizable: Bool?, accessibility: Accessibility?
  package init(names: [String] = [], identifier: String? = nil, itemClass: ItemClass? = nil, terms: AttributeTerms = AttributeTerms(), group: String? = nil, isSynchronizable: Bool? = false, accessibility: Accessibility? = nil) { self.names = names; self.identifier = identifier; self.itemClass = itemClass; self.terms = terms; self.group = group; self.isSynchronizable = isSynchronizable; self.accessibility = accessibility }
  package func encode(into encoder: inout WireEncoder) { encoder.write(names, identifier, itemClass, terms, group, isSynchronizable, accessibility) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { names = try decoder.readArray(limit: ItemQuery.mostNames, elementSize: 1) { (decoder) throws(DecodeError) in try decoder.readText(limit: AttributeValue.longestText) }; identifier = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText(limit: AttributeValue.longestText) }; (itemClass, terms) = try decoder.read(); group = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText(limit: ItemAttributes.longestGroup) }; (isSynchronizable, accessibility) = try decoder.read() }
}
package struct ItemChanges: WireField, Equatable {
  package enum Guarding: Equatable, WireField {
    case nothing, by(AccessControl)
    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .nothing: encoder.write(UInt8(0))
      case .by(let v0): encoder.write(UInt8(1), v0)
      }
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 0: self = .nothing
      case 1: self = .by(try AccessControl(from: &decoder))
      default: throw .invalidValue(field: "ItemChanges.Guarding")
      }
    }
  }
  package var terms: AttributeTerms, group: String?, isSynchronizable: Bool?, accessibility: Accessibility?, guarding: Guarding?
  package init(terms: AttributeTerms = AttributeTerms(), group: String? = nil, isSynchronizable: Bool? = nil, accessibility: Accessibility? = nil, guarding: Guarding? = nil) { self.terms = terms; self.group = group; self.isSynchronizable = isSynchronizable; self.accessibility = accessibility; self.guarding = guarding }
  package func encode(into encoder: inout WireEncoder) { encoder.write(terms, group, isSynchronizable, accessibility, guarding) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { terms = try decoder.read(); group = try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText(limit: ItemAttributes.longestGroup) }; (isSynchronizable, accessibility, guarding) = try decoder.read() }
}
package enum PromptFallback: UInt8, WireField {
  case hidden = 1, application = 2, passcode = 3
}
package enum LockRule: Equatable, WireField {
  case minutes(UInt32), screen
  package func encode(into encoder: inout WireEncoder) {
    switch self {
    case .minutes(let v0): encoder.write(UInt8(1), v0)
    case .screen: encoder.write(UInt8(2))
    }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: self = .minutes(try UInt32(from: &decoder))
    case 2: self = .screen
    default: throw .invalidValue(field: "LockRule")
    }
  }
}
package enum RootKeyPlace: UInt8, WireField {
  case file = 1, tpm = 2
}
package struct TakenTouch: WireField, Equatable {
  package let touches: UInt32, coverage: Double, isComplete: Bool, advice: EnrollmentAdvice?, picture: CoveragePicture
  package init(touches: UInt32, coverage: Double, isComplete: Bool, advice: EnrollmentAdvice?, picture: CoveragePicture = .empty) { self.touches = touches; self.coverage = coverage; self.isComplete = isComplete; self.advice = advice; self.picture = picture }
  package func encode(into encoder: inout WireEncoder) { encoder.write(touches, coverage, isComplete, advice, picture) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { (touches, coverage, isComplete, advice, picture) = try decoder.read() }
}
package enum EnrollmentAdvice: UInt8, CaseIterable, WireField {
  case noRidges = 1, tooDry = 2, tooWet = 3, tooSmall = 4, poorQuality = 5, moveLeft = 6
  case moveRight = 7, moveUp = 8, moveDown = 9, differentPart = 10, notTheSameFinger = 11, lift = 12
  case joinsNothing = 13
}
package struct CoveragePicture: WireField, Equatable {
  package let width: UInt8, places: [UInt8]
  package init(width: UInt8, places: [UInt8]) { self.width = width; self.places = places }
  package func encode(into encoder: inout WireEncoder) { encoder.write(width, places) }; package init(from decoder: inout WireDecoder) throws(DecodeError) { width = try decoder.read(); places = try decoder.readBytes(limit: CoveragePicture.mostPlaces * CoveragePicture.mostPlaces); try check() }
}
public enum AttributeValue: Hashable, WireField {
  case text(String), data([UInt8]), number(Int64)
  package func encode(into encoder: inout WireEncoder) {
    switch self {
    case .text(let v0): encoder.write(UInt8(1), v0)
    case .data(let v0): encoder.write(UInt8(2), v0)
    case .number(let v0): encoder.write(UInt8(3), v0)
    }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: self = .text(try decoder.readText(limit: AttributeValue.longestText))
    case 2: self = .data(try decoder.readBytes(limit: AttributeValue.longestData))
    case 3: self = .number(try Int64(from: &decoder))
    default: throw .invalidValue(field: "AttributeValue")
    }
  }
}
/// Every way in which a request can fail, with Apple's name and number if Apple has one.
///
/// Names, numbers and exit codes are part of the command-line contract. `LAError` and `errSec…`
/// numbers are Apple's; −7001 and below are ours.
public enum FailureCode: String, CaseIterable, Sendable {
  case authenticationFailed, userCancel, userFallback, systemCancel, passcodeNotSet
  case biometryNotAvailable, biometryNotEnrolled, biometryLockout, appCancel, invalidContext
  case biometryNotPaired, biometryDisconnected, notInteractive, errSecParam, errSecUserCanceled
  case errSecNotAvailable, errSecAuthFailed, errSecDuplicateItem, errSecItemNotFound
  case errSecNoSuchAttr, errSecInteractionNotAllowed, errSecDecode, errSecMissingEntitlement
  case timedOut, invalidReason, enrolmentIncomplete, duplicateFinger, fingerNotFound, tooManyFingers
  case passcodeAlreadySet, ambiguous, unsupported, usage, busy, refusedByService, driverNotFound
  case driverFailed, engineFailed, coreFailed, coreVersionMismatch, stateDamaged, storageFailed
  case untrustedPlugin, passcodeDelayed, commandNotFound, commandNotExecutable, tpmNotFound
  case tpmNotPermitted, tpmBusy, tpmLockout, tpmReplaced, tpmFailed, passcodeTooShort
  case appPasswordDelayed, deviceErased, backupDamaged, backupTooNew, importUnreadable
  /// The number scripts and applications compare with.
  public var number: Int32 {
    switch self {
    case .authenticationFailed: -1
    case .userCancel: -2
    case .userFallback: -3
    case .systemCancel: -4
    case .passcodeNotSet: -5
    case .biometryNotAvailable: -6
    case .biometryNotEnrolled: -7
    case .biometryLockout: -8
    case .appCancel: -9
    case .invalidContext: -10
    case .biometryNotPaired: -12
    case .biometryDisconnected: -13
    case .notInteractive: -1004
    case .errSecParam: -50
    case .errSecUserCanceled: -128
    case .errSecNotAvailable: -25291
    case .errSecAuthFailed: -25293
    case .errSecDuplicateItem: -25299
    case .errSecItemNotFound: -25300
    case .errSecNoSuchAttr: -25303
    case .errSecInteractionNotAllowed: -25308
    case .errSecDecode: -26275
    case .errSecMissingEntitlement: -34018
    case .timedOut: -7001
    case .invalidReason: -7002
    case .enrolmentIncomplete: -7003
    case .duplicateFinger: -7004
    case .fingerNotFound: -7005
    case .tooManyFingers: -7006
    case .passcodeAlreadySet: -7007
    case .ambiguous: -7008
    case .unsupported: -7009
    case .usage: -7010
    case .busy: -7011
    case .refusedByService: -7012
    case .driverNotFound: -7013
    case .driverFailed: -7014
    case .engineFailed: -7015
    case .coreFailed: -7016
    case .coreVersionMismatch: -7017
    case .stateDamaged: -7018
    case .storageFailed: -7019
    case .untrustedPlugin: -7020
    case .passcodeDelayed: -7021
    case .commandNotFound: -7022
    case .commandNotExecutable: -7023
    case .tpmNotFound: -7024
    case .tpmNotPermitted: -7025
    case .tpmBusy: -7026
    case .tpmLockout: -7027
    case .tpmReplaced: -7028
    case .tpmFailed: -7029
    case .passcodeTooShort: -7031
    case .appPasswordDelayed: -7032
    case .deviceErased: -7034
    case .backupDamaged: -7035
    case .backupTooNew: -7036
    case .importUnreadable: -7037
    }
  }
}
