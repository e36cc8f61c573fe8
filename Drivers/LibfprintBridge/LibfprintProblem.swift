internal import CLibfprint
package import SensorKit

/// An error of GLib, and what it means here.
package struct LibfprintProblem: Error, Equatable {
  /// The name of the family of errors.
  package let domain: String
  /// The error within the family.
  package let code: Int
  package let message: String

  package init(domain: String, code: Int, message: String) {
    (self.domain, self.code, self.message) = (domain, code, message)
  }

  /// Takes over an error. nil means one without a reason.
  @unsafe init(taking error: UnsafeMutablePointer<GError>?) {
    guard let error = unsafe error else {
      self.init(domain: "", code: 0, message: "libfprint gives no reason")
      return
    }
    unsafe self.init(
      domain: g_quark_to_string(error.pointee.domain).map { unsafe String(cString: $0) } ?? "",
      code: Int(error.pointee.code),
      message: error.pointee.message.map { unsafe String(cString: $0) } ?? "no message")
    unsafe g_error_free(error)
  }

  /// The retry, if another touch can help; nil for a failure.
  package var retry: RetryReason? {
    guard domain == Domain.retry else { return nil }
    return switch code {
    case Int(FP_DEVICE_RETRY_TOO_SHORT.rawValue): .tooShort
    case Int(FP_DEVICE_RETRY_CENTER_FINGER.rawValue): .center
    case Int(FP_DEVICE_RETRY_REMOVE_FINGER.rawValue): .lift
    // Only in later versions of libfprint.
    case 4: .tooFast
    default: .general
    }
  }

  package var isCancellation: Bool {
    (domain == Domain.inputOutput && code == Int(G_IO_ERROR_CANCELLED.rawValue))
      || (domain == Domain.usb && code == USBError.cancelled)
  }

  /// The failure, as a sentence that begins with `action`.
  package func failure(_ action: String) -> SensorFailure {
    let (failureCode, advice) = meaning
    return SensorFailure(failureCode, "\(action): \(message)\(advice)")
  }

  private var meaning: (SensorFailure.Code, advice: String) {
    switch domain {
    case Domain.device: Self.meaning(ofDevice: code)
    case Domain.usb: Self.meaning(ofUSB: code)
    case Domain.inputOutput where isCancellation: (.interrupted, "")
    default: (.inputOutput, "")
    }
  }

  private static func meaning(ofDevice code: Int) -> (SensorFailure.Code, advice: String) {
    switch code {
    case Int(FP_DEVICE_ERROR_NOT_SUPPORTED.rawValue): (.unsupported, "")
    case Int(FP_DEVICE_ERROR_NOT_OPEN.rawValue), Int(FP_DEVICE_ERROR_ALREADY_OPEN.rawValue):
      (.state, "")
    case Int(FP_DEVICE_ERROR_BUSY.rawValue):
      (.busy, "; end the program that uses it, fprintd perhaps")
    case Int(FP_DEVICE_ERROR_PROTO.rawValue):
      (.protocolViolation, "; unplug the reader and plug it in again")
    case Int(FP_DEVICE_ERROR_DATA_INVALID.rawValue): (.data, "")
    case Int(FP_DEVICE_ERROR_REMOVED.rawValue): (.gone, "; plug it in again")
    case Int(FP_DEVICE_ERROR_TOO_HOT.rawValue): (.tooHot, "; let it cool down")
    default: (.inputOutput, "")
    }
  }

  private static func meaning(ofUSB code: Int) -> (SensorFailure.Code, advice: String) {
    switch code {
    case USBError.timedOut: (.timeout, "")
    case USBError.notSupported: (.unsupported, "")
    case USBError.noDevice: (.gone, "; plug it in again")
    case USBError.cancelled: (.interrupted, "")
    case USBError.permissionDenied:
      (.permission, "; you need a udev rule that lets you use it, see `authcore driver udev-rules`")
    case USBError.busy: (.busy, "; end the program that uses it, fprintd perhaps")
    default: (.inputOutput, "")
    }
  }

  /// The families, by the fixed names of their quarks.
  package enum Domain {
    package static let retry = "fp-device-retry-quark"
    package static let device = "fp-device-error-quark"
    package static let inputOutput = "g-io-error-quark"
    package static let usb = "g-usb-device-error-quark"
  }

  /// GUsbDeviceError, whose header does not come with libfprint.
  private enum USBError {
    static let timedOut = 2
    static let notSupported = 3
    static let noDevice = 4
    static let cancelled = 7
    static let permissionDenied = 9
    static let busy = 10
  }
}
