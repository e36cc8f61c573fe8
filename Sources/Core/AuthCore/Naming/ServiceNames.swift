import LinuxSystem
import Protocol

/// Names the service's clients, by what the witness sees of their processes (docs/decisions/0043).
struct ServiceNaming: ApplicationNaming {
  private let witness: ProcessWitness
  /// Whether the writers of all messages are known, from the first on.
  private let knowsWriters: Bool
  private let programs: ProtectedPrograms
  /// Recognizes the command, the agent and the doors.
  private let own: ApplicationNames

  init(
    _ witness: ProcessWitness, knowsWriters: Bool, _ programs: ProtectedPrograms,
    own: ApplicationNames = ApplicationNames(beside: .ofThisProcess(), byFile: true)
  ) {
    self.witness = witness
    self.knowsWriters = knowsWriters
    self.programs = programs
    self.own = own
  }

  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
    guard let process = RunningProcess(connectedTo: socket),
      let observed = witness.observe(process)
    else { return NamedClient(application: "", isAgentProgram: false) }
    let name = name(of: observed, process, peer)
    let witness = witness
    let look: PeerProgram.Look = { (process: borrowing RunningProcess) in witness.observe(process) }
    let program = PeerProgram(
      process, observed, mayBeginUnknown: !knowsWriters, look: name.protects ? look : nil)
    return NamedClient(
      application: name.text, isAgentProgram: own.isAgent(observed.executable),
      door: own.door(observed.executable), program: program)
  }

  func caller(_ process: consuming RunningProcess) -> DoorCaller? {
    guard let observed = witness.observe(process) else { return nil }
    let peer = PeerCredentials(process: process.identifier, user: observed.user)
    let name = name(of: observed, process, peer)
    let witness = witness
    return DoorCaller(process, observed, name: name.text) { (process: borrowing RunningProcess) in
      witness.observe(process)
    }
  }

  private func name(
    of observed: ObservedProcess, _ process: borrowing RunningProcess, _ peer: PeerCredentials
  ) -> ApplicationName {
    if own.isOwners(observed.executable) {
      return ApplicationName(text: commandApplication, protects: false)
    }
    let unit = SystemUnit.name(in: observed.controlGroup).flatMap { unit in
      SystemUnit.began(observed.controlGroup, as: peer.user) ? unit : nil
    }
    var facts = ProgramFacts(
      path: observed.executable.path, place: RootOwnedPath.find(observed.executable), unit: unit,
      snap: SystemUnit.snap(in: observed.confinement),
      isDeclared: programs.include(observed.executable.path), isApart: observed.isApart)
    let name = ServiceNames.name(of: facts)
    guard name.protects, facts.isNamedByPath else { return name }
    facts.runsForeignCode = witness.seesForeignCode(in: process, of: peer.user)
    return ServiceNames.name(of: facts)
  }
}

/// What decides the name of a program in the machine's service.
struct ProgramFacts: Equatable, Sendable {
  /// Its path according to the kernel; in another mount namespace it can be anything.
  let path: [UInt8]
  /// What the service sees at that path.
  let place: RootOwnedPath.Finding
  /// The system unit that the process belongs to, if all of the unit is the client's user's; else
  /// nil.
  var unit: String?
  /// The snap that confines it; nil if none.
  var snap: String?
  /// Whether root says that the program at this path does nobody else's bidding.
  var isDeclared = false
  /// Whether it runs code that others than root may have brought in.
  var runsForeignCode = false
  /// Whether it is in a process or user namespace other than the service's.
  var isApart = false

  /// Whether its path alone names it. Only root decides what a unit or a snap starts.
  var isNamedByPath: Bool { unit == nil && snap == nil }
}

struct ApplicationName: Equatable, Sendable {
  let text: String
  /// Whether no other program of the same user gets it by ordinary means (docs/decisions/0043). If
  /// false it is a label.
  let protects: Bool
}

/// Names applications in the service: a pure function of what the kernel says.
///
/// No canonical path begins with two slashes, so no program's path looks like a unit or a snap.
enum ServiceNames {
  static func name(of program: ProgramFacts) -> ApplicationName {
    if let unit = program.unit { return ApplicationName(text: "//unit/\(unit)", protects: true) }
    if let snap = program.snap, program.place == .rootOwned, !program.isApart {
      return ApplicationName(text: "//snap/\(snap)", protects: true)
    }
    switch program.place {
    case .rootOwned where program.runsForeignCode || program.isApart:
      return label(Array(unproved.utf8) + program.path)
    case .rootOwned:
      return ApplicationName(
        text: ApplicationNames.name(ofPath: program.path),
        protects: program.isDeclared)
    case .writable: return label(program.path)
    case .notSeen where isOfPeople(program.path): return label(program.path)
    case .another, .notSeen:
      return label(Array(unproved.utf8) + program.path)
    }
  }

  private static func label(_ path: [UInt8]) -> ApplicationName {
    ApplicationName(text: ApplicationNames.name(ofPath: path), protects: false)
  }

  /// Begins the name of a program whose path leads to another file, or to none.
  private static let unproved = "//unproved"

  /// Whether a path lies in folders of people, which the service may not look into. No name
  /// protects there, so the path is as good as any label.
  private static func isOfPeople(_ path: [UInt8]) -> Bool {
    ["/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"].contains { path.starts(with: $0.utf8) }
  }
}

/// Units of the system's service manager, by their control groups, which only it makes.
enum SystemUnit {
  /// The system service that a control group belongs to; nil if none. A user's own manager names
  /// what is below `user.slice`.
  static func name(in group: String) -> String? {
    let parts = group.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.first == "system.slice",
      let index = parts.firstIndex(where: { !$0.hasSuffix(".slice") })
    else { return nil }
    let unit = String(parts[index])
    guard unit.hasSuffix(".service"), unit.utf8.count <= 200 else { return nil }
    return unit
  }

  /// Whether a unit ran as one user from its start. A unit that runs what others order, such as
  /// cron, starts as another user.
  /// - Parameters:
  ///   - group: the control group of the unit.
  ///   - user: the expected user.
  /// - Returns: whether the oldest process in it is that user's.
  static func began(_ group: String, as user: UInt32) -> Bool {
    let parts = group.split(separator: "/", omittingEmptySubsequences: true)
    guard let index = parts.firstIndex(where: { !$0.hasSuffix(".slice") }) else { return false }
    let path = "/sys/fs/cgroup/" + parts[...index].joined(separator: "/") + "/cgroup.procs"
    guard let bytes = SmallFile.contents(of: path) else { return false }
    let processes = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .compactMap { Int32($0) }
    let first = processes.compactMap { process in
      ProcessStatus(of: process).map { (process, $0.startTime) }
    }.min { $0.1 < $1.1 }
    guard let first else { return false }
    return ObservedProcess.user(of: first.0) == user
  }

  /// The snap of an enforced AppArmor confinement, `snap.NAME.APP (enforce)`; nil if it is none.
  static func snap(in confinement: String) -> String? {
    let (begin, end) = ("snap.", " (enforce)")
    guard confinement.hasPrefix(begin), confinement.hasSuffix(end) else { return nil }
    let parts = confinement.dropFirst(begin.count).dropLast(end.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let name = parts.first, !name.isEmpty,
      name.utf8.allSatisfy({ byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      })
    else { return nil }
    return String(name)
  }
}
