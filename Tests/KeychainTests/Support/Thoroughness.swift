import Foundation
import Testing

/// How much the tests of durability try: a part in `make test`, all of it in
/// `make test-durability`.
enum Thoroughness {
  static let isFull = ProcessInfo.processInfo.environment["AUTHCORE_DURABILITY"] == "full"

  /// After how long a test hangs: with all of it, tests wait for hours for their turn.
  static let limit = TimeLimitTrait.Duration.minutes(number(15, full: 600))

  /// One number or the other.
  static func number<Number>(_ part: Number, full: Number) -> Number { isFull ? full : part }

  /// What a long run did, where somebody asked for one.
  static func report(_ line: String) {
    if isFull { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
  }
}
