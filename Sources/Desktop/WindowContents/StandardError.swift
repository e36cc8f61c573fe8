import Glibc

/// What a program with windows says where there is no window.
package enum StandardError {
  package static func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    // Nobody is left to be told where it cannot be written.
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
