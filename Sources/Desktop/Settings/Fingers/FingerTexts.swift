import CoreClient
import Glibc
import Protocol
import WindowContents

enum FingerTexts {
  /// Below its name.
  static func subtitle(_ finger: Finger) -> String {
    var parts = [localized("Enrolled %s", day(finger.enrolledAt))]
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

  /// A day where the person is, as ISO 8601 writes it.
  private static func day(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return "" }
    let (year, month, day) = unsafe (parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
    return "\(year)-" + padded(month) + "-" + padded(day)
  }

  private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
