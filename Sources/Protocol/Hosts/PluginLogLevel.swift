/// How serious a line of a log is; the values of `AC_LOG_…`.
package enum PluginLogLevel: Int32, Comparable, WireField {
  case debug = 0
  case info = 1
  case warning = 2
  case error = 3

  package static func < (left: PluginLogLevel, right: PluginLogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}
