extension EnclaveStatus {
  package var fingers: UInt32 {
    realFingers &+ syntheticFingers &+ tapeFingers &+ earlierFingers &+ chipFingers
  }

  /// The fingers that frames of an origin can match.
  package func fingers(from origin: FrameOrigin) -> UInt32 {
    switch origin {
    case .reader: realFingers &+ earlierFingers
    case .synthetic: syntheticFingers
    case .tape: tapeFingers &+ earlierFingers
    }
  }
}

extension EnclaveRules {
  package static let strictest = EnclaveRules(
    missesInARow: 1, passcodeCharacters: mostPasscodeCharacters, reuseSeconds: 0,
    allowsRelaxedRate: false, allowsChips: false)

  /// The longest passcode that a rule may ask for.
  package static var mostPasscodeCharacters: UInt32 { 64 }

  /// Takes the stricter of each.
  package mutating func tighten(to other: EnclaveRules) {
    self = EnclaveRules(
      missesInARow: max(1, min(missesInARow, other.missesInARow)),
      passcodeCharacters: max(passcodeCharacters, other.passcodeCharacters),
      reuseSeconds: min(reuseSeconds, other.reuseSeconds),
      allowsRelaxedRate: allowsRelaxedRate && other.allowsRelaxedRate,
      allowsChips: allowsChips && other.allowsChips)
  }
}

/// The most contexts at a time; beyond that the enclave answers `busy`.
package enum ContextLimits {
  package static let ofConnection = 32
  /// How many contexts each connection can always have: one for the request under way, and one that
  /// outlives it.
  package static let certain = 2
  /// How many more all connections can have together.
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
  /// The name of the database to read. A log beside it belongs to it.
  package static let source = "given.sqlite"

  /// The name of the new database. An existing one is replaced.
  package static let target = "copied.sqlite"
}

/// An empty file beside the database that reserves room for removals. It is not moved with a state.
package let removalReserveName = ".removals"

/// The most bytes of a keychain on the disk, with what it has put aside.
package let largestKeychain = 256 << 20

extension CallProgress {
  /// The number of misses that end a request.
  package static var mostMisses: UInt32 { 3 }
}

/// The beginning of a root key's file, from which the core learns where the key is
/// (docs/enclave-state.md).
package enum RootKeyFile {
  package static let name = "root.key"
  package static let limit = 4096
  package static let magic = "authcore root key"
  /// The version of a file that holds the key.
  package static let fileVersion: UInt32 = 1
  /// The version of a file that holds what a TPM needs to release the key.
  package static let boundVersion: UInt32 = 2

  /// Where the key of this file is, or nil if this is not such a file.
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
  /// The name in `authcore status`.
  package var name: String { self == .tpm ? "tpm" : "file" }
}

extension CoveragePicture {
  package static let mostPlaces = 64
  /// The greatest value of either half of a place.
  package static let mostSteps: UInt8 = 15

  package var columns: Int { Int(width) }

  /// A picture of a finger that was not seen.
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
