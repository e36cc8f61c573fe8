import ReplayDriver
import SensorKit
import Testing

@Suite("Playing a tape")
struct TapePlaybackTests {
  private let touch = TouchSource.file(path: "/a", pixelsPerInch: 500)
  private let other = TouchSource.file(path: "/b", pixelsPerInch: 500)

  @Test("a repeated touch comes as often as its line says, then the tape goes on")
  func repeats() {
    var playback = play([.touch(touch, times: 1), .touch(touch, times: 2), .noise(.tooWet)])
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .askAgain(.tooWet))
    #expect(playback.next(within: .seconds(1)) == .end)
    #expect(playback.next(within: .seconds(1)) == .end)
  }

  @Test("a wait longer than a capture times that one out and goes on in the next")
  func longWait() {
    var playback = play([.wait(.seconds(3)), .touch(touch, times: 1)])
    #expect(playback.next(within: .seconds(2)) == .wait(.seconds(2)))
    playback.passed(.seconds(2))
    #expect(playback.next(within: .zero) == .timeOut)
    #expect(playback.next(within: .seconds(2)) == .wait(.seconds(1)))
    playback.passed(.seconds(1))
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
  }

  @Test(
    "a device that was unplugged fails until its plug line, and what happens meanwhile is not seen")
  func unplug() {
    var playback = play([
      .unplug, .touch(other, times: 3), .wait(.seconds(5)), .plug, .touch(touch, times: 1),
    ])
    #expect(playback.next(within: .seconds(1)) == .fail)
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .end)
  }

  @Test("a device that never comes back goes on failing")
  func unpluggedForEver() {
    var playback = play([.unplug, .touch(other, times: 1)])
    #expect(playback.next(within: .seconds(1)) == .fail)
    #expect(playback.next(within: .seconds(1)) == .fail)
  }

  private func play(_ events: [Tape.Event]) -> TapePlayback {
    TapePlayback(Tape(name: "a tape", events: events))
  }
}
