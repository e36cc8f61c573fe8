// What makes casts between LAError, NSError and Error work on Linux in every direction. Foundation
// there does it for its own errors by the first of these protocols, and the runtime by the second:
// without that `nsError as? LAError` is nil.

extension LAError.Code: _ErrorCodeProtocol {
  /// The error whose codes these are.
  public typealias _ErrorType = LAError
}

extension LAError: _BridgedStoredNSError {
  /// ``LAErrorDomain``
  public static var errorDomain: String { LAErrorDomain }
  /// ``LAErrorDomain``
  public static var _nsErrorDomain: String { LAErrorDomain }
}

extension LAError: _ObjectiveCBridgeable {
  /// The class that stands for it.
  public typealias _ObjectiveCType = NSError

  /// The error itself.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Takes an error that has to be one of ``LAErrorDomain``.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
      preconditionFailure("an error of \(source.domain) is no LAError")
    }
  }

  /// Takes an error, if it is one of ``LAErrorDomain``.
  /// - Returns: whether it is.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout LAError?
  ) -> Bool {
    // A code of a later system is left to those who know it: it would have no case here.
    guard source.domain == LAErrorDomain, Code(rawValue: source.code) != nil else { return false }
    result = LAError(_nsError: source)
    return true
  }

  /// Takes an error that has to be there, and one of ``LAErrorDomain``.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    var result: LAError?
    guard let source, _conditionallyBridgeFromObjectiveC(source, result: &result), let result else {
      preconditionFailure("there is no LAError to bridge")
    }
    return result
  }
}
