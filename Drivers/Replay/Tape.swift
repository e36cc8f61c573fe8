internal import GrayImage
package import SensorKit

/// What happens at a sensor, in order. docs/tapes.md is the format of its file.
package struct Tape: Equatable, Sendable {
  /// One thing that happens.
  package enum Event: Equatable, Sendable {
    /// The same finger comes down, is read and goes up, `times` times.
    case touch(TouchSource, times: Int)
    /// Nothing happens for so long.
    case wait(Duration)
    /// The sensor asks for another touch.
    case noise(RetryReason)
    /// The device goes away.
    case unplug
    /// The device comes back.
    case plug
  }

  /// What to call the tape in a message: its path.
  package let name: String
  /// In the order they happen.
  package let events: [Event]

  package init(name: String, events: [Event]) {
    (self.name, self.events) = (name, events)
  }
}

/// Where the image of a touch comes from.
package enum TouchSource: Hashable, Sendable {
  /// A binary PGM.
  case file(path: String, pixelsPerInch: Int)
  /// A generated print.
  case synthetic(SyntheticTouch)
}

/// Why a tape cannot be played: a line of it, and the reason.
package struct TapeError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// A sentence without the file's name and without a full stop.
  package let reason: String
}

/// Where a tape stands: a value that says what comes next and never waits itself.
package struct TapePlayback {
  /// What a capture does next.
  package enum Action: Equatable {
    /// Let this much time pass, tell ``passed(_:)``, and ask again.
    case wait(Duration)
    /// Deliver this touch.
    case deliver(TouchSource)
    /// Ask the person to try again.
    case askAgain(RetryReason)
    /// Fail: the device is away.
    case fail
    /// End: the time is up, and what the tape has comes later.
    case timeOut
    /// End: nothing can come any more.
    case end
  }

  private let events: [Tape.Event]
  private var position = 0
  /// How often the touch at `position` has been delivered.
  private var delivered = 0
  /// How much of the wait at `position` has passed.
  private var waited = Duration.zero
  private var isPlugged = true

  package init(_ tape: Tape) {
    events = tape.events
  }

  /// Plays on for a capture that has `left` of its time.
  package mutating func next(within left: Duration) -> Action {
    while position < events.count {
      let event = events[position]
      guard isPlugged else {
        // What happens while the device is away is not seen; time is not waited for either.
        if event == .plug { isPlugged = true }
        advance()
        continue
      }
      switch event {
      case .touch(let source, let times):
        delivered += 1
        if delivered >= times { advance() }
        return .deliver(source)
      case .wait(let duration):
        guard waited < duration else {
          advance()
          continue
        }
        return left > .zero ? .wait(min(duration - waited, left)) : .timeOut
      case .noise(let reason):
        advance()
        return .askAgain(reason)
      case .unplug:
        advance()
        isPlugged = false
        return .fail
      case .plug:
        advance()
      }
    }
    return isPlugged ? .end : .fail
  }

  /// Counts time towards the wait that ``next(within:)`` answered with.
  package mutating func passed(_ duration: Duration) {
    waited += duration
  }

  private mutating func advance() {
    position += 1
    delivered = 0
    waited = .zero
  }
}

/// A binary PGM as a tape names it.
enum TapePicture {
  /// Room for the header of a picture and the comments that editors write into it.
  private static let headerLimit = 4096
  /// More than the largest picture with its header.
  private static let sizeLimit = GrayImage.maximumSide * GrayImage.maximumSide + 2 * headerLimit

  /// Looks at a picture's header and at its size on disk, not at its pixels.
  ///
  /// - Returns: Why it cannot be played, or nil.
  static func problem(of path: String) -> String? {
    do throws(SensorFailure) {
      let file = try ReadableFile(path: path)
      let start = try file.read(from: 0, count: headerLimit)
      do throws(PGMError) {
        let header = try PGMHeader(decoding: start.span)
        let expected = header.width * header.height
        guard file.size - header.length >= expected else {
          throw .truncated(expected: expected, found: max(0, file.size - header.length))
        }
        // White space after the pixels is an editor's; the whole file is checked when it is played.
        guard file.size - header.length - expected <= headerLimit else {
          throw .trailingBytes(count: file.size - header.length - expected)
        }
        return nil
      } catch {
        return error.description
      }
    } catch {
      return error.message
    }
  }

  /// Reads a picture.
  static func load(_ path: String) throws(SensorFailure) -> GrayImage {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      let file = try ReadableFile(path: path)
      bytes = try file.read(from: 0, count: sizeLimit)
    } catch {
      throw SensorFailure(error.code, "\(path) cannot be read any more: \(error.message)")
    }
    do throws(PGMError) {
      return try GrayImage(decodingPGM: bytes)
    } catch {
      throw SensorFailure(.data, "\(path) cannot be played: \(error)")
    }
  }
}
