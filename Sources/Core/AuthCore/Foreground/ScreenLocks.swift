import LinuxSystem
import Protocol

/// Which programs count as screen locks: what covers the screen shows that it waits, though it, or the
/// part of it that asks PAM, runs as the user and has no terminal (docs/decisions/0044).
///
/// A name alone would be anybody's. It counts where it protects (docs/decisions/0043): the program lies
/// where only root can have put it.
enum ScreenLocks: Equatable, Sendable {
  /// Those that authcore knows.
  case known
  /// These alone, by absolute path.
  case listed([String])

  /// File names of those that ask PAM as the user they lock out. Others run as root, as the parts of
  /// display managers do, and need not be known.
  private static let names: Set<String> = [
    "cinnamon-screensaver-pam-helper", "gtklock", "hyprlock", "i3lock", "kscreenlocker_greet",
    "mate-screensaver-dialog", "swaylock", "waylock", "xfce4-screensaver-dialog", "authproto_pam",
    "xscreensaver-auth",
  ]

  /// Tells screen locks from other programs.
  /// - Parameters:
  ///   - application: as the service names it.
  ///   - protects: whether no other program of the user's gets that name.
  /// - Returns: whether it is one.
  func include(_ application: String, protects: Bool) -> Bool {
    guard protects, application.hasPrefix("/"), !application.hasPrefix("//") else { return false }
    switch self {
    case .known:
      return Self.names.contains(application.split(separator: "/").last.map(String.init) ?? "")
    case .listed(let paths): return paths.contains(application)
    }
  }

  /// Why paths that are listed can be no program's, one failure for each.
  func unusablePaths() -> [Failure] {
    guard case .listed(let paths) = self else { return [] }
    return paths.compactMap { path in
      let place = CanonicalPath.of(path)
      guard place != path else { return nil }
      return Failure(
        .errSecItemNotFound,
        place.map { "\(path.withoutSteering) leads to \($0.withoutSteering)" }
          ?? "\(path.withoutSteering) cannot be found",
        hint: "give the path of the program itself: readlink -f \(path.withoutSteering)")
    }
  }
}
