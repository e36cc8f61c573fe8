import LinuxSystem
import Protocol

/// What a thread does next, and where it waits for that.
final class TurnThread<Job: Sendable>: Sendable {
  private enum Word: Sendable {
    case job(Job)
    case end
  }

  private let word: Guarded<Word?>
  /// nil where the process may open no more descriptors.
  private let given: WakePipe?

  /// A thread that begins with this.
  init(_ first: Job) {
    word = Guarded(.job(first))
    given = try? WakePipe()
  }

  /// Whether the thread can wait for more; one that cannot ends.
  var canWait: Bool { given != nil }

  /// Has the thread do this. It has nothing else to do.
  func give(_ job: Job) {
    word.update { $0 = .job(job) }
    given?.wake()
  }

  /// The same from the thread itself.
  func keep(_ job: Job) { word.update { $0 = .job(job) } }

  /// Has the thread end.
  func end() {
    word.update { $0 = .end }
    given?.wake()
  }

  /// Waits for what is to be done; nil: nothing any more.
  func next() -> Job? {
    let word = given.map { $0.wait(on: self.word) { $0.take() } } ?? self.word.update { $0.take() }
    if case .job(let job) = word { return job }
    return nil
  }
}
