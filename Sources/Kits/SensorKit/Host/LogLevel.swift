internal import AuthcoreABI

/// Whom a line of the log is for.
public enum LogLevel: Sendable {
  /// For the plugin's author.
  case debug
  /// For the administrator; nothing is wrong.
  case info
  /// The device did something odd, work goes on.
  case warning
  /// The call that is under way will fail.
  case error

  var rawValue: ac_log_level_t {
    switch self {
    case .debug: ac_log_level_t(AC_LOG_DEBUG)
    case .info: ac_log_level_t(AC_LOG_INFO)
    case .warning: ac_log_level_t(AC_LOG_WARNING)
    case .error: ac_log_level_t(AC_LOG_ERROR)
    }
  }
}
