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
        .errSecParam, "changes and secret say nothing", hint: "give what changes, or a secret")
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
