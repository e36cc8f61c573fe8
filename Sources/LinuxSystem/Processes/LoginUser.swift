/// Who had logged in when a process was started, on whatever way it came about (`/proc/PID/loginuid`,
/// pam_loginuid(8)). A process hands it on to what it starts, and cannot take it back.
package enum LoginUser {
  /// What the kernel says where nobody had.
  private static let nobody = UInt32.max

  /// - Parameter process: its number, in this process's namespace.
  /// - Returns: nil where nobody had logged in, as it is with services and with what logs people in,
  ///   and where the kernel does not say.
  package static func of(_ process: Int32) -> UInt32? {
    guard process > 0, let bytes = SmallFile.contents(of: "/proc/\(process)/loginuid"),
      let user = UInt32(String(decoding: bytes, as: UTF8.self)), user != nobody
    else { return nil }
    return user
  }
}
