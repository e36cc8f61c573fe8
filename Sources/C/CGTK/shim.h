/* GTK 4 and libadwaita for Sources/Desktop/Windows, with functions in place of what Swift cannot call:
   macros, variable arguments, and casts of functions. */
#include <adwaita.h>

/* Signal handlers, by their arguments. `release` frees `data`. */
typedef void (*cgtk_handler)(void *object, void *data);
typedef gboolean (*cgtk_question)(void *object, void *data);
typedef void (*cgtk_text_handler)(void *object, const char *text, void *data);
typedef gboolean (*cgtk_key_handler)(void *controller, guint value, guint code,
                                     GdkModifierType modifiers, void *data);
typedef void (*cgtk_release)(void *data);

static inline void cgtk_connect_function(void *object, const char *signal, GCallback handler,
                                         void *data, cgtk_release release) {
  g_signal_connect_data(object, signal, handler, data, (GClosureNotify)(void (*)(void))release, 0);
}

static inline void cgtk_connect(void *object, const char *signal, cgtk_handler handler, void *data,
                                cgtk_release release) {
  cgtk_connect_function(object, signal, G_CALLBACK(handler), data, release);
}

static inline void cgtk_connect_question(void *object, const char *signal, cgtk_question handler,
                                         void *data, cgtk_release release) {
  cgtk_connect_function(object, signal, G_CALLBACK(handler), data, release);
}

static inline void cgtk_connect_text(void *object, const char *signal, cgtk_text_handler handler,
                                     void *data, cgtk_release release) {
  cgtk_connect_function(object, signal, G_CALLBACK(handler), data, release);
}

static inline void cgtk_connect_key(void *controller, cgtk_key_handler handler, void *data,
                                    cgtk_release release) {
  cgtk_connect_function(controller, "key-pressed", G_CALLBACK(handler), data, release);
}

/* The handler of a changed property. */
typedef struct {
  cgtk_handler handler;
  void *data;
  cgtk_release release;
} cgtk_change;

static inline void cgtk_tell_change(void *object, GParamSpec *property, void *data) {
  (void)property;
  cgtk_change *change = data;
  change->handler(object, change->data);
}

static inline void cgtk_forget_change(void *data) {
  cgtk_change *change = data;
  change->release(change->data);
  g_free(change);
}

static inline void cgtk_connect_change(void *object, const char *property, cgtk_handler handler,
                                       void *data, cgtk_release release) {
  cgtk_change *change = g_new(cgtk_change, 1);
  *change = (cgtk_change){handler, data, release};
  char *signal = g_strconcat("notify::", property, NULL);
  cgtk_connect_function(object, signal, G_CALLBACK(cgtk_tell_change), change, cgtk_forget_change);
  g_free(signal);
}

/* Gives up a reference on the main thread. May be called on any thread. */
static inline gboolean cgtk_unref_once(void *object) {
  g_object_unref(object);
  return G_SOURCE_REMOVE;
}

static inline void cgtk_release_object(void *object) {
  if (g_main_context_is_owner(NULL)) {
    g_object_unref(object);
  } else {
    g_idle_add(cgtk_unref_once, object);
  }
}

static inline void cgtk_set_accessible_name(GtkWidget *widget, const char *name) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static inline void cgtk_set_accessible_as_writable(GtkWidget *widget) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_READ_ONLY, FALSE,
                                 -1);
}

/* A drawing counts as an image, so a screen reader says its name. */
static inline GtkWidget *cgtk_new_drawing(void) {
  return g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
}

static inline void cgtk_set_text_property(void *object, const char *property, const char *text) {
  g_object_set(object, property, text, NULL);
}

static inline GtkWidget *cgtk_new_alert(GtkWindow *parent, const char *heading, const char *body) {
  GtkWidget *alert = adw_message_dialog_new(parent, heading, NULL);
  g_object_set(alert, "body", body, NULL);
  return alert;
}

/* Sets the keys that close the focused window. The application ends with its last window. */
static inline void cgtk_set_closing_keys(GtkApplication *application) {
  const char *keys[] = {"<Control>w", "<Control>q", NULL};
  gtk_application_set_accels_for_action(application, "window.close", keys);
}

static inline gboolean cgtk_animates(void) {
  gboolean animates = TRUE;
  GtkSettings *settings = gtk_settings_get_default();
  if (settings != NULL) g_object_get(settings, "gtk-enable-animations", &animates, NULL);
  return animates;
}

/* Adds to the styles of libadwaita. */
static inline void cgtk_load_style(const char *css) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, css, -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(),
                                             GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(provider);
}
