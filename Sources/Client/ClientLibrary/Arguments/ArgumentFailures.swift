import Protocol

/// What is wrong with a caller's arguments: `errSecParam`, which names them as the header does.
extension Failure {
  /// NULL where something has to be.
  static func missing(_ argument: String) -> Failure {
    Failure(.errSecParam, "\(argument) is NULL", hint: "see authcore/client.h")
  }

  /// A value that is none of those there are.
  static func outOfRange(_ argument: String, _ range: String) -> Failure {
    Failure(.errSecParam, "\(argument) is out of range", hint: "it takes \(range)")
  }

  /// A field that means nothing here.
  static func unusable(_ argument: String, _ reason: String) -> Failure {
    Failure(.errSecParam, "\(argument) cannot be given here: \(reason)", hint: "leave it NULL or 0")
  }
}
