import AuthcoreABI
import Testing

/// The drivers as built, against simulated chips.
@Suite("X3: drivers of sensors that match on the chip work without their devices")
struct ChipDriverTests {
  private static let (mine, other) = (ChipReader.name(1), ChipReader.name(2))

  /// Names asked for, of a chip that compares with those alone.
  private func asked(_ reader: ChipReader, _ names: [[UInt8]]) -> [[UInt8]] {
    reader.filters ? names : []
  }

  @Test("a finger is enrolled touch by touch, found, listed and removed", arguments: ChipReader.all)
  func wholeLife(reader: ChipReader) throws {
    try reader.run { _, chip in
      let info = try chip.info
      #expect(Int(info.touches) == reader.touches && Int(info.capacity) == reader.capacity)
      #expect(32...64 ~= info.id_bytes)
      #expect(try chip.list() == [])
      let progress = try chip.enrollWhole(Self.mine)
      #expect(progress.count == reader.touches && progress.last == 100)
      #expect(try chip.list() == [Self.mine])
      #expect(try chip.identify(asked(reader, [Self.mine])) == Self.mine)
      try chip.remove(Self.mine)
      try chip.remove(Self.mine)
      #expect(try chip.list() == [])
    }
  }

  @Test(
    "a stranger's finger matches nothing, and the owner's does again", arguments: ChipReader.all)
  func stranger(reader: ChipReader) throws {
    try reader.run("stranger=\(reader.touches + 1)") { _, chip in
      try chip.enrollWhole(Self.mine)
      #expect(try chip.identify(asked(reader, [Self.mine])) == nil)
      #expect(try chip.identify(asked(reader, [Self.mine])) == Self.mine)
    }
  }

  @Test("of several templates the one that matches is named", arguments: ChipReader.all)
  func severalTemplates(reader: ChipReader) throws {
    try reader.run("finger=9,stored=3") { _, chip in
      let left = try chip.list()
      #expect(left.count == 3)
      #expect(try chip.identify(left) == left[0])
    }
  }

  @Test("a bad touch is a retry, and the enrollment goes on", arguments: ChipReader.all)
  func badTouch(reader: ChipReader) throws {
    try reader.run("bad=3") { _, chip in
      let progress = try chip.enrollWhole(Self.mine)
      #expect(progress.count == reader.touches + 1 && progress[2] == nil)
    }
    try reader.run("bad=1,stored=1,finger=9") { _, chip in
      let names = try chip.list()
      let failure = try #require(throws: LoadedDriver.Failure.self) { try chip.identify(names) }
      #expect(failure.status == reader.retry)
      #expect(try chip.identify(names) == names[0])
    }
  }

