/// A request that failed: a stable code, a sentence that names the thing, and what to do about it.
public struct Failure: Error, Equatable, Sendable {
  /// The stable part.
  public let code: FailureCode
  /// One sentence without a full stop at the end; never holds a secret.
  public let message: String
  /// What the person can do, where there is something.
  public let hint: String?

  /// Describes a failure.
  public init(_ code: FailureCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension Failure {
  /// For hints of who cannot know which core there is: the person's own, or the service, which ends
  /// for root only. The next command starts it anew.
  package static let endingTheCore =
    "authcore quit, or where the service runs: sudo systemctl restart authcored"
}

extension Failure: WireMessage, WireField {
  /// Zero in every protocol.
  package static var number: UInt8 { 0 }
  /// In characters, of four bytes at most; what is longer is cut.
  private static let longestSentence = WireDecoder.longestText / 4

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(
      code.number, String(message.prefix(Self.longestSentence)),
      hint.map { String($0.prefix(Self.longestSentence)) })
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let code = FailureCode(number: try decoder.read()) else {
      throw .invalidValue(field: "failure code")
    }
    self.code = code
    (message, hint) = try decoder.read()
  }
}

extension FailureCode {
  /// The exit code of a command that ends so (CLI.md, "Exit codes").
  package var exitCode: Int32 {
    switch self {
    case .authenticationFailed, .userCancel, .userFallback, .systemCancel, .biometryLockout,
      .appCancel, .errSecUserCanceled, .errSecAuthFailed, .timedOut, .enrolmentIncomplete,
      .passcodeDelayed, .appPasswordDelayed, .deviceErased, .tpmLockout:
      1
    case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled, .biometryNotPaired,
      .biometryDisconnected, .notInteractive, .errSecNotAvailable, .driverNotFound:
      2
    case .errSecDuplicateItem, .errSecItemNotFound, .duplicateFinger, .fingerNotFound,
      .tooManyFingers, .passcodeAlreadySet:
      3
    case .errSecInteractionNotAllowed, .errSecMissingEntitlement, .refusedByService: 4
    case .invalidContext, .errSecDecode, .busy, .driverFailed, .engineFailed, .coreFailed,
      .coreVersionMismatch, .stateDamaged, .storageFailed, .untrustedPlugin, .tpmNotFound,
      .tpmNotPermitted,
      .tpmBusy, .tpmReplaced, .tpmFailed, .backupDamaged, .backupTooNew:
      5
    case .errSecParam, .errSecNoSuchAttr, .invalidReason, .passcodeTooShort, .ambiguous,
      .unsupported, .usage, .importUnreadable:
      64
    // What shells end with (POSIX.1, XCU 2.8.2).
    case .commandNotExecutable: 126
    case .commandNotFound: 127
    }
  }

  /// The code with this number.
  package init?(number: Int32) {
    guard let code = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = code
  }
}
