import CoreClient
import Protocol

enum FingerText {
  static func table(_ fingers: [Finger], _ paint: Paint) -> [String] {
    guard !fingers.isEmpty else {
      return ["No finger is enrolled. Enroll one: authcore finger enroll"]
    }
    var table = Table("name", "enrolled", "prints", "identifier")
    for finger in fingers {
      table.add(
        finger.name, Timestamp.day(finger.enrolledAt), finger.isSynthetic ? "synthetic" : "real",
        finger.identifier)
    }
    return table.lines(paint) + fingers.compactMap(remark)
  }

  private static func remark(_ finger: Finger) -> String? {
    let name = finger.name.printable
    if finger.wantsEnrollment {
      return
        "\(name) was enrolled by an earlier version. It is recognized better once it is removed "
        + "and enrolled again."
    }
    return finger.isRelaxed ? "\(name) is matched at a relaxed rate." : nil
  }
}

extension Finger {
  var json: JSONValue {
    .object([
      "id": .string(identifier), "name": .string(name), "enrolledAt": .time(enrolledAt),
      "synthetic": .bool(isSynthetic), "relaxed": .bool(isRelaxed),
      "wantsEnrollment": .bool(wantsEnrollment),
    ])
  }
}

extension EnrolledFinger {
  var json: JSONValue {
    .object([
      "finger": finger.json, "touches": .count(touches),
      "coverage": .rounded(coverage, decimals: 3),
    ])
  }

  func sentence(_ paint: Paint) -> String {
    paint("Enrolled", .good)
      + " \(finger.name.printable) from \(touches) touches" + EnrollmentBar.coverage(coverage)
  }
}

extension FingerTested {
  var json: JSONValue {
    .object([
      "match": .bool(isMatch), "finger": finger.map(JSONValue.string),
      "score": score.map { .rounded($0, decimals: 3) },
      "threshold": .rounded(threshold, decimals: 3),
    ])
  }

  func sentence(_ paint: Paint) -> String {
    let numbers = paint("  " + comparison, .faint)
    guard isMatch else { return paint("No match.", .bad) + numbers }
    return paint("Match:", .good) + " \(finger?.printable ?? "a finger")" + numbers
  }

  /// The score, if it is told, and the threshold.
  var comparison: String {
    (score.map { "score \(Self.short($0)), " } ?? "") + "threshold \(Self.short(threshold))"
  }

  private static func short(_ score: Double) -> String { "\((score * 10).rounded() / 10)" }
}

extension Evaluated {
  /// The members that the command puts first, then by what and how fast.
  func json(_ first: KeyValuePairs<String, JSONValue>) -> JSONValue {
    var members = first.map { JSONValue.Member(name: $0, value: $1) }
    members.append(.init(name: "by", value: .string(evidence.name)))
    if let finger { members.append(.init(name: "finger", value: .string(finger))) }
    members.append(.init(name: "seconds", value: .rounded(seconds, decimals: 3)))
    return .object(members)
  }

  func sentence(_ paint: Paint) -> String {
    let who =
      switch evidence {
      case .biometry: "by \(finger?.printable ?? "a finger")"
      case .passcode: "by the passcode"
      case .nothing: "nothing had to be proved"
      }
    let time = Duration.seconds(seconds).text
    return paint("Authenticated", .good) + " \(who)" + paint("  \(time)", .faint)
  }
}

extension ProvedBy {
  var name: String { "\(self)" }
}
