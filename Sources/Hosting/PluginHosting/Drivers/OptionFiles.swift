import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

extension DescriptorList {
  /// Room beside them for a device and a file for its traffic.
  private static let mostOptionFiles = MessageStream.maximumDescriptors - 2

  /// Opens for reading a recording of a device and then, in their order, the file options among
  /// `options`, at most four.
  /// - Throws: `usage`, naming the file.
  package convenience init(
    opening options: [SensorOption], recording: String? = nil
  ) throws(Failure) {
    let named = options.filter { $0.kind == .file }.map { ($0.name, $0.value) }
    let files = (recording.map { [(DeviceArgument.optionName, $0)] } ?? []) + named
    guard named.count <= Self.mostOptionFiles else {
      throw Failure(.usage, "At most \(Self.mostOptionFiles) files can be given")
    }
    var numbers: [Int32] = []
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
    self.init(owning: numbers)
  }
}
