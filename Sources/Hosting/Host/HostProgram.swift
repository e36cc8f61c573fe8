import BuildIdentity
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

/// `authcore-host`: one plugin behind a mailbox, in a sandbox. Started by the core or by
/// `authcore`, never by hand.
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
    // Writing to a descriptor whose other end is closed is an error, and must not end the process.
    signal(SIGPIPE, SIG_IGN)
    let mailbox = HostMailbox(HostProtocol.mailbox)
    do throws(Failure) {
      try run(arguments, mailbox)
    } catch {
      mailbox.send(error)
      _exit(1)
    }
    // Not exit(3), which would run what a plugin registered.
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
      let loaded = try DriverHost.load(path, transport: transport, model: model, &sandbox, mailbox)
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

/// A host's command line: `--describe PATH`, `--engine PATH --folder DIR [--tpm ADDRESS]`,
/// `--driver PATH [--transport PATH [--model PATH]]` or `--watch PATH` (of a transport), and
/// `--sandbox KIND`.
struct HostArguments: Equatable, Sendable {
  enum Task: Equatable, Sendable {
    case describe(String)
    case engine(String, folder: String, tpm: String?)
    case driver(String, transport: String?, model: String?)
    case watch(String)
  }

  let task: Task
  let confinement: Confinement

  /// Reads the arguments; nil if they are wrong. A driver is not put into the enclave's sandbox,
  /// nor an engine into a driver's.
  init?(_ arguments: some Sequence<String>) {
    var values: [String: String] = [:]
    var iterator = arguments.makeIterator()
    while let name = iterator.next() {
      guard Self.names.contains(name), let value = iterator.next(),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    let sandbox = values.removeValue(forKey: "--sandbox")
    let confinement = sandbox.map(Confinement.init(rawValue:)) ?? .closed
    switch Set(values.keys) {
    case ["--describe"] where confinement == .closed || confinement == .off:
      task = .describe(values["--describe", default: ""])
    case ["--engine", "--folder"], ["--engine", "--folder", "--tpm"]:
      guard confinement == .enclave || confinement == .off else { return nil }
      task = .engine(
        values["--engine", default: ""], folder: values["--folder", default: ""],
        tpm: values["--tpm"])
    case ["--watch"] where confinement == .watchesDevices || confinement == .off:
      task = .watch(values["--watch", default: ""])
    case ["--driver"], ["--driver", "--transport"], ["--driver", "--transport", "--model"]:
      guard confinement != .enclave, confinement != .watchesDevices else { return nil }
      task = .driver(
        values["--driver", default: ""], transport: values["--transport"], model: values["--model"])
    default: return nil
    }
    guard let confinement else { return nil }
    self.confinement = confinement
  }

  /// Whether the plugin keeps keys.
  var holdsSecrets: Bool {
    if case .engine = task { true } else { false }
  }

  private static let names: Set = [
    "--describe", "--engine", "--driver", "--folder", "--sandbox", "--tpm", "--transport",
    "--model", "--watch",
  ]

  /// Descriptors below this number are the host's.
  var descriptorCount: Int32 {
    switch task {
    case .describe, .engine, .watch: HostProtocol.mailbox + 1
    case .driver: HostProtocol.frames + 1
    }
  }
}
