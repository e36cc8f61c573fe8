/// A demonstration: a line of the menu, and a word of the command line.
enum Demonstration: String, CaseIterable {
  case addPresence = "add-presence"
  case addFingers = "add-fingers"
  case addPassword = "add-password"
  case query
  case update
  case delete
  case generateKey = "generate-key"
  case useKey = "use-key"
  case deleteKey = "delete-key"
  case canEvaluate = "can-evaluate"
  case evaluateOwner = "evaluate-owner"
  case evaluateFinger = "evaluate-finger"
  case evaluateNoFallback = "evaluate-no-fallback"
  case evaluateOwnFallback = "evaluate-own-fallback"
  case reuseContext = "reuse-context"
  case reuseUnlock = "reuse-unlock"

  var title: String {
    switch self {
    case .addPresence: "Add an item that the owner's finger or passcode opens"
    case .addFingers: "Add an item that only the fingers of today open"
    case .addPassword: "Add an item that needs an application password, too"
    case .query: "Open the items that are there"
    case .update: "Change the items that are there"
    case .delete: "Delete the items"
    case .generateKey: "Make a key in the enclave that a finger lets sign"
    case .useKey: "Sign with it"
    case .deleteKey: "Delete it"
    case .canEvaluate: "Ask which policies can be evaluated; nobody is bothered"
    case .evaluateOwner: "Ask for the owner, by finger or passcode"
    case .evaluateFinger: "Ask for a finger"
    case .evaluateNoFallback: "Ask for a finger, and offer nothing else"
    case .evaluateOwnFallback: "Ask for a finger, and offer a way of our own"
    case .reuseContext: "Ask once, and open an item twice with that"
    case .reuseUnlock: "Ask, unless a finger has unlocked this machine a minute ago"
    }
  }

  /// Those of the keychain come first in the menu.
  var isOfKeychain: Bool {
    switch self {
    case .addPresence, .addFingers, .addPassword, .query, .update, .delete, .generateKey, .useKey,
      .deleteKey:
      true
    default: false
    }
  }

  /// Reads a number of the menu, or a name.
  init?(typed: String) {
    if let number = Int(typed) {
      guard Self.allCases.indices.contains(number - 1) else { return nil }
      self = Self.allCases[number - 1]
    } else {
      self.init(rawValue: typed)
    }
  }

  /// The menu, with numbers to type.
  static var menu: [String] {
    var lines = ["Keychain"]
    for (index, demonstration) in allCases.enumerated() {
      if demonstration == allCases.first(where: { !$0.isOfKeychain }) {
        lines.append("Local Authentication")
      }
      let number = String(index + 1)
      lines.append(
        String(repeating: " ", count: 4 - number.count) + number + "  "
          + demonstration.rawValue.padding(toLength: 23, withPad: " ", startingAt: 0)
          + demonstration.title)
    }
    return lines
  }
}
