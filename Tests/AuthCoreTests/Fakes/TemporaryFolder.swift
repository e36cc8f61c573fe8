import Glibc
import LinuxSystem

/// Makes a folder for `body` and removes it with all that is in it.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let parent = EnvironmentVariable.value(of: "TMPDIR") ?? "/tmp"
  var template = Array("\(parent)/authcore-core-XXXXXX".utf8CString)
  let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
    unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
  }
  guard let made else { throw SystemCallError("mkdtemp") }
  defer { removeTree(made) }
  try body(made)
}

private func removeTree(_ path: String) {
  if let stream = unsafe opendir(path) {
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { removeTree(path + "/" + name) }
    }
    unsafe closedir(stream)
  }
  unsafe remove(path)
}
