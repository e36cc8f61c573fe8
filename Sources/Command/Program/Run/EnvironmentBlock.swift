import CSystemCalls
import Glibc
import LinuxSystem
import Protocol

/// The environment of a command: this process's own, and secrets, which stay in locked memory until
/// the kernel copies them.
struct EnvironmentBlock: ~Copyable {
  /// `NAME=value` and a NUL, one entry after the other.
  private var entries = WireEncoder()
  /// Where each entry begins.
  private var starts: [Int] = []
  private var names: Set<String> = []

  /// Sets a variable that was not set here yet. The value holds no NUL.
  mutating func set(_ name: String, to value: Span<UInt8>) {
    starts.append(entries.count)
    names.insert(name)
    entries.writeRaw(Array((name + "=").utf8).span)
    entries.writeRaw(value)
    entries.writeRaw([UInt8(0)].span)
  }

  /// Replaces this process with a command, found as a shell finds it (`execvpe(3)`).
  /// - Parameter count: how many of the last arguments of this process are the command's. They are
  ///   passed on byte for byte.
  /// - Returns: errno, if it cannot be run.
  consuming func run(lastArguments count: Int) -> Int32 {
    precondition((1..<Int(CommandLine.argc)).contains(count), "not of this process")
    // The vector ends with NULL (execve(2)) and lives as long as the process.
    let arguments = unsafe CommandLine.unsafeArgv + (Int(CommandLine.argc) - count)
    guard let program = unsafe arguments.pointee else { return ENOENT }
    var inherited: [UnsafeMutablePointer<CChar>?] = unsafe []
    var next = unsafe environ
    // environ ends with NULL (environ(7)); its entries stay where they are.
    while let entry = unsafe next.pointee {
      if unsafe !names.contains(Self.name(of: entry)) { unsafe inherited.append(entry) }
      unsafe next += 1
    }
    let starts = starts
    var bytes = entries.finish()
    return unsafe bytes.withUnsafeMutableBytes { buffer in
      let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      var pointers = unsafe inherited
      for start in starts { unsafe pointers.append(base.map { unsafe $0 + start }) }
      unsafe pointers.append(nil)
      _ = unsafe ac_replace_process(program, arguments, pointers)
      return errno
    }
  }

  private static func name(of entry: UnsafePointer<CChar>) -> String {
    let length = unsafe strcspn(entry, "=")
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: entry, count: length), as: UTF8.self)
  }
}

/// An unnamed file in memory that holds a secret and cannot be changed (`memfd_create(2)`).
///
/// It is as safe as a variable: a process that may inspect this one can read it, and it may be
/// swapped out.
struct SecretFile: ~Copyable {
  private let descriptor: Descriptor

  /// Shells write out lower numbers in redirections.
  private static let lowestNumber: Int32 = 10

  /// - Throws: `coreFailed` if the kernel has no room for it.
  init(holding secret: borrowing SecretBytes) throws(Failure) {
    let made = ac_make_memory_file()
    guard made >= 0 else { throw Self.failure("memfd_create") }
    let first = Descriptor(owning: made)
    let number = fcntl(first.number, F_DUPFD_CLOEXEC, Self.lowestNumber)
    guard number >= 0 else { throw Self.failure("fcntl") }
    let file = Descriptor(owning: number)
    guard fchmod(number, 0o400) == 0 else { throw Self.failure("fchmod") }
    guard DescriptorBytes.write(secret.bytes, to: number) else { throw Self.failure("write") }
    guard ac_seal_memory_file(number) == 0, lseek(number, 0, SEEK_SET) == 0 else {
      throw Self.failure("fcntl")
    }
    descriptor = file
  }

  /// Lets the program that replaces this process keep the file.
  /// - Returns: its path in that program.
  consuming func handOver() -> String {
    let number = descriptor.release()
    _ = fcntl(number, F_SETFD, 0)
    return "/proc/self/fd/\(number)"
  }

  private static func failure(_ call: String) -> Failure {
    Failure(.coreFailed, "Cannot make a file in memory: \(SystemCallError(call).reason)")
  }
}
