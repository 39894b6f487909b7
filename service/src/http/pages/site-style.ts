/** The one style sheet of the pages, light and dark, and the mark: a bell-shaped price line. */
export const SITE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --card: #ffffff; --ink: #1b1d22; --soft: #5d6470; --line: #e4e1d9;
  --accent: #0f6b57; --accent-soft: #e3f1ec; --warn: #9a5b00; --bad: #a8261d; --code: #f3f1ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111316; --card: #191c21; --ink: #eceae4; --soft: #9aa2ad; --line: #2b2f36;
    --accent: #5fd0b0; --accent-soft: #16312a; --warn: #e3a84f; --bad: #ff8b80; --code: #14171b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.6 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
.bar, main { max-width: 62rem; margin: 0 auto; padding: 0 1.5rem; }
.bar { display: flex; align-items: center; justify-content: space-between; padding-top: 1.4rem; }
.bar a { color: var(--soft); text-decoration: none; margin-left: 1.4rem; }
.bar a:hover { color: var(--ink); }
.bar .brand {
  display: flex; gap: .6rem; align-items: center; margin: 0; color: var(--ink); font-weight: 650;
}
h1 {
  font-size: clamp(2.1rem, 5vw, 3.3rem); line-height: 1.1; letter-spacing: -.025em;
  margin: 4.5rem 0 1rem; max-width: 20ch; text-wrap: balance;
}
h2 { font-size: 1.15rem; margin: 3.2rem 0 1rem; }
.lead { font-size: 1.15rem; color: var(--soft); max-width: 56ch; margin: 0 0 2rem; }
.actions { display: flex; flex-wrap: wrap; gap: .8rem; margin: 0 0 2.6rem; }
.button {
  padding: .6rem 1.15rem; border-radius: .6rem; border: 1px solid var(--line);
  background: var(--card); color: var(--ink); text-decoration: none; font-weight: 550;
}
.button.first { background: var(--accent); border-color: var(--accent); color: var(--ground); }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre {
  margin: 0; padding: 1.1rem 1.3rem; border: 1px solid var(--line); border-radius: .8rem;
  background: var(--code); overflow-x: auto; font-size: .9rem;
}
.note {
  display: inline-block; margin: 1rem 0 0; padding: .2rem .7rem; border-radius: 1rem;
  background: var(--accent-soft); color: var(--accent); font-size: .88rem;
}
.grid {
  display: grid; gap: .9rem; padding: 0; margin: 0; list-style: none;
  grid-template-columns: repeat(auto-fill, minmax(17.5rem, 1fr));
}
.grid li {
  padding: 1rem 1.15rem; border: 1px solid var(--line); border-radius: .8rem;
  background: var(--card);
}
.grid strong { display: block; }
.grid code { font-size: .82rem; color: var(--soft); overflow-wrap: anywhere; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .8rem; }
table { width: 100%; border-collapse: collapse; background: var(--card); font-size: .94rem; }
th, td { padding: .65rem 1rem; text-align: left; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 550; white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.state { font-weight: 600; color: var(--accent); }
.state.late, .state.stale { color: var(--warn); }
.state.failing { color: var(--bad); }
main { padding-bottom: 5rem; }
`;

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0f6b57"/>
<path d="M5 23h4c3 0 3-14 7-14s4 14 7 14h4" fill="none" stroke="#fff" stroke-width="2.6"
 stroke-linecap="round" stroke-linejoin="round"/>
<circle cx="16" cy="26" r="1.9" fill="#fff"/>
</svg>
`;
