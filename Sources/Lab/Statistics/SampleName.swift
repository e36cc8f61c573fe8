/// What the name of an image says: `FOLDER/FINGER_IMPRESSION.pgm`, or with a patch cut from it,
/// `FOLDER/FINGER_IMPRESSION_pK.pgm`.
package struct SampleName: Hashable, Sendable {
  /// Folder and finger, the same for all images of one finger and of no other.
  package let finger: String

  /// - Parameter name: A file name, with or without a folder and an extension. A name without an
  ///   underscore is a finger with one impression.
  package init(_ name: some StringProtocol) {
    let slash = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    var file = Substring(name[slash...])
    if let dot = file.lastIndex(of: "."), dot != file.startIndex { file = file[..<dot] }
    if let patch = file.lastIndex(of: "_"), Self.isPatch(file[patch...]),
      file[..<patch].contains("_")
    {
      file = file[..<patch]
    }
    if let underscore = file.lastIndex(of: "_") { file = file[..<underscore] }
    finger = String(name[..<slash]) + file
  }

  /// Whether a name's ending is `_p` and a number.
  private static func isPatch(_ ending: Substring) -> Bool {
    ending.hasPrefix("_p") && ending.count > 2
      && ending.dropFirst(2).allSatisfy { ("0"..."9").contains($0) }
  }
}
