import LinuxSystem
import Protocol
import Synchronization

/// The program that opened a connection, as the kernel named it then. A name is no proof.
struct Caller: Equatable, Sendable {
  /// Tells connections apart.
  let connection: UInt64
  /// 0 if unknown.
  let process: Int32
  /// What it runs, then what started that, and so on.
  let names: [String]
  /// The words of its command.
  let command: [String]
  /// What runs there as it asks; nil if that is not known, or others have written into its
  /// connection too.
  private(set) var program: ObservedProcess?

  private static let mostNames = 3
  private static let connections = Atomic<UInt64>(0)

  static let unknown = Caller(process: 0, names: [], command: [])

  private init(process: Int32, names: [String], command: [String]) {
    (self.process, self.names, self.command) = (process, names, command)
    connection = Self.connections.add(1, ordering: .relaxed).newValue
  }

  /// The process at the other end of a socket; ``unknown`` if it is gone.
  init(connectedTo socket: Int32) {
    self = .unknown
    guard let process = RunningProcess(connectedTo: socket) else { return }
    var names: [String] = []
    var next = process.identifier
    // Process 1 and the kernel start everything.
    while names.count < Self.mostNames, next > 1, let facts = Self.facts(of: next) {
      names.append(facts.name)
      next = facts.parent
    }
    let command = SmallFile.contents(of: "/proc/\(process.identifier)/cmdline") ?? []
    // Up to here the id has meant the same process.
    guard !process.hasEnded else { return }
    self.init(
      process: process.identifier, names: names,
      command: command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
  }

  /// The caller as it asks: looks at what it runs, if it is the only writer of its connection.
  func asking(by writers: MessageWriters, on socket: Int32) -> Caller {
    var caller = self
    if let writer = writers.only, writer.process == process,
      let running = RunningProcess(connectedTo: socket)
    {
      caller.program = ObservedProcess(of: running)
    }
    return caller
  }

  private static func facts(of process: Int32) -> (name: String, parent: Int32)? {
    guard let bytes = SmallFile.contents(of: "/proc/\(process)/status") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    func field(_ label: String) -> Substring? {
      lines.first { $0.hasPrefix(label) }?.dropFirst(label.count)
    }
    guard let name = field("Name:\t"), let parent = field("PPid:\t").flatMap({ Int32($0) }) else {
      return nil
    }
    return (String(name).withoutSteering, parent)
  }

  /// For a prompt: `ssh (process 12, started by git)`.
  var text: String {
    guard let name = names.first else { return "a program that is gone" }
    let others = names.dropFirst()
    return "\(name) (process \(process)"
      + (others.isEmpty ? "" : ", started by " + others.joined(separator: " of ")) + ")"
  }
}
