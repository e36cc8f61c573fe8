import CSystemCalls
import Glibc
import LinuxSystem
import Protocol

/// The environment that a command gets: this process's own, and secrets. They are in locked memory
/// until the kernel has copied them for the command.
struct EnvironmentBlock: ~Copyable {
  /// `NAME=value` and a zero byte, one after the other.
  private var entries = WireEncoder()
  /// Where each begins.
  private var starts: [Int] = []
  private var names: Set<String> = []

  /// Sets a variable that was not set here yet.
  /// - Parameters:
  ///   - name: its name.
  ///   - value: holds no zero byte.
  mutating func set(_ name: String, to value: Span<UInt8>) {
    starts.append(entries.count)
    names.insert(name)
    entries.writeRaw(Array((name + "=").utf8).span)
    entries.writeRaw(value)
    entries.writeRaw([UInt8(0)].span)
  }

  /// Lets a program take the place of this process, found as a shell finds it (`execvpe(3)`).
  /// - Parameters:
  ///   - program: its name, as it was given.
  ///   - arguments: ends with NULL.
  /// - Returns: only where it cannot be run: errno.
  consuming func run(
    _ program: UnsafePointer<CChar>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> Int32 {
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
