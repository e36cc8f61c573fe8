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
    let client = try unsafe LibraryClient.needed(client)
    guard let ret_secret = unsafe ret_secret else { throw .missing("ret_secret") }
    let request = GetItem(query: try unsafe GivenItem(query, "query").query())
    let got: GotItem = try client.ask(
      request, try unsafe Prompting(given: prompt), in: unsafe LibraryContext.given(context))
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
    let client = try unsafe LibraryClient.needed(client)
    let attributes = try unsafe GivenItem(item, "item").attributes()
    let secret = try unsafe GivenBytes.secret(secret, count, "secret", atMost: largestItemSecret)
    let _: ItemAdded = try client.ask(
      AddItem(attributes: attributes, secret: secret), .forbidden,
      in: unsafe LibraryContext.given(context))
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
    let client = try unsafe LibraryClient.needed(client)
    let replacesSecret = unsafe secret != nil
    let query = try unsafe GivenItem(query, "query").query()
    let described =
      unsafe changes == nil
      ? ItemChanges() : try unsafe GivenItem(changes, "changes", isChange: true).changes()
    guard replacesSecret || described != ItemChanges() else {
      throw Failure(
        .errSecParam, "changes and secret say nothing", hint: "give what changes, or a secret")
    }
    let secret = try unsafe GivenBytes.secret(secret, count, "secret", atMost: largestItemSecret)
    let request = UpdateItems(
      query: query, changes: described, allowsSeveral: false, replacesSecret: replacesSecret,
      secret: secret)
    let _: ItemsChanged = try client.ask(
      request, try unsafe Prompting(given: prompt), in: unsafe LibraryContext.given(context))
  }
}

/// Removes an item (client.h).
@c @implementation
public func ac_client_item_remove(
  _ client: OpaquePointer!, _ query: UnsafePointer<ac_client_item_t>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let client = try unsafe LibraryClient.needed(client)
    let request = RemoveItems(
      query: try unsafe GivenItem(query, "query").query(), allowsSeveral: false)
    let _: ItemsChanged = try client.ask(request, .forbidden)
  }
}
