import LinuxSystem
import Protocol

/// Names the clients of the service, by what the witness sees of their processes
/// (docs/decisions/0043).
struct ServiceNaming: ApplicationNaming {
  private let witness: ProcessWitness
  /// Whether the writer of every message is known, from the first on.
  private let knowsWriters: Bool
  /// Which programs are the command and the agent.
  private let own: ApplicationNames

  init(
    _ witness: ProcessWitness, knowsWriters: Bool,
    own: ApplicationNames = ApplicationNames(beside: .ofThisProcess(), byFile: true)
  ) {
    self.witness = witness
    self.knowsWriters = knowsWriters
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
      application: name.text, isAgentProgram: own.isAgent(observed.executable), program: program)
  }

  private func name(
    of observed: ObservedProcess, _ process: borrowing RunningProcess, _ peer: PeerCredentials
  ) -> ApplicationName {
    if own.isCommand(observed.executable) {
      return ApplicationName(text: commandApplication, protects: false)
    }
    let unit = SystemUnit.name(in: observed.controlGroup).flatMap { unit in
      SystemUnit.began(observed.controlGroup, as: peer.user) ? unit : nil
    }
    var facts = ProgramFacts(
      path: observed.executable.path, place: RootOwnedPath.find(observed.executable), unit: unit,
      snap: SystemUnit.snap(in: observed.confinement), isApart: observed.isApart)
    let name = ServiceNames.name(of: facts)
    guard name.protects, facts.isNamedByPath else { return name }
    facts.runsForeignCode = witness.seesForeignCode(in: process, of: peer.user)
    return ServiceNames.name(of: facts)
  }
}
