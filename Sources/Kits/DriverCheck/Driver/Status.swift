import AuthcoreABI
import Glibc

/// The statuses of common.h and their names.
enum Status {
  private static let names: [Int: String] = [
    0: "AC_OK", 1: "AC_RETRY_GENERAL", 2: "AC_RETRY_TOO_DRY", 3: "AC_RETRY_TOO_WET",
    4: "AC_RETRY_TOO_SHORT", 5: "AC_RETRY_TOO_FAST", 6: "AC_RETRY_TOO_SLOW", 7: "AC_RETRY_CENTER",
    8: "AC_RETRY_LIFT", 9: "AC_RETRY_TOO_SKEWED", 100: "AC_ERR_TIMEOUT",
    101: "AC_ERR_INTERRUPTED", 102: "AC_ERR_GONE", 103: "AC_ERR_BUSY", 104: "AC_ERR_PERMISSION",
    105: "AC_ERR_PROTOCOL", 106: "AC_ERR_IO", 107: "AC_ERR_STALL", 108: "AC_ERR_TOO_HOT",
    109: "AC_ERR_ARGUMENT", 110: "AC_ERR_OPTION", 111: "AC_ERR_UNSUPPORTED", 112: "AC_ERR_ABI",
    113: "AC_ERR_MEMORY", 114: "AC_ERR_STATE", 115: "AC_ERR_DATA", 116: "AC_ERR_NOT_FOUND",
    117: "AC_ERR_FULL", 118: "AC_ERR_EXISTS",
  ]

  static func name(_ status: ac_status_t) -> String { names[Int(status)] ?? "status \(status)" }

  static func isKnown(_ status: ac_status_t) -> Bool { names[Int(status)] != nil }

  /// Whether a call that returns it sets a message.
  static func needsMessage(_ status: ac_status_t) -> Bool {
    status >= 100 && status != timeout && status != interrupted
  }

  static func isRetry(_ status: ac_status_t) -> Bool { 1...99 ~= status }

  static func logLevel(_ level: ac_log_level_t) -> String {
    switch Int(level) {
    case AC_LOG_DEBUG: "debug"
    case AC_LOG_INFO: "info"
    case AC_LOG_WARNING: "warning"
    case AC_LOG_ERROR: "error"
    default: "level \(level)"
    }
  }

  static let lift = ac_status_t(AC_RETRY_LIFT)
  static let ok = ac_status_t(AC_OK)
  static let timeout = ac_status_t(AC_ERR_TIMEOUT)
  static let interrupted = ac_status_t(AC_ERR_INTERRUPTED)
  static let gone = ac_status_t(AC_ERR_GONE)
}

/// An option for `open`, valid or not.
struct CheckOption {
  let name: String
  let value: String
  let kind: ac_option_kind_t

  /// The C form. Its strings live until the process ends; the caller closes the file.
  @unsafe func made() -> ac_option_t {
    let isFile = kind == ac_option_kind_t(AC_OPTION_FILE)
    let number =
      value.hasPrefix("0x") ? Int64(value.dropFirst(2), radix: 16) : Int64(value)
    return unsafe ac_option_t(
      name: strdup(name), value: strdup(value),
      file_descriptor: isFile ? Glibc.open(value, O_RDONLY | O_CLOEXEC) : -1,
      number: kind == ac_option_kind_t(AC_OPTION_NUMBER) ? number ?? 0 : 0)
  }
}
