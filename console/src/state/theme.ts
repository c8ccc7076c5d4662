import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark" | "system";
const place = "dolmen.theme";

function read(): Theme {
  try {
    const text = localStorage.getItem(place);
    return text === "light" || text === "dark" ? text : "system";
  } catch {
    return "system";
  }
}

export const theme = signal<Theme>(read());
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const systemTheme = signal<"light" | "dark">(systemIsDark.matches ? "dark" : "light");
systemIsDark.addEventListener("change", () => (systemTheme.value = systemIsDark.matches ? "dark" : "light"));

effect(() => {
  document.documentElement.dataset["theme"] = theme.value === "system" ? systemTheme.value : theme.value;
  try {
    if (theme.value === "system") localStorage.removeItem(place);
    else localStorage.setItem(place, theme.value);
  } catch {
    // Lasts until the tab closes then.
  }
});
