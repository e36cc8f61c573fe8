import Glibc
import Wire

/// The files that a client opened for the options of its driver, in the order of those options.
final class PassedFiles: Sendable {
  /// Open for reading; owned by this object.
  let numbers: [Int32]

  /// No files.
  init() { numbers = [] }

  /// Takes all that came with a message.
  init(taking descriptors: inout ReceivedDescriptors) {
    var numbers: [Int32] = []
    while let descriptor = descriptors.takeFirst() { numbers.append(descriptor.release()) }
    self.numbers = numbers
  }

  /// Sets every file to its beginning: a driver that is started again shares the position of the one before.
  func rewind() { for number in numbers { lseek(number, 0, SEEK_SET) } }

  deinit { for number in numbers { close(number) } }
}
