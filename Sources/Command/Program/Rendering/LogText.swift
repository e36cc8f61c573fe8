import CoreClient
import PluginHosting
import Protocol

/// Lines of a plugin's log, for people.
enum LogText {
  /// `warning  transport: the endpoint halted`
  static func line(level: String, of speaker: String?, _ text: String) -> String {
    level.padded(to: "warning".count) + "  " + (speaker.map { $0 + ": " } ?? "") + text.printable
  }
}

extension PluginLogLevel {
  /// As it is shown.
  var name: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
