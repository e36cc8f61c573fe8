import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// One user's core in the service, with its own state folder and engines.
final class UserCore: Sendable {
  let core: Core
  private let composition: CoreComposition
  private let folder: OpenFolder

  /// Held for as long as the core lives.
  private final class OpenFolder: Sendable {
    private let home: HomeFolder
    private let lock: Descriptor

    init(_ home: consuming HomeFolder, _ lock: consuming Descriptor) {
      self.home = home
      self.lock = lock
    }
  }

  /// Starts the core of `user`, which ends itself by `endCore`. Waits for the enclave to start.
  /// - Throws: what is wrong with its folder or the engines.
  init(
    _ user: UInt32, in service: ServiceFacts, endCore: @escaping @Sendable () -> Void
  ) throws(Failure) {
    let home = try HomeFolder(service.folder(of: user), ofService: true)
    let lock = try FolderLock.require(
      in: home, orHint: "end it: authcore --home \(home.path) quit, as the service's user")
    let adoption = StateAdoption(folder: home.path)
    try adoption.finish()
    composition = try CoreComposition(
      connections: service.connections, home: home.path,
      keychainFolder: try home.makeFolder("keychain"), of: user, drivers: service.drivers,
      in: service.installation, limits: service.limits, policy: { service.policy })
    core = Core(
      composition.parts, home: home.path,
      of: service.membership(
        of: user, composition.parts, adoption: adoption, endCore: endCore),
      hardeningLacks: service.hardeningLacks, limits: service.limits, lockAfter: service.lockAfter,
      foreground: service.foreground,
      screens: ScreenWatch(of: user, service.logins, service.screens))
    folder = OpenFolder(home, lock)
  }

  /// Answers requests with `systemCancel` and waits until the core's processes are gone.
  func end() {
    core.end()
    composition.end()
  }
}
