/// Why a request failed: a stable code, a sentence that names the thing, and what to do about it.
public struct Failure: Error, Equatable, Sendable {
  public let code: FailureCode
  /// One sentence without a full stop; never contains a secret.
  public let message: String
  /// What the person can do, if anything.
  public let hint: String?

  public init(_ code: FailureCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension Failure {
  /// The message, with the way out behind it, for programs that show one line.
  package var withHint: String { message + (hint.map { ": \($0)" } ?? "") }

  /// How to end a core, for hints if it may be the person's own or the service, which only root can
  /// end. The next command starts a new one.
  package static let endingTheCore =
    "authcore quit, or where the service runs: sudo systemctl restart authcored"
}

extension Failure: WireMessage, WireField {
  /// Zero in every protocol.
  package static var number: UInt8 { 0 }
  /// The most characters of a sentence, each of up to four bytes; longer ones are cut.
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
  /// The exit code of a command that fails with this code.
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

  package init?(number: Int32) {
    guard let code = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = code
  }
}
