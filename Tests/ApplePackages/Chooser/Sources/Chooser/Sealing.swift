import Crypto
import Foundation

/// Whether a text that was sealed opens again, here by the types of `Crypto`.
func sealed() -> Bool {
  let key = SymmetricKey(size: .bits256)
  let text = Data("text".utf8)
  guard let box = try? AES.GCM.seal(text, using: key) else { return false }
  return (try? AES.GCM.open(box, using: key)) == text
}
