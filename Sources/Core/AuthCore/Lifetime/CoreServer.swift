import Glibc
import LinuxSystem
import PluginHosting
package import Protocol
import Sandbox

/// Runs one core: its folder and lock, its engines, its socket, and an orderly end.
package enum CoreServer {
  /// How long the core may take to end before it is killed.
  private static let endSeconds: UInt32 = 15

  /// Serves until the core is asked to end or ends by itself.
  ///
  /// Tells `report` once that the core serves. If it cannot, it throws why, and the caller reports
  /// that.
  package static func run(_ arguments: CoreArguments, report: StartReport) throws(Failure) {
    umask(0o077)
    SignalWatch.block()
    let lacks = ProcessHardening.apply()
    let installation = Installation.current(isService: false)
    for announcement in installation.announcements { CoreLog.write(announcement) }
    let home = try HomeFolder(arguments.home)
    switch try FolderLock.take(in: home) {
    case .another:
      guard arguments.readyDescriptor != nil else {
        throw Failure(
          .busy, "another core serves \(home.path)", hint: "end it first: authcore quit")
      }
      report.send(CoreReady(process: 0, wasRunning: true))
    case .thisProcess(let lock):
      try serve(home, arguments, lacks, installation, report)
      // Held until here: no other core may take the folder while hosts of this one live.
      _ = lock.number
    }
  }

  private static func serve(
    _ home: borrowing HomeFolder, _ arguments: CoreArguments, _ lacks: [String],
    _ installation: Installation, _ report: StartReport
  ) throws(Failure) {
    let limits = CoreLimits()
    let composition = try CoreComposition(
      connections: try ConnectionServer(), home: home.path,
      keychainFolder: try home.makeFolder("keychain"), of: geteuid(),
      drivers: DriverCatalog(
        installation, cacheFile: home.path + "/" + StateFolder.descriptions), in: installation,
      limits: limits)
    let core = Core(
      composition.parts, home: home.path, hardeningLacks: lacks, limits: limits,
      lockAfter: arguments.lockAfter, screens: ScreenWatch(of: geteuid()))
    let socket: ListeningSocket
    do throws(Failure) {
      socket = try ListeningSocket(in: home)
    } catch {
      core.end()
      throw error
    }
    SignalWatch.start { _ in core.requestEnd() }
    accept(socket, core)
    watch(home.path, home.number, core)
    report.send(CoreReady(process: core.process, wasRunning: false))
    CoreLog.write("serves \(home.path)")
    runIdleLoop(core, arguments, home)
    // A thread that hangs in a plugin must not keep the process alive.
    alarm(endSeconds)
    unsafe unlinkat(home.number, StateFolder.socket, 0)
    core.end()
    composition.end()
  }

  private static func accept(_ socket: consuming ListeningSocket, _ core: Core) {
    let socket = SharedSocket(socket)
    SystemThread.start(name: "accept") {
      while true {
        socket.value.accept {
          core.connections.line(ofSocket: $0)
        } serve: { client, peer in
          core.serve(client, peer: peer)
        }
      }
    }
  }

  private final class SharedSocket: Sendable {
    let value: ListeningSocket
    init(_ value: consuming ListeningSocket) { self.value = value }
  }

  private static func watch(_ path: String, _ folder: Int32, _ core: Core) {
    SystemThread.start(name: "folder") {
      guard let watch = FolderWatch(path) else { return }
      while HomeFolder.isReachable(path, folder), watch.wait() {}
      core.requestEnd()
    }
  }

  private static func runIdleLoop(
    _ core: Core, _ arguments: CoreArguments, _ home: borrowing HomeFolder
  ) {
    var rules = IdleRules(endsByItself: arguments.isOnDemand)
    while true {
      let activity = core.activity
      switch rules.action(at: core.clock.now(), activity) {
      case .lock: core.enclaves.lock()
      case .endUnlessNeeded:
        if core.enclaves.holdNothing { core.requestEnd() }
      case .wait(let nanoseconds):
        let limit = min(nanoseconds, core.closeSilent() ?? nanoseconds)
        if core.wait(nanoseconds: limit, after: activity) == .end { return }
        // If the kernel had no watch left, this notices that the folder is gone.
        if !HomeFolder.isReachable(home.path, home.number) { core.requestEnd() }
      }
    }
  }
}

/// Notices when a state folder goes away (inotify(7)).
struct FolderWatch: ~Copyable, Sendable {
  private let notices: Descriptor

  /// Watches the folder at `path`; nil if the kernel has no watch left.
  init?(_ path: String) {
    let number = inotify_init1(Int32(IN_CLOEXEC))
    guard number >= 0 else { return nil }
    let notices = Descriptor(owning: number)
    // A folder that is held open is deleted later; the removal of its socket is reported at once.
    let mask = IN_DELETE_SELF | IN_MOVE_SELF | IN_DELETE | IN_MOVED_FROM | IN_ATTRIB | IN_UNMOUNT
    guard unsafe inotify_add_watch(number, path, UInt32(mask)) >= 0 else { return nil }
    self.notices = notices
  }

  /// Waits until something happens to the folder or in it.
  /// - Returns: false if nothing more will be reported.
  borrowing func wait() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(notices.number, $0.baseAddress, $0.count)
      }
      if count > 0 { return true }
      if count < 0, errno == EINTR { continue }
      return false
    }
  }
}
