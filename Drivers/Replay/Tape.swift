internal import GrayImage
package import SensorKit

/// What happens at a sensor, in order. The file's format is in docs/tapes.md.
package struct Tape: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    /// The same finger is put down, read and lifted, `times` times.
    case touch(TouchSource, times: Int)
    case wait(Duration)
    /// The sensor asks for another touch.
    case noise(RetryReason)
    /// The device goes away.
    case unplug
    /// The device comes back.
    case plug
  }

  /// The name of the tape in messages: its path.
  package let name: String
  package let events: [Event]

  package init(name: String, events: [Event]) {
    (self.name, self.events) = (name, events)
  }
}

package enum TouchSource: Hashable, Sendable {
  /// A binary PGM.
  case file(path: String, pixelsPerInch: Int)
  case synthetic(SyntheticTouch)
}

/// Why a tape cannot be played.
package struct TapeError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// A sentence without the file's name and without a final period.
  package let reason: String
}

/// The position on a tape. It says what comes next, and never waits itself.
package struct TapePlayback {
  /// What a capture does next.
  package enum Action: Equatable {
    /// Let this much time pass, call ``passed(_:)``, and ask again.
    case wait(Duration)
    case deliver(TouchSource)
    case askAgain(RetryReason)
    /// The device is away.
    case fail
    /// The time is up, and the next event comes later.
    case timeOut
    /// The tape has ended.
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

  /// What comes next in a capture with this much time left.
  package mutating func next(within left: Duration) -> Action {
    while position < events.count {
      let event = events[position]
      guard isPlugged else {
        // What happens while the device is away is skipped, waits too.
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

  /// Counts time of the wait that ``next(within:)`` returned.
  package mutating func passed(_ duration: Duration) {
    waited += duration
  }

  private mutating func advance() {
    position += 1
    delivered = 0
    waited = .zero
  }
}

/// A binary PGM of a tape.
enum TapePicture {
  /// Bytes for the header of a picture, with the comments of editors.
  private static let headerLimit = 4096
  /// More bytes than the largest picture has.
  private static let sizeLimit = GrayImage.maximumSide * GrayImage.maximumSide + 2 * headerLimit

  /// Checks a picture's header and its size on disk, but not its pixels.
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
        // An editor may add white space. The whole file is checked when it is played.
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
