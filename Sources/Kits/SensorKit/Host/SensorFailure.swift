internal import AuthcoreABI
public import FrameAssembly

/// Why a device could not do its work: a stable code and a sentence that names the thing and says
/// what to do.
///
/// What the person at the sensor can mend by another touch is no failure but a ``RetryReason``.
public struct SensorFailure: Error, Equatable, Sendable {
  /// The kind of failure, as the `AC_ERR_…` values of `common.h`.
  public enum Code: Int32, CaseIterable, Sendable {
    /// A finger lies on the sensor and keeps it from being readied: `AC_RETRY_LIFT`, of a driver's
    /// `init` alone.
    case lift = 8
    /// The deadline passed, or nothing can come any more.
    case timeout = 100
    /// The host asked for the call to return.
    case interrupted = 101
    /// The device was unplugged.
    case gone = 102
    /// Another program holds the device.
    case busy = 103
    /// The device or file may not be opened.
    case permission = 104
    /// The device answered with something it should not.
    case protocolViolation = 105
    /// A transfer or a file operation failed.
    case inputOutput = 106
    /// An endpoint halted: clear the halt, then go on.
    case stall = 107
    /// The device must cool down.
    case tooHot = 108
    /// The caller passed something that is refused.
    case argument = 109
    /// The value of an option is not understood.
    case option = 110
    /// This device, firmware or ability is not supported.
    case unsupported = 111
    /// The versions of host and plugin do not fit.
    case versionMismatch = 112
    /// No memory, or a size beyond a stated limit.
    case memory = 113
    /// Not possible now.
    case state = 114
    /// Stored data is damaged or not what it should be.
    case data = 115
    /// Nothing of that name.
    case notFound = 116
    /// No room on the device: something has to be removed first.
    case full = 117
    /// The device has it already.
    case exists = 118
  }

  /// The stable part.
  public let code: Code
  /// One sentence without a full stop at its end; at most 1,024 bytes reach the person.
  public let message: String

  /// Describes a failure.
  public init(_ code: Code, _ message: String) {
    (self.code, self.message) = (code, message)
  }

  /// Why there is no image of a swipe: ``Code/data`` where it would be too high, ``Code/memory``
  /// where it would take too long.
  public init(_ error: AssemblyError) {
    let code: Code =
      switch error {
      case .outOfRange, .pixelCount: .argument
      case .tooMuchWork: .memory
      case .tooHigh: .data
      }
    self.init(code, error.description)
  }

  /// Gives what FrameAssembly makes, or throws why there is none.
  public static func assembling<Result>(
    _ body: () throws(AssemblyError) -> Result
  ) throws(SensorFailure) -> Result {
    do throws(AssemblyError) {
      return try body()
    } catch {
      throw SensorFailure(error)
    }
  }

  var status: ac_status_t { code.rawValue }
}
