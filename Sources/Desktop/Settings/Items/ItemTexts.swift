import Protocol
import WindowContents

/// What is said of items. What they say themselves is shown as it is, and steers nothing.
enum ItemTexts {
  /// What a person knows it by: its label, or else what it is for.
  static func name(_ item: ItemAttributes) -> String { names(item).first ?? item.identifier }

  /// What else it is known by.
  static func subtitle(_ item: ItemAttributes) -> String {
    names(item).dropFirst().joined(separator: " · ")
  }

  /// How it is called in a sentence.
  static func fullName(_ item: ItemAttributes) -> String {
    names(item).isEmpty ? item.identifier : names(item).joined(separator: " / ")
  }

  private static func names(_ item: ItemAttributes) -> [String] {
    [item.label, item.service, item.server, item.account].map(\.withoutSteering)
      .filter { !$0.isEmpty }
  }

  /// What it says of itself, with how that is called.
  static func details(_ item: ItemAttributes) -> [(String, String)] {
    let texts = [
      (localized("Label"), item.label), (localized("Service"), item.service),
      (localized("Server"), item.server), (localized("Account"), item.account),
      (localized("Comment"), item.values[text: .comment]),
    ].map { ($0.0, $0.1.withoutSteeringLines) }.filter { !$0.1.isEmpty }
    return texts + [
      (localized("Opened by"), guards(item.accessControl)),
      (localized("Added"), Days.text(item.createdAt)),
    ]
  }

  /// What opens it.
  private static func guards(_ control: AccessControl?) -> String {
    guard let control else { return localized("An unlocked device") }
    let words: [(AccessControl.Constraints, String)] = [
      (.presence, localized("A finger or the passcode")), (.biometryAny, localized("A finger")),
      (.biometryCurrent, localized("A finger that was enrolled when it was stored")),
      (.passcode, localized("The passcode")),
    ]
    var parts = words.filter { control.constraints.contains($0.0) }.map(\.1)
    if control.junction == .or { parts = [parts.joined(separator: " / ")] }
    if control.needsAppPassword { parts.append(localized("A password of its own")) }
    return parts.joined(separator: " + ")
  }

  /// What is said of a secret that is shown.
  static func state(_ readable: ShownItem.Readable) -> String {
    switch readable {
    case .code(_, secondsLeft: nil): return localized("One-time code, good once")
    case .code(_, let seconds?):
      return localized(
        "One-time code, good for %s second", "One-time code, good for %s seconds",
        count: Int(seconds))
    case .secret(let held):
      guard secret(held.bytes) == nil else { return localized("Shown") }
      return localized(
        "%s byte that is no text", "%s bytes that are no text", count: held.bytes.count)
    }
  }

  /// A secret to be read; nil where it is no text.
  static func secret(_ secret: borrowing SecretBytes) -> String? {
    let bytes = secret.bytes.indices.map { secret.bytes[$0] }
    return String(validating: bytes, as: UTF8.self)?.withoutSteeringLines
  }
}
