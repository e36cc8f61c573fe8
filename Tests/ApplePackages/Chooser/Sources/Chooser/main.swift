#if canImport(CryptoKit)
  import CryptoKit
  let chosen = "CryptoKit"
#else
  import Crypto
  let chosen = "Crypto"
#endif

print(chosen, sealed())
