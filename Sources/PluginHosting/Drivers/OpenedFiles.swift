import CSystemCalls
import Glibc
import Sandbox
package import Wire

/// The files that options name, open for reading; closed when the value dies.
package struct OpenedFiles: ~Copyable, Sendable {
  /// In the order of the options.
  package let numbers: [Int32]

  /// Opens the file options among `options`, at most four.
  /// - Throws: `usage`, naming the file.
  package init(of options: [SensorOption]) throws(Failure) {
    var numbers: [Int32] = []
    let files = options.filter { $0.kind == .file }
    guard files.count <= MessageStream.maximumDescriptors else {
      throw Failure(.usage, "At most \(MessageStream.maximumDescriptors) files can be given")
    }
    for option in files {
      let number = unsafe ac_open_at(AT_FDCWD, option.value, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
      guard number >= 0 else {
        let reason = SystemCallError("open").reason
        for number in numbers { close(number) }
        throw Failure(
          .usage, "Cannot open \(option.value): \(reason)",
          hint: "check the path given as \(option.name)=")
      }
      numbers.append(number)
    }
    self.numbers = numbers
  }

  deinit { for number in numbers { close(number) } }
}
