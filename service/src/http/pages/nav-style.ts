/**
 * Style of the navigation bar on all pages, including the API reference. There it uses the colors
 * of the reference, which has its own light and dark modes.
 */
export const NAV_STYLE = `
.bar {
  display: flex; align-items: center; justify-content: space-between; gap: 1rem; height: 3.5rem;
  padding: 0 max(1.5rem, calc((100vw - 71rem) / 2)); position: sticky; top: 0; z-index: 20;
  box-sizing: border-box; border-bottom: 1px solid var(--line, var(--scalar-border-color));
  background: var(--ground, var(--scalar-background-1));
  font: 15px/1.4 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
.bar a {
  color: var(--soft, var(--scalar-color-2)); text-decoration: none; padding: .5rem .1rem;
  border-bottom: 2px solid transparent;
}
.bar a:hover { color: var(--ink, var(--scalar-color-1)); }
.bar a:focus-visible {
  outline: 2px solid var(--accent, var(--scalar-color-accent)); outline-offset: 3px;
  border-radius: 4px;
}
.bar a[aria-current] {
  color: var(--ink, var(--scalar-color-1));
  border-bottom-color: var(--accent, var(--scalar-color-accent));
}
.bar .brand {
  display: flex; gap: .6rem; align-items: center; font-weight: 650; min-width: 0;
  color: var(--ink, var(--scalar-color-1));
}
.bar .brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar nav { display: flex; gap: 1.4rem; }
@media (max-width: 30rem) {
  .bar { padding: 0 1rem; gap: .7rem; font-size: 14px; }
  .bar nav { gap: .85rem; }
}
/* On narrow screens the name is hidden visually but still read by screen readers. */
@media (max-width: 24.5rem) {
  .bar .brand span { position: absolute; width: 1px; height: 1px; clip-path: inset(50%); }
}
`;

/** Reserves space for the navigation bar in the API reference and applies the site's colors. */
export const DOCS_STYLE = `
:root { --scalar-custom-header-height: 3.5rem; }
body.light-mode {
  --scalar-background-1: #fbfaf7; --scalar-background-2: #f3f1ea; --scalar-background-3: #e4e1d9;
  --scalar-border-color: #e4e1d9; --scalar-color-1: #1b1d22; --scalar-color-2: #5d6470;
  --scalar-color-accent: #0f6b57;
}
body.dark-mode {
  --scalar-background-1: #111316; --scalar-background-2: #191c21; --scalar-background-3: #2b2f36;
  --scalar-border-color: #2b2f36; --scalar-color-1: #eceae4; --scalar-color-2: #9aa2ad;
  --scalar-color-accent: #5fd0b0;
}
${NAV_STYLE}`;
