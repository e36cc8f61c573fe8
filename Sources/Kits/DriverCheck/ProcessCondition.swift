import Glibc

/// What a plugin must leave alone in the process it runs in.
struct ProcessCondition {
  private let handlers: [Int32: Int]
  private let mask: [Int32]
  private let folder: String
  private let streams: [UInt64]

  /// As it is, on the calling thread.
  init() {
    var handlers: [Int32: Int] = [:]
    for signal in 1...64 as ClosedRange<Int32> {
      var action = sigaction()
      guard unsafe sigaction(signal, nil, &action) == 0 else { continue }
      // The two handlers of sigaction(2) share their place.
      handlers[signal] = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
    self.handlers = handlers
    var blocked = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, nil, &blocked)
    mask = (1...64 as ClosedRange<Int32>).filter { unsafe sigismember(&blocked, $0) == 1 }
    if let path = unsafe getcwd(nil, 0) {
      folder = unsafe String(cString: path)
      unsafe free(path)
    } else {
      folder = ""
    }
    streams = (0..<3 as Range<Int32>).map { number in
      var status = stat()
      return unsafe fstat(number, &status) == 0 ? UInt64(status.st_ino) : 0
    }
  }

  /// A sentence for each thing that changed since.
  func differences(from later: ProcessCondition) -> [String] {
    var sentences: [String] = []
    let changed = handlers.keys.filter { handlers[$0] != later.handlers[$0] }.sorted()
    if !changed.isEmpty {
      sentences.append("it changed the handler of signal \(Self.list(changed))")
    }
    if mask != later.mask {
      sentences.append(
        "it changed the signal mask of its thread (blocked: \(Self.list(later.mask)))")
    }
    if folder != later.folder { sentences.append("it changed the working folder") }
    for number in 0..<3 where streams[number] != later.streams[number] {
      sentences.append("it closed or replaced descriptor \(number)")
    }
    return sentences
  }

  private static func list(_ signals: [Int32]) -> String {
    signals.isEmpty ? "none" : signals.map { String($0) }.joined(separator: ", ")
  }
}
