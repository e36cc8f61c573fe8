import CoreClient
import LinuxSystem
import Protocol

/// Where a secret is put so that it can be pasted: the clipboard of the desktop, through the program
/// that the desktop has for it, or that of the terminal.
enum Clipboard {
  case program(ClipboardProgram)
  /// The terminal's own, which a terminal sets for what runs in it, also at the far end of SSH
  /// (OSC 52). It cannot be read.
  case terminal

  /// Looks for one.
  /// - Parameters:
  ///   - environment: the value of a variable.
  ///   - usesTerminal: `--osc52`.
  /// - Returns: what is there.
  /// - Throws: `unsupported` where there is none, with the way out.
  static func find(
    _ environment: (String) -> String?, usesTerminal: Bool
  ) throws(Failure) -> Clipboard {
    if usesTerminal { return .terminal }
    func isThere(_ name: String) -> Bool { environment(name)?.isEmpty == false }
    let path = environment("PATH") ?? ""
    if isThere("WAYLAND_DISPLAY") {
      if let program = ClipboardProgram.wayland(path: path) { return .program(program) }
      if !isThere("DISPLAY") {
        throw missing("wl-copy", of: "wl-clipboard", on: "Wayland")
      }
    }
    if isThere("DISPLAY") {
      guard let program = ClipboardProgram.x11(path: path) else {
        throw isThere("WAYLAND_DISPLAY")
          ? missing("wl-copy", of: "wl-clipboard", on: "Wayland")
          : missing("xclip or xsel", of: "xclip", on: "X11")
      }
      return .program(program)
    }
    if RemoteLogin.isUsed(environment) { return .terminal }
    throw Failure(
      .unsupported, "There is no clipboard here: neither Wayland nor X11",
      hint: "A terminal may have one: --osc52. Else: authcore item get")
  }

  private static func missing(_ program: String, of package: String, on desktop: String) -> Failure
  {
    Failure(
      .unsupported, "\(program) is missing, which reaches the clipboard of \(desktop)",
      hint: "Install \(package), or use the terminal's own clipboard: --osc52")
  }
}
