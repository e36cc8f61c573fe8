import Protocol
import WindowContents

/// What is said of fingers.
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

  /// A name that no finger has.
  static func unusedName(_ fingers: [Finger]) -> String {
    let names = Set(fingers.map(\.name))
    let number = (1...).first { !names.contains(localized("Finger %s", "\($0)")) } ?? 1
    return localized("Finger %s", "\(number)")
  }
}
