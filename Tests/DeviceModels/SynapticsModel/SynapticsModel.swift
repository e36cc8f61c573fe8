// SynapticsModel: a chip of Synaptics' that compares prints, as software.

package import SensorKit

/// The protocol of a Synaptics match-on-chip reader, from the reader's side.
///
/// A finger is a number. It matches the template that was made of the same number.
///
/// Settings:
/// - `product`; `busy`, 1 if the chip is at work when it is opened
/// - `finger`, the one that comes; `stranger`, the number of the touch by finger 2; `bad`, that of the
///   touch that cannot be read
/// - `touches`, how often a finger comes; `delay`, how many milliseconds it takes to come; `hold`, for
///   how many it stays; `sleep`, the touch that the machine sleeps in: the chip forgets what it waits
///   for
/// - `stored`, how many templates another system left; they were made of finger 9
/// - `full`, 1 if there is no room; `renames`, 1 if it answers with another name than it stored
package struct SynapticsModel: DeviceModel {
  package static let name = "synaptics"
  package static let settingNames = [
    "product", "busy", "finger", "stranger", "bad", "touches", "delay", "hold", "sleep", "stored",
    "full", "renames",
  ]

  /// What a touch belongs to.
  private enum Work {
    case enroll(name: [UInt8], finger: Int?, good: Int)
    case store(name: [UInt8], finger: Int)
    case compare(names: [[UInt8]])
  }

  /// Something that the chip has to say, and when.
  private struct Event {
    let time: Duration
    let message: [UInt8]
  }

  package let info: USBDeviceInfo
  private let finger: Int
  private let strangerTouch: Int
  private let delay: Duration
  private let hold: Duration
  private let badTouch: Int
  private let sleepTouch: Int
  private let isFull: Bool
  private let renames: Bool
  private var isBusy: Bool
  private var isInitialized = false
  private var touchesLeft: Int
  private var touches = 0
  private var templates: [(name: [UInt8], finger: Int)] = []
  private var sequence: UInt8 = 0
  private var work: Work?
  /// When the finger comes that the work waits for, or the work is done.
  private var due: Duration = .zero
  /// The names of a question that comes in several messages.
  private var question: (expected: Int, names: [[UInt8]]) = (0, [])
  private var listed = 0
  private var events: [Event] = []
  private var answers: [[UInt8]] = []

  package init(settings: ModelSettings) throws(SensorFailure) {
    finger = settings["finger", default: 1]
    strangerTouch = settings["stranger", default: 0]
    delay = .milliseconds(settings["delay", default: 0])
    hold = .milliseconds(settings["hold", default: 20])
    badTouch = settings["bad", default: 0]
    sleepTouch = settings["sleep", default: 0]
    isFull = settings["full", default: 0] == 1
    renames = settings["renames", default: 0] == 1
    isBusy = settings["busy", default: 0] == 1
    touchesLeft = settings["touches", default: 1000]
    for index in 0..<min(settings["stored", default: 0], 15) {
      templates.append((Array("left by another system \(index)".utf8), 9))
    }
    info = USBDeviceInfo(
      vendor: 0x06CB, product: UInt16(truncatingIfNeeded: settings["product", default: 0x00BD]),
      release: 0,
      interfaces: [
        USBInterfaceInfo(
          number: 0, classCode: 0xFF, subclassCode: 0, protocolCode: 0,
          endpoints: [0x01, 0x81, 0x83])
      ])
  }

  package mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    .stall
  }

  package mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    guard endpoint == 0x01 else { return false }
    goOn(now)
    switch bytes.first {
    case 0x01 where bytes.count == 1:
      answers.append(
        [0, 0] + [UInt8](repeating: 7, count: 8) + [10, 1] + Array(repeating: 0, count: 26))
    case 0xA8 where bytes.count == 1:
      guard let event = events.first, event.time <= now else { return false }
      answers.append([0, 0] + events.removeFirst().message)
    case 0xA7 where bytes.count >= 5 && bytes[1] == 0xFE && bytes.count == 5 + Int(bytes[4]):
      sequence = bytes[2]
      take(bytes[3], Array(bytes[5...]), now)
    default: return false
    }
    return true
  }

  package mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    switch endpoint {
    case 0x81:
      guard !answers.isEmpty else { return nil }
      return .bytes(Array(answers.removeFirst().prefix(length)))
    case 0x83:
      goOn(now)
      guard let event = events.first, event.time <= now else { return nil }
      return .bytes([0x05, 0, 0, 0, 0, 0, 0])
    default: return nil
    }
  }

  private mutating func take(_ code: UInt8, _ payload: [UInt8], _ now: Duration) {
    switch code {
    case 0x11:
      if isBusy { return answer(0x12, [0, 102]) }
      answer(isInitialized ? 0x12 : 0x13, isInitialized ? [0, 103] : [0])
      isInitialized = true
    case 0x41:
      isBusy = false
      work = nil
      // A finger that lies there still leaves.
      events.removeAll { ![1, 0].contains($0.message.last) || $0.message[2] != 0x91 }
      answer(0x42)
    case 0x51:
      guard !isFull, templates.count < 15 else { return answer(0x58, [1, 0xF5]) }
      answer(0x54)
      begin(.enroll(name: Array(payload.dropFirst(2)), finger: nil, good: 0), now)
    case 0x65:
      guard templates.contains(where: { $0.name == payload }) else {
        return answer(0x67, [1, 0xF8])
      }
      answer(0x66)
      begin(.compare(names: [payload]), now)
    case 0xE1:
      question = (Int(payload.first ?? 0), [Array(payload.dropFirst(3))])
      askForMore(now)
    case 0xE3:
      question.names.append(Array(payload.dropFirst(2)))
      askForMore(now)
    case 0x71, 0x72:
      if code == 0x71 { listed = 0 }
      guard listed < templates.count else {
        return templates.isEmpty ? answer(0x79, [1, 0xF6]) : answer(0x76)
      }
      let name = templates[listed].name
      listed += 1
      answer(
        0x75, [UInt8(templates.count), UInt8(listed), UInt8(name.count + 2), 0, 1] + name)
    case 0x81:
      let name = Array(payload.dropFirst())
      guard templates.contains(where: { $0.name == name }) else {
        return answer(0x82, [1, 0xF8])
      }
      templates.removeAll { $0.name == name }
      answer(0x83, payload)
    case 0x84:
      guard !templates.isEmpty else { return answer(0x85, [1, 0xF6]) }
      templates = []
      answer(0x87, [0])
      say(0x87, [100], at: now + .milliseconds(10))
      say(0x86, [], at: now + .milliseconds(20))
    case 0xA1: answer(0xA2)
    default: answer(0x12, [0, 112])
    }
  }

  private mutating func askForMore(_ now: Duration) {
    guard question.names.count == question.expected else { return answer(0xE2) }
    answer(0x62)
    begin(.compare(names: question.names), now)
  }

  private mutating func begin(_ begun: Work, _ now: Duration) {
    work = begun
    due = now + delay
  }

  /// Does what is due by now.
  private mutating func goOn(_ now: Duration) {
    while let begun = work, due <= now {
      if case .store(let name, let finger) = begun {
        templates.removeAll { $0.name == name }
        templates.append((name, finger))
        say(0x59, [1] + name, at: due)
        work = nil
        return
      }
      guard touchesLeft > 0 else { return }
      touch(begun)
    }
  }

  /// A finger comes: what the chip says of it.
  private mutating func touch(_ begun: Work) {
    touches += 1
    touchesLeft -= 1
    guard touches != sleepTouch else { return work = nil }
    let (down, up) = (due, due + hold)
    let finger = touches == strangerTouch ? 2 : finger
    say(0x91, [1], sequence: 0, at: down)
    say(0x60, [], at: down)
    if case .enroll(let name, let first, let good) = begun {
      let isGood = touches != badTouch && first ?? finger == finger
      let done = good + (isGood ? 1 : 0)
      // Before the finger has left, or after it: the recording has both.
      let percent = UInt8(done * 100 / 8)
      if done % 2 == 0 { say(0x55, [percent], at: down) }
      say(0x91, [0], sequence: 0, at: up)
      if done % 2 == 1 { say(0x55, [percent], at: up) }
      work =
        done == 8
        ? .store(name: name, finger: first ?? finger)
        : .enroll(name: name, finger: first ?? finger, good: done)
      due = up + (done == 8 ? .seconds(1) : delay)
      return
    }
    guard case .compare(let names) = begun else { return }
    say(0x91, [0], sequence: 0, at: up)
    work = nil
    if touches == badTouch { return say(0x67, [0, 213], at: up) }
    guard let found = templates.first(where: { $0.finger == finger && names.contains($0.name) })
    else { return say(0x67, [1, 0x94], at: up) }
    say(0x68, [61, 80, 1] + (renames ? found.name.reversed() : found.name), at: up)
  }

  private mutating func answer(_ code: UInt8, _ payload: [UInt8] = []) {
    answers.append([0, 0, 0xFE, sequence, code, UInt8(payload.count)] + payload)
  }

  private mutating func say(
    _ code: UInt8, _ payload: [UInt8], sequence: UInt8? = nil, at time: Duration
  ) {
    events.append(
      Event(
        time: time,
        message: [0xFE, sequence ?? self.sequence, code, UInt8(payload.count)] + payload))
  }
}
