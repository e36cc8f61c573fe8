/// What a process got of the sandbox it asked for; shown by `authcore status`.
package struct SandboxReport: Equatable, WireField {
  /// How far the sandbox reaches.
  package var confinement: Confinement
  /// Whether system calls are filtered.
  package var seccomp = false
  /// The version of Landlock that holds files back; 0: none does.
  package var landlockVersion: Int32 = 0
  /// Whether programs it could start would gain nothing.
  package var noNewPrivileges = false
  /// Whether its secrets are locked into memory.
  package var lockedMemory = false
  /// A sentence for each thing that could not be had.
  package var lacks: [String] = []

  /// Whether there is a sandbox.
  package var isOn: Bool { confinement != .off }

  /// A sandbox that has not been entered.
  package init(_ confinement: Confinement) { self.confinement = confinement }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(confinement.rawValue, seccomp, landlockVersion, noNewPrivileges, lockedMemory)
    encoder.write(lacks.prefix(Self.mostLacks).map { String($0.prefix(500)) })
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let name: String
    (name, seccomp, landlockVersion, noNewPrivileges, lockedMemory, lacks) = try decoder.read()
    guard let confinement = Confinement(rawValue: name) else {
      throw .invalidValue(field: "confinement")
    }
    self.confinement = confinement
    try decoder.require(lacks, atMost: Self.mostLacks)
  }

  private static let mostLacks = 32
}
