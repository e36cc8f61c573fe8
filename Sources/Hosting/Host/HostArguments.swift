import PluginHosting
import Protocol
import Sandbox

/// What a host is told on its command line: `--describe PATH`, `--engine PATH --folder DIR [--tpm
/// ADDRESS]`,
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

  /// Reads the arguments; nil when they are none of the above. A driver is not put into the
  /// enclave's sandbox, nor an engine into a driver's.
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

  /// Whether the plugin is one that keeps keys.
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
