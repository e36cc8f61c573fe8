/* In every plugin: its linker script hides everything except the entry point (scripts/exports/plugin.map). */
