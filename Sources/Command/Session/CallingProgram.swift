import Glibc

/// The program that runs this command.
enum CallingProgram {
  /// Its name, as the default reason of a prompt; "authcore" where it cannot be known. For people
  /// only: anyone can choose it.
  static func name() -> String {
    let descriptor = unsafe open("/proc/\(getppid())/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "authcore" }
    defer { close(descriptor) }
    // TASK_COMM_LEN is 16 (proc(5)).
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count > 1 else { return "authcore" }
    return String(decoding: bytes[..<(count - 1)], as: UTF8.self)
  }
}
