/* In every plugin: its linker script leaves nothing of the plugin to be seen but its entry (scripts/exports/plugin.map). */
