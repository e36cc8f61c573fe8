import BuildIdentity
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

/// authcore-host: one plugin behind a mailbox, in a sandbox. Started by the core or by `authcore`,
/// never by hand.
@main
struct HostProgram {
  static func main() {
    if CommandLine.arguments.dropFirst() == ["--version"] {
      print(BuildIdentity.text(of: "authcore-host"))
      exit(0)
    }
    guard let arguments = HostArguments(CommandLine.arguments.dropFirst()),
      isSocket(HostProtocol.mailbox)
    else {
      let text = "authcore-host is a part of authcore that it starts itself; see: authcore --help\n"
      _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
      exit(64)
    }
    // A plugin could write to a descriptor after its other end closed; that is an error, not an
    // end.
    signal(SIGPIPE, SIG_IGN)
    let mailbox = HostMailbox(HostProtocol.mailbox)
    do throws(Failure) {
      try run(arguments, mailbox)
    } catch {
      mailbox.send(error)
      _exit(1)
    }
    // Not exit(3): what a plugin left to be run at exit is not run.
    _exit(0)
  }

  private static func run(_ arguments: HostArguments, _ mailbox: HostMailbox) throws(Failure) {
    if arguments.confinement == .off, ProcessPrivilege.current(isService: false) == .privileged {
      throw Failure(.refusedByService, "A privileged host does not run without its sandbox")
    }
    var sandbox = HostSandbox(arguments.confinement)
    sandbox.prepare(
      descriptorCount: arguments.descriptorCount, mailbox: HostProtocol.mailbox,
      message: HostTrapped.number, holdsSecrets: arguments.holdsSecrets)
    sandbox.note(lockedMemory: SecretArena.isLocked)
    switch arguments.task {
    case .describe(let path):
      let loaded = try DriverHost.load(path, &sandbox, mailbox)
      mailbox.send(SensorDescribed(loaded.driver.description))
    case .engine(let path, let folder, let tpm):
      try EngineHost.run(path, folder: folder, tpm: tpm, &sandbox, mailbox)
    case .watch(let path): try WatchHost.run(path, &sandbox, mailbox)
    case .driver(let path, let transport, let model):
      let loaded = try DriverHost.load(
        path, transport: transport, model: model, &sandbox, mailbox)
      let driver = loaded.driver
      mailbox.send(
        HostReady(
          pluginName: driver.description.name, pluginVersion: driver.description.version,
          abiVersion: driver.description.abiVersion, path: driver.path,
          report: sandbox.report.bounded))
      DriverHost(loaded, mailbox, frames: HostProtocol.frames).run()
    }
  }

  private static func isSocket(_ number: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
