import Glibc
import LinuxSystem
import PluginHosting
package import Protocol
import Sandbox

/// The life of one core: its folder and lock, its engines, its socket, and an orderly end.
package enum CoreServer {
  /// How long the core may take to end before it is ended all the same.
  private static let endSeconds: UInt32 = 15

  /// Serves until the core is asked to end or ends by itself.
  ///
  /// `report` is told once that the core serves; why it cannot is thrown, for the caller to report.
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
      // Until here: nobody may take the folder while hosts of this core live.
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
        guard let client = socket.value.accept() else { continue }
        core.serve(Descriptor(owning: client.socket), peer: client.peer)
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
      case .lock: core.lock()
      case .endUnlessNeeded:
        if core.holdsNothing { core.requestEnd() }
      case .wait(let nanoseconds):
        let limit = min(nanoseconds, core.closeSilent() ?? nanoseconds)
        if core.wait(nanoseconds: limit, after: activity) == .end { return }
        // Where the kernel had no watch left, this notices that the folder is gone.
        if !HomeFolder.isReachable(home.path, home.number) { core.requestEnd() }
      }
    }
  }
}
