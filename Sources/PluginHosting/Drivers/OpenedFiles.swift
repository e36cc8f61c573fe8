import CSystemCalls
import Glibc
import Sandbox
package import Wire

/// The files that options name, open for reading; closed when the value dies.
package struct OpenedFiles: ~Copyable, Sendable {
  /// The recording, then the files in the order of the options.
  package let numbers: [Int32]

  /// Room beside them for a device and a file for its traffic.
  private static let maximum = MessageStream.maximumDescriptors - 2

  /// Opens a recording of a device and the file options among `options`, at most four.
  /// - Throws: `usage`, naming the file.
  package init(of options: [SensorOption], recording: String? = nil) throws(Failure) {
    var numbers: [Int32] = []
    let named = options.filter { $0.kind == .file }.map { ($0.name, $0.value) }
    let files = (recording.map { [(DeviceArgument.optionName, $0)] } ?? []) + named
    guard named.count <= Self.maximum else {
      throw Failure(.usage, "At most \(Self.maximum) files can be given")
    }
    for (name, path) in files {
      let number = unsafe ac_open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
      guard number >= 0 else {
        let reason = SystemCallError("open").reason
        for number in numbers { close(number) }
        throw Failure(
          .usage, "Cannot open \(path): \(reason)",
          hint: name == DeviceArgument.optionName
            ? DeviceArgument.hint : "check the path given as \(name)=")
      }
      numbers.append(number)
    }
    self.numbers = numbers
  }

  deinit { for number in numbers { close(number) } }
}
