import PluginHosting
import Sandbox

/// What a host is told on its command line: `--describe PATH`, `--engine PATH --folder DIR` or `--driver PATH`, and `--sandbox KIND`.
struct HostArguments: Equatable, Sendable {
  enum Task: Equatable, Sendable {
    case describe(String)
    case engine(String, folder: String)
    case driver(String)
  }

  let task: Task
  let confinement: Confinement

  /// Reads the arguments; nil when they are none of the above. A driver is not put into the enclave's sandbox, nor an engine into
  /// a driver's.
  init?(_ arguments: some Sequence<String>) {
    var values: [String: String] = [:]
    var iterator = arguments.makeIterator()
    while let name = iterator.next() {
      guard ["--describe", "--engine", "--driver", "--folder", "--sandbox"].contains(name),
        let value = iterator.next(), values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    let sandbox = values.removeValue(forKey: "--sandbox")
    let confinement = sandbox.map(Confinement.init(rawValue:)) ?? .closed
    switch (values["--describe"], values["--engine"], values["--driver"], values["--folder"]) {
    case (let path?, nil, nil, nil) where confinement == .closed || confinement == .off:
      task = .describe(path)
    case (nil, let path?, nil, let folder?)
    where confinement == .enclave || confinement == .off:
      task = .engine(path, folder: folder)
    case (nil, nil, let path?, nil) where confinement != .enclave: task = .driver(path)
    default: return nil
    }
    guard let confinement else { return nil }
    self.confinement = confinement
  }

  /// Descriptors below this number are the host's.
  var descriptorCount: Int32 {
    switch task {
    case .describe, .engine: HostProtocol.mailbox + 1
    case .driver: HostProtocol.frames + 1
    }
  }
}
