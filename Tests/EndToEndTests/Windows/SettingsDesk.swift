import TestSupport
import Testing

/// Tests of the settings window, each on a desk and a state folder of its own.
protocol SettingsDesk {
  var home: TestHome { get }
  var desk: Desk { get }
}

extension SettingsDesk {
  /// Starts the settings, and shows the page of this name.
  func open(
    _ driver: String = "replay", page: String? = nil, _ more: [String: String] = [:]
  ) throws {
    let environment = [
      "AUTHCORE_HOME": home.home, "AUTHCORE_DRIVER": driver, "AUTHCORE_TPM": "off",
    ]
    try desk.start("authcore-settings", environment: environment.merging(more) { $1 })
    if let page { try desk.press(page, role: "page tab") }
  }

  /// Answers the prompt for the passcode.
  func enter(_ passcode: String = TestHome.passcode) throws {
    try desk.find("password text", "Passcode")
    try type(passcode)
  }

  /// Types a line, as often as it is asked for.
  func type(_ text: String, times: Int = 1) throws {
    for _ in 0..<times {
      try desk.type(text)
      try desk.key("Return")
    }
  }

  func beginWithPasscode() throws {
    #expect(try home.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
  }
}

extension Trait where Self == ConditionTrait {
  /// A test that needs a display.
  static var onDesk: Self {
    .enabled(if: Desk.isInstalled, "Xvfb and the accessibility bus are not installed")
  }
}
