/// Who uses the reader: a finger that comes when the reader waits for one, and is lifted when the
/// reader waits for that.
struct Person {
  /// How long the finger takes to come, and to go.
  private let delay: Duration
  private let lift: Duration
  private let touches: Int

  private var arrival: Duration?
  private var departure: Duration?
  /// The touches so far.
  private(set) var touch = 0

  init(touches: Int, delay: Duration, lift: Duration) {
    self.touches = touches
    self.delay = delay
    self.lift = lift
  }

  /// The reader asks for a finger.
  mutating func invite(at now: Duration) {
    guard arrival == nil, touch < touches else { return }
    arrival = now + delay
    touch += 1
  }

  /// The reader asks for the finger to be lifted; one that is still on its way stays on its way.
  mutating func dismiss(at now: Duration) {
    guard isDown(at: now), departure == nil else { return }
    departure = now + lift
  }

  /// Whether the finger lies on the reader.
  mutating func isDown(at now: Duration) -> Bool {
    if let departure, departure <= now {
      arrival = nil
      self.departure = nil
    }
    guard let arrival else { return false }
    return arrival <= now
  }
}
