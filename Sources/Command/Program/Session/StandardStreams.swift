import Glibc

/// Descriptors 0, 1 and 2.
enum StandardStreams {
  /// Puts something in the place of those that are closed: the next file that is opened would take
  /// it, and what is meant for a person would go into the connection to the core. Reading gives the
  /// end of the file there, writing fails.
  static func occupy() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) takes the lowest number that is free.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }
}
