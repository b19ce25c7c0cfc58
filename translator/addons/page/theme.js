// Light or dark: the reader's choice in `state.theme`, or else the system's theme.

const PAPER = { light: [255, 255, 255], dark: [27, 28, 32] };

function theme() {
  if (state.theme === "light" || state.theme === "dark") return state.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Shows the page in its theme, and which one it is. */
function showTheme() {
  document.documentElement.dataset.theme = theme();
  byId("theme").setAttribute("aria-pressed", theme() === "dark");
}

/** Draws again whenever the button or the system changes the theme. */
function watchTheme(draw) {
  byId("theme").addEventListener("click", () => {
    state.theme = theme() === "dark" ? "light" : "dark";
    draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

const css = ([red, green, blue]) => `rgb(${red},${green},${blue})`;
