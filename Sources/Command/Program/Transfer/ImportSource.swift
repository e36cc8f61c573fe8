import ArgumentParser

/// What `--from` takes. A program that exports a file is known, so that the answer says how.
enum ImportSource: Equatable, ExpressibleByArgument {
  case csv, pass, secretService
  /// How to export there.
  case program(String, String)

  static let allCases = [csv, pass, secretService]

  var rawValue: String {
    switch self {
    case .csv: "csv"
    case .pass: "pass"
    case .secretService: "secret-service"
    case .program(let name, _): name
    }
  }

  init?(argument: String) {
    if let source = Self.allCases.first(where: { $0.rawValue == argument }) {
      self = source
    } else {
      let name = argument.lowercased().filter { $0.isLetter || $0.isNumber }
      guard let way = Self.exports.first(where: { $0.names.contains(name) })?.way else {
        return nil
      }
      self = .program(argument, way)
    }
  }

  private static let exports: [(names: Set<String>, way: String)] = [
    (
      ["chrome", "chromium", "googlechrome", "brave", "vivaldi", "opera"],
      "Chrome exports it in Settings > Google Password Manager > Settings: Export passwords."
    ),
    (["edge", "microsoftedge"], "Edge exports it in Settings > Passwords > ⋯: Export passwords."),
    (["firefox", "mozilla"], "Firefox exports it in about:logins > ⋯: Export passwords."),
    (
      ["safari", "apple", "applepasswords", "icloud", "keychain"],
      "Passwords (or Safari) on the Mac exports it: File > Export All Items."
    ),
    (
      ["bitwarden", "vaultwarden"],
      "Bitwarden exports it in Tools > Export vault, as .json or .csv without encryption."
    ),
    (["1password", "onepassword"], "1Password exports it with File > Export, as 1PUX or CSV."),
    (["lastpass"], "LastPass exports it in Advanced options > Export."),
    (["dashlane"], "Dashlane exports it in Settings > Export data, as CSV."),
    (["nordpass"], "NordPass exports it in Settings > Export items."),
    (
      ["protonpass", "proton"],
      "Proton Pass exports it in Settings > Export, as JSON or CSV without encryption."
    ),
    (["enpass"], "Enpass exports it with File > Export, as .json."),
    (["keepassxc"], "KeePassXC exports it with Database > Export > CSV File."),
    (["keepass", "keepass2"], "KeePass exports it with File > Export > KeePass XML (2.x)."),
  ]
}
