public import CoreFoundationTypes

/// What is done with a key. The numbers are Apple's.
public enum SecKeyOperationType: Int, Sendable {
  /// A private key makes a signature.
  case sign = 0
  /// A public key checks one.
  case verify = 1
  /// A public key encrypts.
  case encrypt = 2
  /// A private key decrypts.
  case decrypt = 3
  /// A private key and another's public one give a shared secret.
  case keyExchange = 4
}

/// A key of the parameters of ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)``.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
  private let text: String

  /// The key of a dictionary.
  public var rawValue: CFString { constant(text) }

  /// One of this text, known or not.
  public init(rawValue: CFString) { text = rawValue as String }

  private init(_ text: String) { self.text = text }

  /// How many bytes are wanted, a number: 1…1,048,576. Needed wherever X9.63 is in the algorithm.
  public static let requestedSize = SecKeyKeyExchangeParameter("requestedSize")
  /// What both sides know and mean besides, bytes.
  public static let sharedInfo = SecKeyKeyExchangeParameter("sharedInfo")
}

/// What surrounds what RSA signs or encrypts, in the functions of before ``SecKeyAlgorithm``. None of
/// them: the number as it is.
public struct SecPadding: OptionSet, Hashable, Sendable {
  /// The number Apple gives it.
  public let rawValue: UInt32

  /// One of this number, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// PKCS #1 v1.5; of a signature without saying which hash function the input is of.
  public static let PKCS1 = SecPadding(rawValue: 1)
  /// OAEP with SHA-1.
  public static let OAEP = SecPadding(rawValue: 2)
  /// Of a key on a curve: r and s as long as a coordinate each.
  public static let sigRaw = SecPadding(rawValue: 0x4000)
  /// PKCS #1 v1.5 of an MD2 hash. Refused: whoever likes makes two messages of one hash.
  public static let PKCS1MD2 = SecPadding(rawValue: 0x8000)
  /// PKCS #1 v1.5 of an MD5 hash. Refused likewise.
  public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)
  /// PKCS #1 v1.5 of a SHA-1 hash.
  public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
  /// PKCS #1 v1.5 of a SHA-224 hash.
  public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
  /// PKCS #1 v1.5 of a SHA-256 hash.
  public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
  /// PKCS #1 v1.5 of a SHA-384 hash.
  public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
  /// PKCS #1 v1.5 of a SHA-512 hash.
  public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)
}
