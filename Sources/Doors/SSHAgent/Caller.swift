import LinuxSystem
import Protocol

/// The program that opened a connection, as the kernel named it then. A name is no proof.
struct Caller: Equatable, Sendable {
  /// 0 if unknown.
  let process: Int32
  /// In ticks since boot; tells processes of one id apart.
  let startTime: UInt64
  /// What it runs, then what started that, and so on.
  let names: [String]
  /// The words of its command.
  let command: [String]

  private static let mostNames = 3

  static let unknown = Caller(process: 0, startTime: 0, names: [], command: [])

  private init(process: Int32, startTime: UInt64, names: [String], command: [String]) {
    (self.process, self.startTime, self.names) = (process, startTime, names)
    self.command = command
  }

  /// The process at the other end of a socket; ``unknown`` if it is gone.
  init(connectedTo socket: Int32) {
    self = .unknown
    guard let process = RunningProcess(connectedTo: socket),
      let status = ProcessStatus(of: process.identifier)
    else { return }
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
      process: process.identifier, startTime: status.startTime, names: names,
      command: command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
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
