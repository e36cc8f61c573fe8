extension EnclaveStatus {
  /// All enrolled fingers.
  package var fingers: UInt32 { realFingers &+ syntheticFingers &+ tapeFingers &+ earlierFingers }

  /// Those that frames of an origin can match.
  package func fingers(from origin: FrameOrigin) -> UInt32 {
    switch origin {
    case .reader: realFingers &+ earlierFingers
    case .synthetic: syntheticFingers
    case .tape: tapeFingers &+ earlierFingers
    }
  }
}

extension EnclaveRules {
  /// The strictest of all.
  package static let strictest = EnclaveRules(
    missesInARow: 1, passcodeCharacters: mostPasscodeCharacters, reuseSeconds: 0,
    allowsRelaxedRate: false)

  /// The longest passcode that a rule may ask for.
  package static var mostPasscodeCharacters: UInt32 { 64 }

  /// Takes the stricter of each.
  package mutating func tighten(to other: EnclaveRules) {
    self = EnclaveRules(
      missesInARow: max(1, min(missesInARow, other.missesInARow)),
      passcodeCharacters: max(passcodeCharacters, other.passcodeCharacters),
      reuseSeconds: min(reuseSeconds, other.reuseSeconds),
      allowsRelaxedRate: allowsRelaxedRate && other.allowsRelaxedRate)
  }
}

/// How many contexts there can be at a time; beyond that the enclave answers `busy`.
package enum ContextLimits {
  /// Of one connection.
  package static let ofConnection = 32
  /// Those of them that a connection has whatever others do: one for the request under way, and one
  /// that outlives it.
  package static let certain = 2
  /// What all connections together have beyond those.
  package static let shared = 72 * ofConnection
}

extension TouchEvent {
  /// Misses in a row after which no touch is compared until the passcode is given.
  package static var mostMissesInARow: UInt32 { 5 }

  package init(session: UInt64, outcome: Outcome, status: EnclaveStatus? = nil) {
    self.init(session: session, status: status, outcome: outcome)
  }
}

extension SeveralRequests {
  func check() throws(DecodeError) {
    guard !requests.isEmpty else { throw .invalidValue(field: "requests") }
  }
}

extension CopyDatabase {
  /// The name of the database to read. A log beside it is a part of it.
  package static let source = "given.sqlite"

  /// The name of the database that is made; one that is there is replaced.
  package static let target = "copied.sqlite"
}

/// The file beside the database that keeps room for removals. It holds nothing, and no move takes it.
package let removalReserveName = ".removals"

/// Bytes that one keychain may take on the disk, with what it has put aside.
package let largestKeychain = 256 << 20

extension CallProgress {
  /// Misses that end a call (CLI.md, "Misses").
  package static var mostMisses: UInt32 { 3 }
}

/// How the file of a root key begins, by which the core tells where the key is (docs/enclave-state.md).
package enum RootKeyFile {
  /// The file's name.
  package static let name = "root.key"
  /// No such file is longer, in bytes.
  package static let limit = 4096
  /// Its first field.
  package static let magic = "authcore root key"
  /// The version of a file that holds the key.
  package static let fileVersion: UInt32 = 1
  /// The version of a file that holds what a TPM needs to give the key.
  package static let boundVersion: UInt32 = 2

  /// Where the key is that a file is of; nil: it is no such file.
  package static func place(_ file: Span<UInt8>) -> RootKeyPlace? {
    do throws(DecodeError) {
      var decoder = WireDecoder(file)
      guard try decoder.readText(limit: 64) == magic else { return nil }
      switch try decoder.readUInt32() {
      case fileVersion: return .file
      case boundVersion: return .tpm
      default: return nil
      }
    } catch {
      return nil
    }
  }
}

extension RootKeyPlace {
  /// As `authcore status` names it.
  package var name: String { self == .tpm ? "tpm" : "file" }
}

extension CoveragePicture {
  /// The most columns or rows.
  package static let mostPlaces = 64
  /// The most that each half of a place says.
  package static let mostSteps: UInt8 = 15

  /// Places from left to right.
  package var columns: Int { Int(width) }

  /// A picture in which nothing was seen.
  package static let empty = CoveragePicture(columns: 0, times: [], clarity: [])

  /// - Parameters:
  ///   - columns: ``mostPlaces`` at most.
  ///   - times: For each place how many touches showed it, 0...15.
  ///   - clarity: For each place how clear its ridges are, 0...15.
  package init(columns: Int, times: [UInt8], clarity: [UInt8]) {
    self.init(
      width: UInt8(columns),
      places: zip(times, clarity).map {
        min($0, Self.mostSteps) << 4 | min($1, Self.mostSteps)
      })
  }

  /// Places from the tip down.
  package var rows: Int { columns == 0 ? 0 : places.count / columns }

  /// How many touches showed a place, 0...15; 0 beyond the picture.
  package func times(column: Int, row: Int) -> Int { Int(place(column, row) >> 4) }

  /// How clear the ridges of a place are, 0...15; 0 beyond the picture.
  package func clarity(column: Int, row: Int) -> Int { Int(place(column, row) & 15) }

  private func place(_ column: Int, _ row: Int) -> UInt8 {
    guard 0..<columns ~= column, 0..<rows ~= row else { return 0 }
    return places[row * columns + column]
  }

  func check() throws(DecodeError) {
    guard columns <= Self.mostPlaces,
      columns == 0
        ? places.isEmpty
        : places.count.isMultiple(of: columns) && places.count / columns <= Self.mostPlaces
    else { throw .invalidValue(field: "coverage picture") }
  }
}
