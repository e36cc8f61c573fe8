internal import AuthcoreABI
public import FrameAssembly

/// Why a device could not do its work: a stable code, and a sentence that names the thing and says
/// what to do. If another touch can help, it is a ``RetryReason`` instead.
public struct SensorFailure: Error, Equatable, Sendable {
  /// The `AC_ERR_…` values of `common.h`.
  public enum Code: Int32, CaseIterable, Sendable {
    /// A finger on the sensor keeps it from being readied: `AC_RETRY_LIFT`, only from a driver's
    /// `init`.
    case lift = 8
    /// The deadline passed, or nothing more can come.
    case timeout = 100
    /// The host asked for the call to return.
    case interrupted = 101
    /// The device was unplugged.
    case gone = 102
    /// Another program holds the device.
    case busy = 103
    /// The device or file may not be opened.
    case permission = 104
    /// The device broke its protocol.
    case protocolViolation = 105
    /// A transfer or a file operation failed.
    case inputOutput = 106
    /// An endpoint halted: clear the halt, then go on.
    case stall = 107
    /// The device must cool down.
    case tooHot = 108
    /// The caller passed something invalid.
    case argument = 109
    /// The value of an option is not understood.
    case option = 110
    /// This device, firmware or feature is not supported.
    case unsupported = 111
    /// The versions of host and plugin do not match.
    case versionMismatch = 112
    /// No memory, or a size beyond a stated limit.
    case memory = 113
    /// Not possible in this state.
    case state = 114
    /// Stored data is damaged.
    case data = 115
    /// There is no such thing.
    case notFound = 116
    /// No room on the device: something has to be removed first.
    case full = 117
    /// The device has it already.
    case exists = 118
  }

  public let code: Code
  /// One sentence without a final period. At most 1,024 bytes reach the person.
  public let message: String

  public init(_ code: Code, _ message: String) {
    (self.code, self.message) = (code, message)
  }

  /// Why there is no image of a swipe: ``Code/data`` if it would be too high, ``Code/memory`` if it
  /// would take too long.
  public init(_ error: AssemblyError) {
    let code: Code =
      switch error {
      case .outOfRange, .pixelCount: .argument
      case .tooMuchWork: .memory
      case .tooHigh: .data
      }
    self.init(code, error.description)
  }

  /// Runs a call of FrameAssembly, and turns its error into a failure.
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
