public import CClientLibrary
import CoreClient
import Protocol

/// Opens an item (client.h).
@c @implementation
public func ac_client_item_get(
  _ client: OpaquePointer!, _ context: OpaquePointer!, _ query: UnsafePointer<ac_client_item_t>!,
  _ prompt: UnsafePointer<ac_client_prompt_t>!,
  _ ret_secret: UnsafeMutablePointer<OpaquePointer?>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client, Prompting(given: prompt), in: context)
    guard let ret_secret = unsafe ret_secret else { throw .missing("ret_secret") }
    let got = try keychain.open(try unsafe GivenItem(query, "query").query())
    unsafe ret_secret.pointee = LibrarySecret(got.takeSecret()).handOut()
  }
}

/// Adds an item (client.h).
@c @implementation
public func ac_client_item_add(
  _ client: OpaquePointer!, _ context: OpaquePointer!, _ item: UnsafePointer<ac_client_item_t>!,
  _ secret: UnsafePointer<UInt8>!, _ count: Int,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client, in: context)
    let attributes = try unsafe GivenItem(item, "item").attributes()
    let secret = try unsafe GivenBytes.secret(secret, count, "secret", atMost: largestItemSecret)
    _ = try keychain.add(attributes, secret)
  }
}

/// Changes an item (client.h).
@c @implementation
public func ac_client_item_update(
  _ client: OpaquePointer!, _ context: OpaquePointer!, _ query: UnsafePointer<ac_client_item_t>!,
  _ changes: UnsafePointer<ac_client_item_t>!, _ secret: UnsafePointer<UInt8>!, _ count: Int,
  _ prompt: UnsafePointer<ac_client_prompt_t>!, _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client, Prompting(given: prompt), in: context)
    let replacesSecret = unsafe secret != nil
    let query = try unsafe GivenItem(query, "query").query()
    let described =
      unsafe changes == nil
      ? ItemChanges() : try unsafe GivenItem(changes, "changes", isChange: true).changes()
    guard replacesSecret || described != ItemChanges() else {
      throw Failure(
        .errSecParam, "changes and secret are both empty", hint: "give changes or a secret")
    }
    let given = try unsafe GivenBytes.secret(secret, count, "secret", atMost: largestItemSecret)
    guard replacesSecret else { return try keychain.update(query, described, secret: nil) }
    try keychain.update(query, described, secret: given)
  }
}

/// Removes an item (client.h).
@c @implementation
public func ac_client_item_remove(
  _ client: OpaquePointer!, _ query: UnsafePointer<ac_client_item_t>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client)
    try keychain.remove(try unsafe GivenItem(query, "query").query())
  }
}

/// Makes a key in the enclave (client.h).
@c @implementation
public func ac_client_key_create(
  _ client: OpaquePointer!, _ key: UnsafePointer<ac_client_key_t>!,
  _ ret_public_key: UnsafeMutablePointer<UInt8>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client)
    let made = try keychain.makeKey(try unsafe GivenKey(key, "key").creation())
    if let ret_public_key = unsafe ret_public_key {
      try unsafe write(made.publicKey.span, to: ret_public_key, AC_CLIENT_PUBLIC_KEY_SIZE)
    }
  }
}

/// Writes the public half of a key (client.h).
@c @implementation
public func ac_client_key_public(
  _ client: OpaquePointer!, _ query: UnsafePointer<ac_client_key_t>!,
  _ ret_public_key: UnsafeMutablePointer<UInt8>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client)
    guard let ret_public_key = unsafe ret_public_key else { throw .missing("ret_public_key") }
    let found = try keychain.keys(try unsafe GivenKey(query, "query").query())
    guard found.count == 1 else {
      throw Failure(
        .ambiguous, "\(found.count) keys match", hint: "give more of its attributes")
    }
    let point = found[0].publicKey
    try unsafe write(point.span, to: ret_public_key, AC_CLIENT_PUBLIC_KEY_SIZE)
  }
}

/// Signs a hash in the enclave (client.h).
@c @implementation
public func ac_client_key_sign(
  _ client: OpaquePointer!, _ context: OpaquePointer!, _ query: UnsafePointer<ac_client_key_t>!,
  _ prompt: UnsafePointer<ac_client_prompt_t>!, _ digest: UnsafePointer<UInt8>!,
  _ digest_count: Int, _ ret_signature: UnsafeMutablePointer<UInt8>!,
  _ ret_count: UnsafeMutablePointer<Int>!, _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client, Prompting(given: prompt), in: context)
    guard let ret_signature = unsafe ret_signature else { throw .missing("ret_signature") }
    guard let ret_count = unsafe ret_count else { throw .missing("ret_count") }
    let size = Int(AC_CLIENT_DIGEST_SIZE)
    guard digest_count == size else {
      throw .outOfRange("digest_count", "the \(size) bytes of a SHA-256 hash")
    }
    let used = try keychain.use(
      try unsafe GivenKey(query, "query").query(), to: .sign,
      try unsafe GivenBytes.copy(digest, digest_count, "digest", atMost: size))
    try unsafe write(used.output.bytes, to: ret_signature, AC_CLIENT_LARGEST_SIGNATURE)
    unsafe ret_count.pointee = used.output.count
  }
}

/// Removes a key (client.h).
@c @implementation
public func ac_client_key_remove(
  _ client: OpaquePointer!, _ query: UnsafePointer<ac_client_key_t>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let keychain = try unsafe LibraryClient.keychain(client)
    try keychain.removeKey(try unsafe GivenKey(query, "query").query())
  }
}

/// Writes an answer to a caller's memory, which has room for `limit` bytes.
/// - Throws: `coreFailed` if the core answered more than there can be.
@unsafe private func write(
  _ bytes: Span<UInt8>, to memory: UnsafeMutablePointer<UInt8>, _ limit: UInt32
) throws(Failure) {
  guard bytes.count <= Int(limit) else {
    throw Failure(
      .coreFailed, "The core answered \(bytes.count) bytes, more than \(limit)",
      hint: "install one version of authcore, and run: \(Failure.endingTheCore)")
  }
  for index in bytes.indices { unsafe memory[index] = bytes[index] }
}
