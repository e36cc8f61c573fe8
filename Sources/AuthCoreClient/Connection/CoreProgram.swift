import Glibc

/// Where `authcored` lies: beside the running program.
package enum CoreProgram {
  /// Its absolute path, whether or not there is such a file.
  package static func path() -> String { folder() + "/authcored" }

  /// The folder of the running program (`/proc/self/exe`, proc(5)).
  package static func folder() -> String {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe target.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe readlink("/proc/self/exe", start, buffer.count)
    }
    guard count > 0 else { return "/usr/bin" }
    let path = String(decoding: target[..<count], as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
  }
}
