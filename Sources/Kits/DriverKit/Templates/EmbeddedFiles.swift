internal import CEmbeddedFiles

/// The files that a new driver is made from, as they are in the sources.
enum EmbeddedFiles {
  /// Paths in the sources, and what is there.
  static var all: [(path: String, text: String)] {
    var files: [(path: String, text: String)] = []
    while let file = unsafe ac_embedded_file(UInt(files.count))?.pointee {
      unsafe files.append((String(cString: file.path), String(cString: file.text)))
    }
    return files
  }
}
