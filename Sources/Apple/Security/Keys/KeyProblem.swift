import CoreFoundationTypes
import Cryptography
import Protocol

/// Why a function of SecKey gave nothing.
enum KeyProblem: Error {
  /// Errors of Security's: their number, a sentence and the way out.
  case status(OSStatus, String, hint: String)
  /// What core, keychain or enclave answered.
  case failed(Failure)

  /// As applications get it: errors of an evaluation in LocalAuthentication's domain with its numbers,
  /// as Apple gives them for keys of the enclave (userCancel −2 for who cancels), all others as
  /// `OSStatus`.
  var error: NSError {
    switch self {
    case .status(let status, let message, let hint):
      return NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [
          NSLocalizedDescriptionKey: message, NSLocalizedRecoverySuggestionErrorKey: hint,
        ])
    case .failed(let failure):
      guard let number = failure.evaluationNumber else { return failure.statusError }
      var information: [String: Any] = [NSLocalizedDescriptionKey: failure.message]
      information[NSLocalizedRecoverySuggestionErrorKey] = failure.hint
      return NSError(
        domain: "com.apple.LocalAuthentication", code: Int(number), userInfo: information)
    }
  }

  /// The number alone, for functions that give nothing else.
  var status: OSStatus {
    switch self {
    case .status(let status, _, _): status
    case .failed(let failure): failure.status
    }
  }

  static func parameter(_ message: String, hint: String) -> KeyProblem {
    .status(errSecParam, message, hint: hint)
  }
}

extension Failure {
  /// Its number among the errors of evaluations; nil for what is none.
  fileprivate var evaluationNumber: Int32? {
    switch code {
    case .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet,
      .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext,
      .biometryNotPaired, .biometryDisconnected, .notInteractive:
      code.number
    // The system gave up waiting.
    case .timedOut: FailureCode.systemCancel.number
    default: nil
    }
  }
}

extension CryptographyError {
  /// What applications are told; `purpose` says what was being done.
  func problem(_ purpose: String) -> KeyProblem {
    switch self {
    case .wrongSize(let field, let expected, let found):
      .parameter(
        "\(purpose): the \(field) has \(found) bytes where \(expected) are needed",
        hint: "give \(expected) bytes")
    case .invalidParameter(let field):
      .parameter(
        "\(purpose): the \(field) is not one that this key takes",
        hint: "check its length and the algorithm; SecKeyIsAlgorithmSupported tells which fit")
    case .notAuthentic:
      .parameter(
        "\(purpose): these bytes were not encrypted for this key by this algorithm, or were changed",
        hint: "use the algorithm, the key and all of the bytes of who encrypted")
    case .invalidKey:
      .parameter(
        "\(purpose): the bytes are no such key",
        hint: "give X9.63 for elliptic curves, PKCS #1 in DER for RSA")
    case .libraryFailed, .randomUnavailable:
      .status(
        errSecInternalComponent, "\(purpose): libcrypto failed (\(self))",
        hint: "try again; if it stays so, check the installation of libcrypto 3")
    }
  }
}

/// Runs what libcrypto does, and says of failures what was being done.
func doing<Result: ~Copyable>(
  _ purpose: String, _ body: () throws(CryptographyError) -> Result
) throws(KeyProblem) -> Result {
  do throws(CryptographyError) {
    return try body()
  } catch {
    throw error.problem(purpose)
  }
}

/// Gives what comes of `body`, or puts its error where the caller wants it, who owns it then.
func answer<Result>(
  _ place: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ body: () throws(KeyProblem) -> Result
) -> Result? {
  do throws(KeyProblem) {
    return try body()
  } catch {
    return unsafe refuse(error.error, at: place)
  }
}
