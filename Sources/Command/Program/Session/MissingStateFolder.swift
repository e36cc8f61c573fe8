import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// What a command does if its state folder is missing.
enum MissingStateFolder {
  /// Asks on the terminal before it makes one, and fails without one.
  case refused
  /// Asks on the terminal, or makes one if there is none: the command begins a keychain.
  case made
  /// Answers as if it were empty, and makes none.
  case imagined
}

extension Invocation {
  /// Checks the state folder before a core is started, so that a mistyped name does not begin a
  /// keychain.
  /// - Returns: a replacement; nil if the folder is there or may be made.
  /// - Throws: `errSecItemNotFound`, `userCancel`.
  func settleStateFolder(of location: CoreLocation) throws(Failure) -> ScratchState? {
    guard location.isMissing, !mayMakeStateFolder else { return nil }
    if missingStateFolder == .imagined { return try ScratchState() }
    guard let terminal else {
      guard missingStateFolder == .made else {
        throw Failure(
          .errSecItemNotFound, "There is no state folder \(location.path.printable)",
          hint: "Is that its name? To begin a keychain there: authcore passcode set")
      }
      return nil
    }
    output.display(on: terminal).line("There is no keychain in \(location.path.printable).")
    let answer = try terminal.ask("Begin one there? [y/N] ", output, interrupts)
    guard ["y", "yes"].contains(answer.lowercased()) else {
      throw Failure(
        .userCancel, "Nothing was made", hint: "--home or AUTHCORE_HOME names the folder.")
    }
    mayMakeStateFolder = true
    return nil
  }

  /// The same, before a secret is typed in vain.
  func settleStateFolder() throws(Failure) {
    _ = try settleStateFolder(of: access(prints: chosenDriver().prints).location)
  }
}

/// A temporary state folder in place of a missing one, with a core of its own. Both end with this
/// value.
final class ScratchState {
  private let folder: String

  init() throws(Failure) {
    let place = EnvironmentVariable.value(of: "TMPDIR") ?? ""
    var template = Array(
      ((place.hasPrefix("/") ? place : "/tmp") + "/authcore-empty-XXXXXX").utf8CString)
    // mkdtemp(3) writes the name into the template.
    guard let name = unsafe mkdtemp(&template) else {
      throw Failure(
        .storageFailed, "Cannot make a temporary folder: \(SystemCallError("mkdtemp").reason)")
    }
    folder = unsafe String(cString: name)
  }

  var access: CoreAccess { CoreAccess(to: .folder(folder)) }

  deinit {
    _ = try? access.quit()
    Self.remove(folder)
  }

  private static func remove(_ folder: String) {
    for name in FolderNames.all(in: folder) {
      let path = "\(folder)/\(name)"
      // unlink(2) fails for a folder.
      if unsafe unlink(path) != 0 { remove(path) }
    }
    unsafe rmdir(folder)
  }
}
