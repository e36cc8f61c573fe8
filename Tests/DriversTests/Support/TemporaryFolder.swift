import Glibc

/// A folder of one test; removed with what is in it when the value dies.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/authcore-drivers-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw BuiltPlugin.LoadError(description: "no temporary folder can be made")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Writes a file and returns its path.
  @discardableResult
  borrowing func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BuiltPlugin.LoadError(description: "\(file): \(errno)") }
    defer { close(descriptor) }
    guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw BuiltPlugin.LoadError(description: "\(file): \(errno)")
    }
    return file
  }

  /// Writes a text file and returns its path.
  @discardableResult
  borrowing func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  deinit {
    guard let folder = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { unsafe unlink("\(path)/\(name)") }
    }
    unsafe closedir(folder)
    unsafe rmdir(path)
  }
}
