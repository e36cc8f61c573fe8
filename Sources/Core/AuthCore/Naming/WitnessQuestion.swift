import Protocol

/// What the core asks its witness about a process, by its number.
enum WitnessQuestion: Equatable, Sendable, WireField {
  /// What it runs, and what else says who it is.
  case whatRuns(Int32)
  /// Whether it runs code that somebody besides root can have brought into it. The user is the one
  /// who is left out if the look takes long.
  case runsForeignCode(Int32, user: UInt32)

  func encode(into encoder: inout WireEncoder) {
    switch self {
    case .whatRuns(let number): encoder.write(false, number)
    case .runsForeignCode(let number, let user): encoder.write(true, number, user)
    }
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (isAboutCode, number): (Bool, Int32) = try decoder.read()
    self =
      isAboutCode ? .runsForeignCode(number, user: try decoder.read()) : .whatRuns(number)
  }
}
