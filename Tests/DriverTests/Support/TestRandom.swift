import AuthcoreABI

/// `random/1` of a test, which always gives the same bytes.
enum TestRandom {
  static let byte: UInt8 = 0xA5

  /// The service, for ever.
  @safe static let service = unsafe Table(
    ac_random_service_t(
      struct_size: UInt32(MemoryLayout<ac_random_service_t>.size),
      fill: { bytes, count in
        for index in 0..<count { unsafe bytes?[index] = byte }
        return ac_status_t(AC_OK)
      }))
}
