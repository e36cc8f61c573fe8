import Glibc

/// Open file descriptors that several hold on to; closed when the last of them lets go.
package final class DescriptorList: Sendable {
  /// In the order they were given. For system calls that only look at them.
  package let numbers: [Int32]

  /// Takes ownership of `numbers`, which must be open.
  package init(owning numbers: [Int32] = []) { self.numbers = numbers }

  /// Takes all that came with a message.
  package convenience init(taking descriptors: inout ReceivedDescriptors) {
    var numbers: [Int32] = []
    while let descriptor = descriptors.takeFirst() { numbers.append(descriptor.release()) }
    self.init(owning: numbers)
  }

  /// Sets every file to its beginning: whoever is given one again shares the position of the one
  /// before.
  package func rewind() { for number in numbers { lseek(number, 0, SEEK_SET) } }

  deinit { for number in numbers { close(number) } }
}
