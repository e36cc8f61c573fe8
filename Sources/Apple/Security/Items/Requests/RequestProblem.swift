import CoreFoundationTypes
import Protocol

/// Why a dictionary of SecItem says nothing that can be done.
enum RequestProblem: Error {
  /// A value of the wrong type, one that means nothing, a contradiction, or something missing.
  case wrongValue
  /// Longer than the keychain keeps.
  case tooLarge
  /// A key that means nothing.
  case unknownAttribute
  case unknownClass
  case unimplemented
  /// What it names cannot be a reference, or is none any more.
  case wrongReference
  /// What is wanted of an item it does not have.
  case noData
  /// The keychain's reason.
  case failed(Failure)

  /// What SecItem answers.
  var status: OSStatus {
    switch self {
    case .wrongValue: errSecParam
    case .tooLarge: errSecDataTooLarge
    case .unknownAttribute: errSecNoSuchAttr
    case .unknownClass: errSecNoSuchClass
    case .unimplemented: errSecUnimplemented
    case .wrongReference: errSecInvalidItemRef
    case .noData: errSecDataNotAvailable
    case .failed(let failure): failure.status
    }
  }
}
