/// How serious a line of a log is; the values of `AC_LOG_…`.
package enum LogLevel: Int32, Comparable, Sendable {
  case debug = 0
  case info = 1
  case warning = 2
  case error = 3

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}
