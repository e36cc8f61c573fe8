import AuthcoreABI
import Testing

@Suite("The driver that lends libfprint's readers")
struct LibfprintDriverTests {
  @Test("it asks for the wider sandbox, and takes no reader that it was not asked for")
  func description() throws {
    let facts = unsafe try LoadedDriver.built("libfprint").facts
    #expect(unsafe String(cString: facts.name) == "libfprint")
    #expect(unsafe facts.flags == UInt32(AC_SENSOR_OPENS_DEVICES))
    #expect(unsafe facts.usb_match_count == 0)
    #expect(unsafe facts.option_count == 2)
  }

  @Test(
    "options that are none are refused before libfprint is started",
    arguments: [("reader", 0), ("reader", -1), ("emulation", 2)])
  func options(name: String, value: Int64) throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedDriver.built("libfprint").open([.number(name, value)])
      }
      #expect(failure.status == AC_ERR_OPTION)
      #expect(failure.message.contains(name))
    }
  }
}
