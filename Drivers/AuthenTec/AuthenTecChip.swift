/// The chips by their USB product number.
enum AuthenTecChip: UInt16, CaseIterable {
  static let vendor: UInt16 = 0x08FF

  case aes3500 = 0x5731
  case aes4000 = 0x5501
  case aes2500 = 0x2500
  case aes2501 = 0x2580
}
