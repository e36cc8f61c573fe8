public import CoreFoundationTypes

// The four functions for items. Any thread may call them, in the foreground and the background;
// they block until they are answered, and so until the owner has answered a prompt. The keys of
// their dictionaries are documented at their declarations.

/// Finds items, and opens them if their secrets are wanted.
///
/// Secrets are `CFData`, in memory that is neither locked nor wiped, as Apple's interface demands.
/// `AuthCoreClient` gives them in locked memory.
/// - Parameters:
///   - query: which items (`kSecClass`, `kSecAttr…`, `kSecMatch…`, `kSecValuePersistentRef`), how
///     many (`kSecMatchLimit`), and the wanted parts (`kSecReturn…`).
///   - result: receives the wanted part of one item, or a dictionary of several parts; for several
///     items an array of those. It contains only `CFData`, `CFString`, `CFDate`, `CFNumber` and
///     references. The caller owns it. It is not changed if there is no result.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecInteractionNotAllowed` if the owner
///   would have to be asked and must not be, or the device is locked; `errSecUserCanceled`;
///   `errSecAuthFailed`; `errSecParam` and the like for an impossible query;
///   `errSecNotAvailable` if no core can be reached.
@discardableResult public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  do throws(RequestProblem) {
    let request = try ItemRequest(query)
    let found = try KeychainSession(request).copy(request)
    if let found, let result = unsafe result { unsafe result.pointee = found }
    return errSecSuccess
  } catch {
    return error.status
  }
}

/// Adds an item. Nobody is asked.
/// - Parameters:
///   - attributes: the class, the attributes and the secret (`kSecValueData`), or an object to keep
///     (`kSecValueRef`); the wanted parts of the result (`kSecReturn…`).
///   - result: receives the wanted parts, which the caller owns.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem`; `errSecDataTooLarge` for a secret of more
///   than 48 KiB, a certificate of more than 1 MiB, a text of more than 1,024 bytes and other
///   attributes of more than 4,096; `errSecAuthFailed` for a protected item while no passcode is
///   set; otherwise as ``SecItemCopyMatching(_:_:)``.
@discardableResult public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  do throws(RequestProblem) {
    let request = try ItemRequest(attributes)
    let added = try KeychainSession(request).add(request)
    if let added, let result = unsafe result { unsafe result.pointee = added }
    return errSecSuccess
  } catch {
    return error.status
  }
}

/// Changes every matching item. The owner is asked if one of them demands a proof.
/// - Parameters:
///   - query: which items, as in ``SecItemCopyMatching(_:_:)``; a limit except
///     `kSecMatchLimitAll` is `errSecParam`.
///   - attributesToUpdate: the new attributes, and `kSecValueData` for a new secret.
/// - Returns: `errSecSuccess`; `errSecUnimplemented` for keys of the enclave's and identities;
///   otherwise as ``SecItemAdd(_:_:)``.
@discardableResult public func SecItemUpdate(
  _ query: CFDictionary, _ attributesToUpdate: CFDictionary
) -> OSStatus {
  do throws(RequestProblem) {
    let request = try ItemRequest(query)
    let changes = try ItemRequest(attributesToUpdate, of: try request.meantKind())
    try KeychainSession(request).update(request, by: changes)
    return errSecSuccess
  } catch {
    return error.status
  }
}

/// Removes every matching item for good. Nobody is asked.
/// - Parameter query: which items, as in ``SecItemCopyMatching(_:_:)``; a limit except
///   `kSecMatchLimitAll` is `errSecParam`. An identity is removed with its key.
/// - Returns: `errSecSuccess`; otherwise as ``SecItemCopyMatching(_:_:)``.
@discardableResult public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  do throws(RequestProblem) {
    let request = try ItemRequest(query)
    try KeychainSession(request).delete(request)
    return errSecSuccess
  } catch {
    return error.status
  }
}
