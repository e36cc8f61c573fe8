package import Wire

/// What a process got of the sandbox it asked for; shown by `authcore status`.
package struct SandboxReport: Equatable, Sendable {
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

  /// Writes the fields.
  package func encode(into encoder: inout WireEncoder) {
    encoder.writeText(confinement.rawValue)
    encoder.writeBoolean(seccomp)
    encoder.writeInt32(landlockVersion)
    encoder.writeBoolean(noNewPrivileges)
    encoder.writeBoolean(lockedMemory)
    encoder.writeArray(Array(lacks.prefix(32))) { $0.writeText(String($1.prefix(500))) }
  }

  /// Reads the fields.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let confinement = Confinement(rawValue: try decoder.readText(limit: 32)) else {
      throw .invalidValue(field: "confinement")
    }
    self.confinement = confinement
    seccomp = try decoder.readBoolean()
    landlockVersion = try decoder.readInt32()
    noNewPrivileges = try decoder.readBoolean()
    lockedMemory = try decoder.readBoolean()
    lacks = try decoder.readArray(limit: 32, elementSize: 4) { (decoder) throws(DecodeError) in
      try decoder.readText(limit: 2000)
    }
  }
}
