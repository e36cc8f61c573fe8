import ArgumentParser
import PluginHosting
import Protocol

/// The option of commands that run a driver themselves.
struct LogOption: ParsableArguments {
  @Flag(help: "Show on standard error what driver and transport write to the log.")
  var log = false

  /// Takes the lines of the log; for the thread that the output belongs to.
  func writer(_ output: Output) -> @Sendable (PluginLogLevel, String) -> Void {
    guard log else { return { _, _ in } }
    // A session gives its lines to the thread that waits for the driver, which is the command's
    // only one.
    nonisolated(unsafe) let output = output
    return { level, text in
      unsafe output.note(LogText.line(level: level.name, of: nil, text))
    }
  }
}
