import CoreClient
import Protocol
import WindowContents
import Windows

/// The window with its pages.
@MainActor
final class SettingsWindow {
  let application: Application
  let window: Window
  let link: CoreLink
  private let pages: Pages
  private let fingers = FingersPage()
  private let passcode = PasscodePage()
  private let items = ItemsPage()
  private let applications = ApplicationsPage()
  private let readers = ReadersPage()
  private var snapshot: Snapshot?
  /// Whether a request that may prompt is under way. Nothing else is asked meanwhile.
  private var isBusy = false
  private var isLooking = false
  /// Whether the person knows that the core cannot be reached.
  private var hasComplained = false

  /// How often the core is asked.
  private static let interval = Duration.seconds(2)

  init(of application: Application, _ link: CoreLink) {
    (self.application, self.link) = (application, link)
    let title = localized("Fingers and Passcode")
    window = Window(of: application, title: title, width: 720, height: 640)
    pages = Pages(title: title)
    pages.add(fingers.content, title: localized("Fingers"), icon: "auth-fingerprint-symbolic")
    pages.add(passcode.content, title: localized("Passcode"), icon: "dialog-password-symbolic")
    pages.add(items.content, title: localized("Items"), icon: "view-list-symbolic")
    pages.add(
      applications.content, title: localized("Applications"),
      icon: "application-x-executable-symbolic")
    pages.add(readers.content, title: localized("Reader"), icon: "media-removable-symbolic")
    window.setContent(pages)
    fingers.window = self
    passcode.window = self
    items.window = self
    applications.window = self
    pages.onChange { [weak self] in
      guard let self else { return }
      self.items.leave()
      self.lookAtPage()
      if self.shows(self.items.content) { self.items.appear() }
    }
    window.onActivation { [weak self] in
      self?.look()
      self?.lookAtPage()
    }
    window.escape = { [weak self] in self?.items.back() }
    window.mayNotClose = { [weak self] in
      self?.items.close()
      return false
    }
    window.present()
    look()
    keepLooking()
  }

  func present() { window.present() }

  private func keepLooking() {
    MainLoop.after(Self.interval) { [weak self] in
      guard let self else { return }
      // A window behind others asks nothing, unless a secret must be hidden when the device locks.
      if self.window.isActive || self.items.isShowingSecret { self.look() }
      self.keepLooking()
    }
  }

  /// Asks the core for its state, and shows it.
  func look() {
    guard !isBusy, !isLooking else { return }
    isLooking = true
    link.carryOut({ (connection) throws(Failure) in try Snapshot.take(connection) }) {
      [weak self] result in
      guard let self else { return }
      self.isLooking = false
      switch result {
      case .success(let snapshot):
        self.hasComplained = false
        self.show(snapshot)
      case .failure(let failure):
        if !self.hasComplained { self.tell(failure) }
        self.hasComplained = true
      }
    }
  }

  private func lookAtPage() {
    guard !isBusy else { return }
    if shows(applications.content) { applications.look() }
    if shows(items.content) { items.look() }
  }

  /// Whether this is the page that is shown.
  func shows(_ page: Widget) -> Bool { pages.shows(page) }

  private func show(_ snapshot: Snapshot) {
    guard snapshot != self.snapshot else { return }
    self.snapshot = snapshot
    fingers.show(snapshot)
    passcode.show(snapshot)
    items.show(snapshot)
    applications.show(snapshot)
    readers.show(snapshot)
  }

  /// Asks for the first passcode.
  func setPasscode(then body: @escaping @MainActor @Sendable () -> Void) {
    passcode.setPasscode(then: body)
  }

  func unlock() { passcode.unlock() }

  /// Carries out a request without prompts.
  func request<Reply: Sendable>(
    _ request: @escaping @Sendable (CoreRequests) throws(Failure) -> Reply,
    done: @escaping @MainActor @Sendable (Reply) -> Void
  ) {
    link.carryOut({ (connection) throws(Failure) in
      try request(CoreRequests(connection, .none, nil))
    }) { [weak self] result in self?.finish(result, done) }
  }

  /// Carries out a request whose prompts appear in a dialog of this title.
  func request<Reply: Sendable>(
    title: String, reason: String, presenter: (any PromptPresenter)? = nil,
    failed: (@MainActor @Sendable (Failure) -> Void)? = nil,
    _ request: @escaping @Sendable (CoreRequests) throws(Failure) -> Reply,
    done: @escaping @MainActor @Sendable (Reply) -> Void
  ) {
    guard !isBusy else { return }
    isBusy = true
    let presenter = presenter ?? RequestDialog(of: application, over: window, title: title)
    link.carryOut(
      asking: presenter, reason: reason,
      { (connection, options, agent) throws(Failure) in
        try request(CoreRequests(connection, options, agent))
      }
    ) { [weak self] result in
      guard let self else { return }
      self.isBusy = false
      if case .failure(let failure) = result { failed?(failure) }
      self.finish(result, done)
    }
  }

  private func finish<Reply: Sendable>(
    _ result: Result<Reply, Failure>, _ done: @MainActor @Sendable (Reply) -> Void
  ) {
    switch result {
    case .success(let reply): done(reply)
    case .failure(let failure): tell(failure)
    }
    look()
  }

  /// Asks before something is done that cannot be undone.
  func confirm(
    _ heading: String, _ body: String, _ answer: String,
    then act: @escaping @MainActor () -> Void
  ) {
    Alert(
      over: window, heading: heading, body: body,
      [.init(localized("Cancel")) {}, .init(answer, .destructive, act)]
    ).present()
  }

  /// Shows a failure, unless the person caused it.
  func tell(_ failure: Failure) {
    guard !failure.isWanted else { return }
    Alert(
      over: window, heading: failure.heading, body: failure.explanation,
      [.init(localized("Close")) {}]
    ).present()
  }
}
