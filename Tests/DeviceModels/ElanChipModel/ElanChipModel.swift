// ElanChipModel: a chip of Elan's that compares prints, as software.

package import SensorKit

/// The protocol of an Elan match-on-chip reader, from the reader's side.
///
/// A finger is a number. It matches the template that was made of the same number.
///
/// Settings:
/// - `product`; `calibrating`, how often the chip says that it calibrates itself
/// - `finger`, the one that comes; `stranger`, the number of the touch by finger 2; `bad`, that of the
///   touch off the center
/// - `touches`, how often a finger comes; `delay`, how many milliseconds it takes; `sleep`, the touch
///   that the machine sleeps in: the chip forgets what it waits for
/// - `stored`, how many templates another system left; they were made of finger 9
/// - `forgets`, 1 if a commit stores nothing; `mute`, 1 if a slot that matched says that it is empty
package struct ElanChipModel: DeviceModel {
  package static let name = "elanchip"
  package static let settingNames = [
    "product", "calibrating", "finger", "stranger", "bad", "touches", "delay", "sleep", "stored",
    "forgets", "mute",
  ]

  package let info: USBDeviceInfo
  private let isOlder: Bool
  private let nameOffset: Int
  private let finger: Int
  private let strangerTouch: Int
  private let delay: Duration
  private let badTouch: Int
  private let sleepTouch: Int
  private let forgets: Bool
  private let isMute: Bool
  private var calibrating: Int
  private var touchesLeft: Int
  private var touches = 0
  private var slots: [(name: [UInt8], finger: Int)?] = Array(repeating: nil, count: 10)
  /// Of the enrollment: how many good touches, and by which finger.
  private var enrollment: (good: Int, finger: Int)?
  /// What the chip waits for a finger for, and when the finger is there.
  private var wait: (isSearch: Bool, arrival: Duration)?
  private var answers: [[UInt8]] = []
  /// What became of touches, until it is read.
  private var touched: [UInt8] = []

  package init(settings: ModelSettings) throws(SensorFailure) {
    let product = UInt16(truncatingIfNeeded: settings["product", default: 0x0C88])
    isOlder = [0x0C4C, 0x0C5E, 0x0C6C, 0x0C7C, 0x0C90].contains(product)
    nameOffset = product == 0x0C5E ? 3 : 2
    finger = settings["finger", default: 1]
    strangerTouch = settings["stranger", default: 0]
    delay = .milliseconds(settings["delay", default: 0])
    badTouch = settings["bad", default: 0]
    sleepTouch = settings["sleep", default: 0]
    forgets = settings["forgets", default: 0] == 1
    isMute = settings["mute", default: 0] == 1
    calibrating = settings["calibrating", default: 0]
    touchesLeft = settings["touches", default: 1000]
    for index in 0..<min(settings["stored", default: 0], 10) {
      slots[index] = (Array("left by another system \(index)".utf8), 9)
    }
    info = USBDeviceInfo(
      vendor: 0x04F3, product: product, release: 0x8004,
      interfaces: [
        USBInterfaceInfo(
          number: 0, classCode: 0xFF, subclassCode: 0, protocolCode: 0,
          endpoints: [0x81, 0x01, 0x82, 0x02, 0x83, 0x03, 0x84, 0x04])
      ])
  }

  package mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration)
    -> ControlAnswer
  {
    .stall
  }

  package mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    guard endpoint == 0x01, bytes.count >= 2 else { return false }
    letFingerCome(now)
    if bytes[0] == 0x43, bytes[1] == 0x21, bytes.count == 3, !isOlder {
      answers.append(slot(Int(bytes[2])))
      return true
    }
    guard bytes[0] == 0x40 || bytes == [0x00, 0x0C] || bytes.starts(with: [0x00, 0x10]) else {
      return false
    }
    switch (bytes.count, bytes[1], bytes.count > 2 ? bytes[2] : 0) {
    case (2, 0x19, _): answers.append([0x80, 0x04])
    case (2, 0x0C, _): answers.append([0x57, 0, 0x6B, 0])
    case (3, 0x10, _) where bytes[0] == 0: break
    case (3, 0xFF, 0x00):
      answers.append([0x40, calibrating > 0 ? 1 : 3])
      calibrating = max(0, calibrating - 1)
    case (4, 0xFF, 0x14): answers.append([0x40, 0])
    case (3, 0xFF, 0x04): answers.append([0x40, UInt8(slots.count { $0 != nil })])
    case (98, 0xFF, 0x22):
      enrollment = nil
      answers.append([0x40, index(of: Self.userData(bytes.dropFirst(3))) == nil ? 0 : 1])
    case (7, 0xFF, 0x01): awaitFinger(isSearch: false, now)
    case (5, 0xFF, 0x73) where !isOlder, (3, 0xFF, 0x03) where isOlder:
      awaitFinger(isSearch: true, now)
    case (128, 0xFF, 0x11) where !isOlder: commit(Self.userData(bytes.dropFirst(5)))
    case (72, 0xFF, 0x11) where isOlder: commit(Self.unpadded(bytes.dropFirst(3)))
    case (128, 0xFF, 0x13) where !isOlder: delete(Self.userData(bytes.dropFirst(3)))
    case (72, 0xFF, 0x13) where isOlder: delete(Self.unpadded(bytes.dropFirst(3)))
    case (4, 0xFF, 0x12) where isOlder: answers.append(slot(Int(bytes[3])))
    case (3, 0xFF, 0x02): (wait, enrollment) = (nil, nil)
    default: return false
    }
    return true
  }

  package mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    switch endpoint {
    case 0x83:
      guard !answers.isEmpty else { return nil }
      return .bytes(Array(answers.removeFirst().prefix(length)))
    case 0x84:
      letFingerCome(now)
      return touched.isEmpty ? nil : .bytes([0x40, touched.removeFirst()])
    default: return nil
    }
  }

  private mutating func awaitFinger(isSearch: Bool, _ now: Duration) {
    wait = (isSearch, now + delay)
  }

  /// A finger that has come by now was read, whether or not the host asks for it yet.
  private mutating func letFingerCome(_ now: Duration) {
    guard let wait, wait.arrival <= now, touchesLeft > 0 else { return }
    self.wait = nil
    touches += 1
    touchesLeft -= 1
    if touches == sleepTouch { enrollment = nil } else { touched.append(touch(wait.isSearch)) }
  }

  /// A finger comes: the code of what became of it.
  private mutating func touch(_ isSearch: Bool) -> UInt8 {
    if touches == badTouch { return 0x43 }
    let finger = touches == strangerTouch ? 2 : finger
    guard !isSearch else {
      return slots.firstIndex { $0?.finger == finger }.map { UInt8($0) } ?? 0xFD
    }
    guard enrollment?.finger ?? finger == finger else { return 0xFE }
    enrollment = ((enrollment?.good ?? 0) + 1, finger)
    return 0
  }

  private mutating func commit(_ name: [UInt8]) {
    guard let made = enrollment,
      let place = index(of: name) ?? slots.firstIndex(where: { $0 == nil })
    else {
      answers.append([0x40, 0xDD])
      return
    }
    if !forgets { slots[place] = (name, made.finger) }
    enrollment = nil
    answers.append([0x40, 0])
  }

  private mutating func delete(_ name: [UInt8]) {
    guard let index = index(of: name) else {
      answers.append([0x40, 1])
      return
    }
    slots[index] = nil
    answers.append([0x40, 0])
  }

  private func slot(_ index: Int) -> [UInt8] {
    let content = slots.indices.contains(index) && !isMute ? slots[index] : nil
    if isOlder {
      let head: [UInt8] = [0x40, content == nil ? 0xFF : 0, 0]
      let bytes = head.prefix(nameOffset) + (content?.name ?? [])
      return Array((bytes + [UInt8](repeating: 0, count: 64)).prefix(64))
    }
    guard let content else { return [0x43, 0xFE] + [UInt8](repeating: 0xFF, count: 69) }
    let bytes = [0x43, 0, 0, 0, UInt8(content.name.count)] + content.name
    return bytes + [UInt8](repeating: 0, count: 71 - bytes.count)
  }

  private func index(of name: [UInt8]) -> Int? { slots.firstIndex { $0?.name == name } }

  private static func userData(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(bytes.dropFirst(3).prefix(Int(bytes[bytes.startIndex + 2])))
  }

  private static func unpadded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.lastIndex { $0 != 0 }.map { Array(bytes[...$0]) } ?? []
  }
}
