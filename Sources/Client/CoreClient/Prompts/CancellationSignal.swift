import LinuxSystem
package import Protocol

/// One thread's word to another that its request is wanted no more. Any thread.
package final class CancellationSignal: Sendable {
  private struct State {
    var isCancelled = false
    /// Woken once it is cancelled, and never read; made where somebody waits on descriptors.
    var pipe: WakePipe?
  }

  private let state = Guarded(State())

  /// The request is wanted.
  package init() {}

  /// Whether ``cancel()`` was called.
  package var isCancelled: Bool { state.read { $0.isCancelled } }

  /// Says it; once is enough. Never blocks.
  package func cancel() {
    state.update { state in
      guard !state.isCancelled else { return }
      state.isCancelled = true
      state.pipe?.wake()
    }
  }

  /// Can be read from once it is cancelled; for poll(2). Lives as long as this value.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package func descriptor() throws(Failure) -> Int32 {
    if let pipe = state.read({ $0.pipe }) { return pipe.descriptor }
    let made = try WakePipe()
    return state.update { state in
      let pipe = state.pipe ?? made
      state.pipe = pipe
      if state.isCancelled { pipe.wake() }
      return pipe.descriptor
    }
  }
}
