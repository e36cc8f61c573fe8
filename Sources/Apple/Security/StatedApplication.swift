package import CoreClient
import Foundation

extension Prompting {
  /// Prompts call the application as its `Info.plist` does: a file of that name beside the
  /// executable (`Bundle.main`).
  package static var ofApplication: Prompting { Prompting(applicationName: statedName) }

  private static let statedName: String? = ["CFBundleDisplayName", "CFBundleName"].lazy
    .compactMap { Bundle.main.object(forInfoDictionaryKey: $0) as? String }
    .first { !$0.isEmpty }
}
