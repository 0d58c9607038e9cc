// Before anything is drawn, so that no page flashes in the other theme. src/theme/theme-store.ts writes the choice.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('duework.theme');
  } catch {
    // storage is closed to this page: the system decides
  }
  const isChosen = chosen === 'light' || chosen === 'dark';
  const isDark = isChosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const theme = isDark ? 'dark' : 'light';
  document.documentElement.dataset.theme = theme;
  // the canvas before there is a style sheet
  document.querySelector('meta[name="color-scheme"]').content = theme;
})();
