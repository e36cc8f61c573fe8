import Glibc
import LinuxSystem
import PluginHosting
package import Protocol
import Sandbox

/// The machine's service: takes the socket that systemd opened, and serves every user with a core
/// of its own.
package enum MachineService {
  /// How long it may take to end before it is killed.
  private static let endSeconds: UInt32 = 15
  /// The state folder if systemd names none.
  private static let usualFolder = "/var/lib/authcore"

  /// Serves until the process is asked to end (`SIGTERM`, or `Quit` from root).
  /// - Throws: why it cannot begin.
  package static func run(_ arguments: CoreArguments) throws(Failure) {
    umask(0o077)
    SecretArena.reserve(ServiceBudget.lockedMemory)
    // It means a reload, even if the caller ignores it.
    signal(SIGHUP, SIG_DFL)
    SignalWatch.block()
    let journal = Journal()
    CoreLog.use(journal)
    let (witness, lacks) = try startWitness(journal)
    let installation = Installation.current(isService: true)
    for announcement in installation.announcements { CoreLog.write(announcement) }
    let socket = try ActivationSocket()
    let home = try HomeFolder(stateFolder(), ofService: true)
    let lock = try FolderLock.require(in: home, orHint: "systemctl status authcored")
    let connections = try ConnectionServer.ofService()
    let loop = try ServiceLoop(connections)
    let programs = ProtectedPrograms()
    let service = ServiceFacts(
      home: home.path, connections, installation, hardeningLacks: lacks,
      lockAfter: arguments.lockAfter, journal: journal,
      naming: ServiceNaming(witness, knowsWriters: socket.toldWriters, programs),
      programs: programs, endProcess: { loop.end() })
    service.beginWithPolicy()
    let cores = UserCores(service)
    SignalWatch.start { signal in if signal == SIGHUP { loop.reload() } else { loop.end() } }
    let manager = ServiceManager()
    CoreLog.write("serves the users of this machine from \(home.path)")
    manager?.ready()
    loop.run(socket, cores, manager) {
      manager?.reloading()
      service.reloadPolicy()
      cores.applyPolicy()
      manager?.ready()
    }
    manager?.stopping()
    // A thread that hangs in a plugin must not keep the process alive.
    alarm(endSeconds)
    cores.end()
    service.end()
    // Held until here: no other service may begin while hosts of this one live.
    _ = lock.number
  }

  /// Gives up the rights that this process does not need, and has the witness keep the right to see
  /// who is calling. Without the witness no client can be served, so the process ends and systemd
  /// starts it anew.
  private static func startWitness(
    _ journal: Journal
  ) throws(Failure) -> (ProcessWitness, lacks: [String]) {
    let lacks = ProcessHardening.apply()
    let (witness, more) = try ProcessWitness.start {
      journal.write("the witness of who is calling does not answer: the service ends", .error)
      _exit(1)
    }
    return (witness, lacks + more)
  }

  /// The first folder that systemd names (`StateDirectory=`, systemd.exec(5)).
  private static func stateFolder() throws(Failure) -> String {
    let named = EnvironmentVariable.value(of: "STATE_DIRECTORY") ?? ""
    let path = named.isEmpty ? usualFolder : String(named.prefix { $0 != ":" })
    guard path.hasPrefix("/") else {
      throw Failure(
        .coreFailed, "STATE_DIRECTORY is no absolute path",
        hint: "systemd sets it for StateDirectory=authcore")
    }
    return path
  }
}
