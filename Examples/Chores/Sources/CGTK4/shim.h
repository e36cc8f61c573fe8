/* GTK 4 and libadwaita, and in place of macros what Swift can call. */
#include <adwaita.h>

typedef void (*chores_handler)(void *sender, void *data);

static inline void chores_connect(void *sender, const char *signal, chores_handler handler, void *data) {
  g_signal_connect_data(sender, signal, G_CALLBACK(handler), data, NULL, 0);
}
