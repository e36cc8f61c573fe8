extension PluginLogLevel {
  package static func < (left: PluginLogLevel, right: PluginLogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}