  @Test("no finger is a timeout after the time the host gave", arguments: ChipReader.all)
  func timeout(reader: ChipReader) throws {
    try reader.run("delay=3000,stored=1,finger=9") { host, chip in
      let names = try chip.list()
      for _ in 1...2 {
        let start = host.clock.now
        let failure = try #require(throws: LoadedDriver.Failure.self) {
          try chip.identify(names, milliseconds: 2000)
        }
        #expect(failure.status == AC_ERR_TIMEOUT)
        #expect(2_000_000_000...2_200_000_000 ~= host.clock.now - start)
      }
      #expect(try chip.identify(names) == names[0])
    }
    try reader.run("delay=3000") { _, chip in
      try chip.enroll(Self.mine)
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        try chip.touch(milliseconds: 2000)
      }
      #expect(failure.status == AC_ERR_TIMEOUT)
      #expect(try chip.touch() == 100 / reader.touches)
    }
  }

  @Test("a touch that comes after a timeout answers no later question", arguments: ChipReader.all)
  func lateTouch(reader: ChipReader) throws {
    try reader.run("delay=1000,stored=1,finger=9,stranger=2") { host, chip in
      let names = try chip.list()
      #expect(throws: LoadedDriver.Failure.self) { try chip.identify(names, milliseconds: 500) }
      // Finger 9 touches now, and nobody asked.
      host.clock.sleep(2_000_000_000)
      #expect(try chip.identify(names) == nil)
    }
  }

  @Test("the person is asked to lift a finger that lies on the chip longer than it is read")
  func lift() throws {
    let reader = try #require(ChipReader.all.first { $0.driver == "synaptics" })
    try reader.run("hold=500") { host, chip in
      try chip.enroll(Self.mine)
      // Of the first touch the chip says how far it is when the finger has left.
      for (percent, lifts) in [(12, 0), (25, 1)] {
        #expect(try chip.touch() == percent)
        #expect(host.lifts == lifts)
      }
    }
    try reader.run("hold=4000,stored=1,finger=9") { host, chip in
      let names = try chip.list()
      #expect(throws: LoadedDriver.Failure.self) { try chip.identify(names, milliseconds: 500) }
      #expect(host.lifts == 0)
      #expect(try chip.list() == names)
      #expect(host.lifts == 1)
    }
  }

  @Test(
    "a chip that forgot in the machine's sleep what it waited for stores nothing, and works again",
    arguments: ChipReader.all)
  func sleep(reader: ChipReader) throws {
    try reader.run("sleep=3") { _, chip in
      try chip.enroll(Self.mine)
      for _ in 1...2 { _ = try chip.touch() }
      for _ in 1...2 {
        let failure = try #require(throws: LoadedDriver.Failure.self) { try chip.touch() }
        #expect(failure.status == AC_ERR_TIMEOUT)
      }
      #expect(throws: LoadedDriver.Failure.self) { try chip.commit() }
      #expect(try chip.list() == [])
      try chip.enrollWhole(Self.other)
      #expect(try chip.list() == [Self.other])
    }
    try reader.run("sleep=1,stored=1,finger=9") { _, chip in
      let names = try chip.list()
      let failure = try #require(throws: LoadedDriver.Failure.self) { try chip.identify(names) }
      #expect(failure.status == AC_ERR_TIMEOUT)
      #expect(try chip.identify(names) == names[0])
    }
  }

  @Test("an interrupt ends a wait within 100 ms", arguments: ChipReader.all)
  func interrupt(reader: ChipReader) throws {
    try reader.run("delay=10000,stored=1,finger=9") { host, chip in
      let names = try chip.list()
      let start = host.clock.now
      host.clock.after(milliseconds: 1000) { [sensor = chip.sensor] in sensor.interrupt() }
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        try chip.identify(names, milliseconds: 30_000)
      }
      #expect(failure.status == AC_ERR_INTERRUPTED)
      #expect(host.clock.now - start <= 1_100_000_000)
      #expect(try chip.identify(names, milliseconds: 30_000) == names[0])
    }
  }

  @Test("a chip without room says so, and clearing makes room", arguments: ChipReader.all)
  func full(reader: ChipReader) throws {
    try reader.run("stored=\(reader.capacity)") { _, chip in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        try chip.enrollWhole(Self.mine)
      }
      #expect(failure.status == AC_ERR_FULL && failure.message.contains("remove"))
      try chip.clear()
      #expect(try chip.list() == [])
      try chip.clear()
      try chip.enrollWhole(Self.mine)
      #expect(try chip.list() == [Self.mine])
    }
  }

  @Test("an enrollment that is abandoned leaves nothing", arguments: ChipReader.all)
  func abandoned(reader: ChipReader) throws {
    try reader.run { _, chip in
      try chip.enroll(Self.mine)
      _ = try chip.touch()
      try chip.abandon()
      try chip.abandon()
      #expect(try chip.list() == [])
      let failure = try #require(throws: LoadedDriver.Failure.self) { try chip.touch() }
      #expect(failure.status == AC_ERR_STATE)
      try chip.enroll(Self.mine)
      #expect(throws: LoadedDriver.Failure.self) { try chip.commit() }
      try chip.enrollWhole(Self.other)
      #expect(try chip.list() == [Self.other])
    }
  }

  @Test("what the host must not ask is refused", arguments: ChipReader.all)
  func arguments(reader: ChipReader) throws {
    try reader.run("stored=2") { _, chip in
      for name in [[], [UInt8](repeating: 1, count: 65)] {
        let failure = try #require(throws: LoadedDriver.Failure.self) { try chip.enroll(name) }
        #expect(failure.status == AC_ERR_ARGUMENT)
      }
      let failure = try #require(throws: LoadedDriver.Failure.self) { try chip.list(capacity: 1) }
      #expect(failure.status == AC_ERR_MEMORY)
      if reader.filters { #expect(throws: LoadedDriver.Failure.self) { try chip.identify() } }
      #expect(chip.sensor.captureStatus() == AC_ERR_UNSUPPORTED)
    }
  }

  @Test("E4: a chip that answers with a name nobody asked for, or none, opens nothing")
  func lies() throws {
    for (driver, settings) in [("synaptics", "renames=1"), ("elanchip", "mute=1")] {
      let reader = try #require(ChipReader.all.first { $0.driver == driver })
      try reader.run(settings) { _, chip in
        try chip.enrollWhole(Self.mine)
        let failure = try #require(throws: LoadedDriver.Failure.self) {
          try chip.identify([Self.mine])
        }
        #expect(failure.status == AC_ERR_PROTOCOL)
      }
    }
  }

  @Test("a chip at work when it is opened, or calibrating, is waited for")
  func notReady() throws {
    for (driver, settings) in [("synaptics", "busy=1"), ("elanchip", "calibrating=30")] {
      let reader = try #require(ChipReader.all.first { $0.driver == driver })
      let names = try reader.run(settings) { _, chip in try chip.list() }
      #expect(names == [])
    }
  }
}
