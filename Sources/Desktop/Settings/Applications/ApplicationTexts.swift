import Protocol
import WindowContents

enum ApplicationTexts {
  /// What a person knows it by: the end of a path, or all of another name.
  static func name(_ holdings: ApplicationHoldings) -> String {
    let name = holdings.application.withoutSteering
    guard name.hasPrefix("/"), !name.hasPrefix("//"), let end = name.split(separator: "/").last
    else { return name }
    return String(end)
  }

  /// Its whole name, unless that is said already, and what it has.
  static func subtitle(_ holdings: ApplicationHoldings) -> String {
    var parts: [String] = []
    let whole = holdings.application.withoutSteering
    if whole != name(holdings) { parts.append(whole) }
    if holdings.items > 0 {
      parts.append(localized("%s item", "%s items", count: Int(holdings.items)))
    }
    if holdings.keys > 0 { parts.append(localized("%s key", "%s keys", count: Int(holdings.keys))) }
    if holdings.shared > 0 {
      parts.append(
        localized("%s shared with it", "%s shared with it", count: Int(holdings.shared)))
    }
    return parts.joined(separator: " · ")
  }
}
