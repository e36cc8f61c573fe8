import Testing

@testable import URU4000Driver

@Suite("The ciphers of the U.are.U 4000 family")
struct URU4000CipherTests {
  @Test("the key generator gives the masks and states of its published vector")
  func generator() {
    var generator = KeyGenerator(0x5444_09D6)
    var masks: [UInt8] = []
    var states: [UInt32] = []
    for _ in 0..<8 {
      masks.append(generator.mask)
      generator.clock()
      states.append(generator.state)
    }
    #expect(masks == [0x17, 0xA0, 0x41, 0x03, 0xD9, 0xA0, 0x40, 0x25])
    #expect(
      states == [
        0x2A22_04EB, 0x9511_0275, 0xCA88_813A, 0x6544_409D, 0x32A2_204E, 0x9951_1027, 0x4CA8_8813,
        0x2654_4409,
      ])
  }

  @Test(
    "over the blocks of an image the generator goes through the states of real readers",
    arguments: [
      (
        0x5444_09D6, [72, 1, 49, 1, 1, 49, 1, 116],
        [
          0xE428_35F8, 0x680E_6753, 0x3B43_A396, 0xADFA_5D0E, 0xCB53_6F1B, 0x3C57_1C3C,
          0x585E_95F3, 0x018E_27DF,
        ]
      ),
      (
        0xDB89_6F5F, [67, 1, 49, 1, 1, 49, 1, 121],
        [
          0xB7FE_2FD1, 0x28DC_DD72, 0x323D_7EEC, 0xEF01_F49A, 0x343A_D745, 0x110C_C181,
          0xF66B_9489, 0x7908_D316,
        ]
      ),
    ] as [(UInt32, [Int], [UInt32])])
  func blocks(key: UInt32, lines: [Int], states: [UInt32]) {
    var generator = KeyGenerator(key)
    let reached = lines.map { lines in
      generator.clock(lines * 384)
      return generator.state
    }
    #expect(reached == states)
  }

  @Test("AES-128 gives the example of FIPS 197, appendix C.1")
  func standardVector() {
    let block = (0..<16).map { UInt8($0) * 0x11 }
    #expect(
      AES128.encrypt(block, key: (0..<16).map { UInt8($0) }) == [
        0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5,
        0x5A,
      ])
  }

  @Test("AES-128 takes blocks and keys of 16 bytes only")
  func lengths() {
    #expect(AES128.encrypt([1], key: Array(repeating: 0, count: 16)) == nil)
    #expect(AES128.encrypt(Array(repeating: 0, count: 16), key: []) == nil)
  }
}
