import LinuxSystem
import Protocol

/// The process that a door acts for, as the core sees it. Its name is a label: the door says which
/// process is meant (docs/decisions/0043).
final class DoorCaller: Sendable {
  /// The core's name for its program.
  let name: String
  let peer: PeerCredentials
  /// What it ran when the core first looked.
  let file: ProgramFile
  private let program: PeerProgram

  init(
    _ process: consuming RunningProcess, _ observed: ObservedProcess, name: String,
    look: @escaping PeerProgram.Look
  ) {
    self.name = name
    peer = PeerCredentials(process: process.identifier, user: observed.user)
    file = ProgramFile(
      device: observed.executable.device, inode: observed.executable.inode)
    program = PeerProgram(process, observed, look: look)
  }

  /// Why nothing is done for it any more; nil if it runs the same program as at first. May ask
  /// another process.
  var objection: Failure? {
    program.stillRuns
      ? nil : Self.refusal("the program that it acts for has ended, or runs another program")
  }

  static func refusal(_ message: String) -> Failure {
    Failure(
      .errSecMissingEntitlement, message, hint: "have that program connect to the door once more")
  }
}

extension ApplicationNaming {
  /// Looks at a process that a door names.
  /// - Returns: nil if it has ended or cannot be seen.
  func caller(_ process: consuming RunningProcess) -> DoorCaller? {
    guard let observed = ObservedProcess(of: process) else { return nil }
    return DoorCaller(
      process, observed, name: ApplicationNames.name(ofPath: observed.executable.path)
    ) { [start = observed.startTime, user = observed.user] (process: borrowing RunningProcess) in
      // Every request asks for this; only the program of a process that goes on can differ.
      RunningExecutable(of: process).map {
        ObservedProcess(executable: $0, startTime: start, user: user)
      }
    }
  }
}

extension ClientLink {
  /// The process whose place and terminal decide whether a person may be asked.
  var asker: PeerCredentials { caller?.peer ?? peer }

  /// The core's name for the program that asks, itself or through a door.
  var askerName: String { caller?.name ?? application }
}

extension Core {
  /// Why a door's request is not carried out; nil for one that may be, and for other clients.
  func objection(toDoor link: ClientLink) -> Failure? {
    guard let door = link.door else { return nil }
    if let objection = objection(to: door) { return objection }
    guard let caller = link.caller else {
      return Failure(.usage, "a door has to say for which process it acts (ActFor)")
    }
    return caller.objection
  }

  /// Why a door may not be used at all; nil if it may.
  private func objection(to door: Door) -> Failure? {
    guard service?.forbiddenDoors().contains(door) ?? false else { return nil }
    return Failure(
      .refusedByService, "the policy of this machine forbids \(door.program)",
      hint: "its administrator permits it in /etc/authcore/policy.toml: [doors], \(door.name)")
  }

  /// Looks at the process that a door names, and makes it the one that the door acts for.
  func begin(
    _ request: ActFor, _ handle: consuming Descriptor?, of link: ClientLink
  ) throws(Failure) -> ActingFor {
    guard let door = link.door else { throw Self.notADoor }
    if let objection = objection(to: door) { throw objection }
    guard let handle, let process = RunningProcess(heldBy: handle) else {
      throw Failure(.usage, "ActFor brings no descriptor of a process that runs (pidfd_open)")
    }
    guard let caller = applications.caller(process), caller.objection == nil else {
      throw DoorCaller.refusal(
        "the program that \(door.program) acts for has ended, or cannot be seen")
    }
    guard caller.peer.user == link.peer.user else {
      throw Failure(
        .errSecMissingEntitlement,
        "\(door.program) runs as user \(link.peer.user) and cannot act for user "
          + "\(caller.peer.user)", hint: "each user has doors of their own")
    }
    guard request.program == nil || request.program == caller.file else {
      throw DoorCaller.refusal("the program that \(door.program) acts for runs another program")
    }
    guard link.act(for: caller) else {
      throw Failure(.usage, "this connection acts for a process already")
    }
    return ActingFor(program: caller.file)
  }

  static let notADoor = Failure(
    .errSecMissingEntitlement,
    "only a door that is installed beside the core acts for others, or sends the service a "
      + "descriptor", hint: "ask as yourself, or install the door beside authcored")

  /// The doors that are connected, each once for each program that it acts for.
  var runningDoors: [RunningDoor] {
    var found: [RunningDoor] = []
    for link in links {
      guard let door = link.door else { continue }
      let caller = link.caller.flatMap { $0.peer.process == link.peer.process ? nil : $0.name }
      let running = RunningDoor(door: door, caller: caller)
      if !found.contains(running) { found.append(running) }
    }
    return found
  }
}
