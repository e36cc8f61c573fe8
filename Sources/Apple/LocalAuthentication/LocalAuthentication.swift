// Source compatible with Apple's framework of this name.

@_exported public import Foundation
@_exported public import Security
