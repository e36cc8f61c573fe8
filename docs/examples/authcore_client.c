/* A program in C that keeps a secret behind the owner's finger, through libauthcore-client.
 *
 *   cc authcore_client.c $(pkg-config --cflags --libs authcore-client) -o authcore_client
 *   authcore_client add SERVICE SECRET
 *   authcore_client get SERVICE           opens it with a touch
 *   authcore_client remove SERVICE
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <authcore/client.h>
#include <stdio.h>
#include <string.h>

static int explain(int32_t code, ac_client_error_t *error) {
  const char *hint = ac_client_error_hint(error);
  fprintf(stderr, "%s (%d)\n", ac_client_error_message(error), (int)code);
  if (hint != NULL) fprintf(stderr, "%s\n", hint);
  ac_client_error_free(error);
  return 1;
}

static int32_t get(ac_client_t *client, const ac_client_item_t *query, ac_client_error_t **ret_error) {
  ac_client_prompt_t prompt = {.struct_size = sizeof prompt, .reason = "open an example"};
  ac_client_secret_t *secret = NULL;
  int32_t code = ac_client_item_get(client, NULL, query, &prompt, &secret, ret_error);
  if (code == AC_CLIENT_OK) fwrite(ac_client_secret_bytes(secret), 1, ac_client_secret_count(secret), stdout);
  ac_client_secret_free(secret);
  return code;
}

int main(int count, char **arguments) {
  ac_client_item_t item = {.struct_size = sizeof item, .service = count > 2 ? arguments[2] : NULL};
  ac_client_t *client = NULL;
  ac_client_error_t *error = NULL;
  int32_t code = ac_client_open(NULL, &client, &error);
  if (code == AC_CLIENT_OK && count == 4 && strcmp(arguments[1], "add") == 0) {
    item.access = "biometry-any";
    code = ac_client_item_add(client, NULL, &item, (const uint8_t *)arguments[3], strlen(arguments[3]), &error);
  } else if (code == AC_CLIENT_OK && count == 3 && strcmp(arguments[1], "get") == 0) {
    code = get(client, &item, &error);
  } else if (code == AC_CLIENT_OK && count == 3 && strcmp(arguments[1], "remove") == 0) {
    code = ac_client_item_remove(client, &item, &error);
  } else if (code == AC_CLIENT_OK) {
    fprintf(stderr, "usage: %s add SERVICE SECRET | get SERVICE | remove SERVICE\n", arguments[0]);
    ac_client_close(client);
    return 64;
  }
  ac_client_close(client);
  return code == AC_CLIENT_OK ? 0 : explain(code, error);
}
