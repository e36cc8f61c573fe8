import CoreClient
import Protocol
import WindowContents

enum FingerTexts {
  /// Below its name.
  static func subtitle(_ finger: Finger) -> String {
    var parts = [localized("Enrolled %s", Days.text(finger.enrolledAt))]
    if finger.isSynthetic { parts.append(localized("synthetic prints, for trying out")) }
    if finger.isRelaxed { parts.append(localized("matched at the relaxed rate")) }
    if finger.wantsEnrollment {
      parts.append(localized("better recognized once it is removed and added again"))
    }
    return parts.joined(separator: " · ")
  }

  /// What a change of the fingers closes for good, by name; empty for nothing.
  static func closing(_ entries: [GuardedEntry]) -> String {
    guard !entries.isEmpty else { return "" }
    let longestList = 8
    let named = entries.names.prefix(longestList).map(\.withoutSteering)
    let others = entries.count - named.count
    return
      ([
        localized(
          "This closes %s item or key for good, which only the fingers of today open:",
          "This closes %s items or keys for good, which only the fingers of today open:",
          count: entries.count)
      ] + named
      + (others > 0 ? [localized("and %s more", "and %s more", count: others)] : []))
      .joined(separator: "\n")
  }

  /// A name that no finger has.
  static func unusedName(_ fingers: [Finger]) -> String {
    let names = Set(fingers.map(\.name))
    let number = (1...).first { !names.contains(localized("Finger %s", "\($0)")) } ?? 1
    return localized("Finger %s", "\(number)")
  }
}
