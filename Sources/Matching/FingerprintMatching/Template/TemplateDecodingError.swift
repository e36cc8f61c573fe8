/// Why bytes were not taken for a finger's template.
package enum TemplateDecodingError: Error, Equatable, Sendable {
  /// The bytes do not begin as a template does.
  case notATemplate
  /// A template of a format that this build does not know.
  case unsupportedVersion(Int)
  /// The bytes end early, go on too long, or hold an impossible value.
  case damaged

  /// What is wrong, in one sentence.
  package var message: String {
    switch self {
    case .notATemplate: "The stored finger is not a fingerprint template."
    case .unsupportedVersion(let version):
      "The stored finger has template format \(version), which this version does not know."
    case .damaged: "The stored finger's template is damaged."
    }
  }

  /// What to do about it, in one sentence.
  package var hint: String {
    switch self {
    case .unsupportedVersion:
      "Use the version of authcore that enrolled the finger, or enroll it again."
    case .notATemplate, .damaged: "Remove the finger and enroll it again."
    }
  }
}
