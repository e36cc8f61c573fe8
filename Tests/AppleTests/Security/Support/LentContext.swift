import CoreClient
import Security

/// A context of an application, as `LAContext` lends it.
final class LentContext: _AuthenticationContext {
  let context: ApplicationContext
  private let isAllowed: Bool

  /// `isAllowed` is whether the owner may be asked.
  init(_ application: TestedApplication, isAllowed: Bool = true) {
    context = ApplicationContext(application.client)
    self.isAllowed = isAllowed
  }

  var _authentication: _Authentication {
    _Authentication(in: context, Prompting(reason: "a reason", isAllowed: isAllowed))
  }
}
