import CoreFoundationTypes
import Protocol

/// When an item can be reached, as a program says it (`kSecAttrAccessible…`).
///
/// The two classes that Apple has deprecated and the keychain has not are remembered beside the one
/// that protects in their place.
struct AccessibilityValue: Hashable, Sendable {
  let text: String
  /// What protects.
  let accessibility: Accessibility
  /// Whether Apple has deprecated it, so that the text is not that of what protects.
  var isDeprecated: Bool { Self.deprecated.contains { $0.text == text } }

  private static let kept: [AccessibilityValue] = [
    AccessibilityValue(text: "ak", accessibility: .whenUnlocked),
    AccessibilityValue(text: "ck", accessibility: .afterFirstUnlock),
    AccessibilityValue(text: "aku", accessibility: .whenUnlockedThisDeviceOnly),
    AccessibilityValue(text: "cku", accessibility: .afterFirstUnlockThisDeviceOnly),
    AccessibilityValue(text: "akpu", accessibility: .whenPasscodeSetThisDeviceOnly),
  ]
  private static let deprecated: [AccessibilityValue] = [
    AccessibilityValue(text: "dk", accessibility: .afterFirstUnlock),
    AccessibilityValue(text: "dku", accessibility: .afterFirstUnlockThisDeviceOnly),
  ]

  private init(text: String, accessibility: Accessibility) {
    (self.text, self.accessibility) = (text, accessibility)
  }

  /// What a program says; nil where that is none of the constants.
  init?(_ text: String) {
    guard let known = (Self.kept + Self.deprecated).first(where: { $0.text == text }) else {
      return nil
    }
    self = known
  }

  /// The constant of a class of the keychain's.
  init(_ accessibility: Accessibility) {
    self = Self.kept.first { $0.accessibility == accessibility } ?? Self.kept[0]
  }

  /// The constant as programs compare with it.
  var constant: CFString { Security.constant(text) }
}
