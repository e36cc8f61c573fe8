/* Calls libauthcore-client as no program should, and writes a line about each: what was tried, the number, the message.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <authcore/client.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ac_client_t *client;

static void report(const char *what, int32_t code, ac_client_error_t *error) {
  printf("%s|%d|%d|%s|%s\n", what, (int)code, (int)ac_client_error_code(error), ac_client_error_name(error),
         ac_client_error_message(error));
  ac_client_error_free(error);
}

#define TRY(what, call) \
  do { \
    ac_client_error_t *error = NULL; \
    int32_t code = (call); \
    report(what, code, error); \
  } while (0)

static ac_client_item_t item(void) {
  ac_client_item_t empty = {.struct_size = sizeof empty, .service = "misuse"};
  return empty;
}

static void settings(void) {
  ac_client_t *other = NULL;
  ac_client_settings_t given = {.struct_size = sizeof given, .home = ""};
  TRY("open to nowhere", ac_client_open(NULL, NULL, &error));
  TRY("an empty home", ac_client_open(&given, &other, &error));
  given.home = "/tmp/\xff";
  TRY("a home that is no text", ac_client_open(&given, &other, &error));
  given.home = NULL;
  given.struct_size = 0;
  TRY("settings without a size", ac_client_open(&given, &other, &error));
  given.struct_size = 1u << 31;
  TRY("settings of a huge size", ac_client_open(&given, &other, &error));
  struct {
    ac_client_settings_t known;
    uint64_t more;
  } later = {.known = {.struct_size = sizeof later}, .more = 0};
  TRY("settings of a later version", ac_client_open(&later.known, &other, &error));
  ac_client_close(other);
  later.more = 1;
  TRY("a field of a later version", ac_client_open(&later.known, &other, &error));
}

static void texts(void) {
  static char long_text[1 << 20];
  memset(long_text, 'a', sizeof long_text - 1);
  ac_client_secret_t *secret = NULL;
  ac_client_item_t query = item();
  TRY("no client", ac_client_item_get(NULL, NULL, &query, NULL, &secret, &error));
  TRY("no query", ac_client_item_get(client, NULL, NULL, NULL, &secret, &error));
  TRY("no place for the secret", ac_client_item_get(client, NULL, &query, NULL, NULL, &error));
  query.service = "\xc3(";
  TRY("a service that is no text", ac_client_item_get(client, NULL, &query, NULL, &secret, &error));
  query.service = long_text;
  TRY("a long service", ac_client_item_get(client, NULL, &query, NULL, &secret, &error));
  query = item();
  query.flags = 0xffffffffu;
  TRY("flags that there are not", ac_client_item_get(client, NULL, &query, NULL, &secret, &error));
  query = item();
  query.item_class = -1;
  TRY("a class that there is not", ac_client_item_get(client, NULL, &query, NULL, &secret, &error));
  query = item();
  query.access = "a dragon";
  TRY("an access that there is not", ac_client_item_add(client, NULL, &query, NULL, 0, &error));
  query = item();
  TRY("a secret that is not there", ac_client_item_add(client, NULL, &query, NULL, 3, &error));
  TRY("a huge secret", ac_client_item_add(client, NULL, &query, (const uint8_t *)long_text, SIZE_MAX, &error));
  TRY("a large secret",
      ac_client_item_add(client, NULL, &query, (const uint8_t *)long_text, AC_CLIENT_LARGEST_SECRET + 1, &error));
  TRY("no change", ac_client_item_update(client, NULL, &query, NULL, NULL, 0, NULL, &error));
}

static void attributes(void) {
  ac_client_attribute_t all[2] = {
      {.name = "comment", .bytes = "\xff", .count = 1},
      {.name = "port", .kind = AC_CLIENT_ATTRIBUTE_NUMBER, .number = 1},
  };
  ac_client_item_t added = item();
  added.attribute_count = 0xffffffffu;
  TRY("too many attributes", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
  added.attribute_count = 2;
  TRY("no attributes", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
  added.attributes = all;
  TRY("an attribute that is no text", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
  all[0].count = SIZE_MAX / 2;
  TRY("a huge attribute", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
  all[0].kind = 9;
  TRY("a kind that there is not", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
  all[0] = all[1];
  TRY("an attribute twice", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
  all[0].name = "color";
  TRY("an attribute that there is not", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
  all[0].name = NULL;
  TRY("an attribute without a name", ac_client_item_add(client, NULL, &added, NULL, 0, &error));
}

static void contexts_and_keys(void) {
  ac_client_context_t *context = NULL;
  ac_client_prompt_t prompt = {.struct_size = sizeof prompt, .reason = "misuse", .timeout_ms = 0xffffffffu};
  ac_client_key_t key = {.struct_size = sizeof key};
  uint8_t digest[AC_CLIENT_DIGEST_SIZE] = {0}, signature[AC_CLIENT_LARGEST_SIGNATURE];
  size_t count = 0;
  TRY("a long reuse", ac_client_context_open(client, 301, &context, &error));
  TRY("no context", ac_client_context_evaluate(NULL, AC_CLIENT_POLICY_OWNER, NULL, NULL, &error));
  TRY("a context", ac_client_context_open(client, 0, &context, &error));
  TRY("a policy that there is not", ac_client_context_evaluate(context, 258, NULL, NULL, &error));
  TRY("a long wait", ac_client_context_evaluate(context, AC_CLIENT_POLICY_OWNER, &prompt, NULL, &error));
  TRY("an empty password", ac_client_context_give_password(context, digest, 0, &error));
  ac_client_context_cancel(context);
  ac_client_context_invalidate(context);
  prompt.timeout_ms = 1;
  TRY("a context that is over", ac_client_context_evaluate(context, AC_CLIENT_POLICY_OWNER, &prompt, NULL, &error));
  ac_client_context_close(context);
  TRY("no key in particular", ac_client_key_public(client, &key, signature, &error));
  key.name = "misuse";
  TRY("a short digest", ac_client_key_sign(client, NULL, &key, NULL, digest, 31, signature, &count, &error));
  TRY("no digest", ac_client_key_sign(client, NULL, &key, NULL, NULL, 32, signature, &count, &error));
  key.tag_count = 3;
  TRY("a tag that is not there", ac_client_key_create(client, &key, NULL, &error));
}

int main(void) {
  settings();
  TRY("open", ac_client_open(NULL, &client, &error));
  texts();
  attributes();
  contexts_and_keys();
  /* Nobody wants the error; NULL is nothing to end. */
  printf("unwanted|%d\n", (int)ac_client_open(NULL, NULL, NULL));
  ac_client_close(client);
  ac_client_close(NULL);
  ac_client_error_free(NULL);
  ac_client_secret_free(NULL);
  ac_client_context_close(NULL);
  ac_client_context_cancel(NULL);
  printf("nothing|%zu|%s\n", ac_client_secret_count(NULL), ac_client_error_name(NULL));
  return 0;
}
