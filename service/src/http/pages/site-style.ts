import { NAV_STYLE } from './nav-style.ts';
import { PROSE_STYLE } from './prose-style.ts';

/**
 * Style sheet for all pages, in light and dark mode, including the logo, a bell-shaped price line.
 */
export const SITE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --card: #ffffff; --ink: #1b1d22; --soft: #5d6470; --line: #e4e1d9;
  --accent: #0f6b57; --accent-soft: #e3f1ec; --warn: #9a5b00; --bad: #a8261d; --code: #f3f1ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111316; --card: #191c21; --ink: #eceae4; --soft: #9aa2ad; --line: #2b2f36;
    --accent: #5fd0b0; --accent-soft: #16312a; --warn: #e3a84f; --bad: #ff8b80; --code: #1b1f24;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.6 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
main { max-width: 74rem; margin: 0 auto; padding: 0 1.5rem 5rem; }
.skip {
  position: fixed; top: -5rem; left: 1rem; z-index: 30; padding: .5rem 1rem; border-radius: .5rem;
  background: var(--accent); color: var(--ground);
}
.skip:focus { top: .5rem; }
h1 {
  font-size: clamp(2.1rem, 5vw, 3.3rem); line-height: 1.1; letter-spacing: -.025em;
  margin: 4rem 0 1rem; max-width: 20ch; text-wrap: balance;
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
  background: var(--code); overflow-x: auto; font-size: .9rem; line-height: 1.55;
}
:is(p, li, td, th, dd, h1, h2, h3, .lead) > code, a > code {
  padding: .1em .32em; border-radius: .3em; background: var(--code); font-size: .88em;
}
:is(pre, .scroll):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
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
  background: var(--card); position: relative;
}
.grid strong { display: block; line-height: 1.35; margin-bottom: .25rem; }
.grid a { color: inherit; text-decoration: none; }
.grid a::after { content: ""; position: absolute; inset: 0; border-radius: .8rem; }
.grid a:focus-visible { outline: none; }
.grid li:is(:hover, :focus-within) { border-color: var(--accent); }
.grid li:has(a:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.grid code, .grid span { font-size: .84rem; color: var(--soft); overflow-wrap: anywhere; }
.grid code { padding: 0; background: none; }
.grid span { display: block; line-height: 1.5; }
.rows { padding-left: 1.2rem; margin: 0; }
.trail { margin: 2.4rem 0 -1.4rem; }
.trail + h1 { margin-top: 2rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .8rem; }
table { width: 100%; border-collapse: collapse; background: var(--card); font-size: .94rem; }
th, td { padding: .65rem 1rem; text-align: left; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 550; white-space: nowrap; }
tbody tr:last-child :is(td, th) { border-bottom: 0; }
tbody th { color: var(--ink); }
td small { display: block; color: var(--soft); font-size: .84rem; }
.soft { color: var(--soft); }
p.soft { font-size: .92rem; max-width: 70ch; margin-top: 1.2rem; }
.facts { display: grid; gap: .9rem; margin: 0; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.facts div { padding: 1rem 1.15rem; border: 1px solid var(--line); border-radius: .8rem; background: var(--card); }
.facts dt { color: var(--soft); font-size: .9rem; }
.facts dd { margin: 0; font-size: 1.2rem; font-weight: 600; }
.facts dd.soft { font-size: .9rem; font-weight: 400; }
.note + .facts { margin-top: 1.4rem; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.state { font-weight: 600; color: var(--accent); }
.state.late { color: var(--warn); }
.state.failing { color: var(--bad); }
.state.idle, .state.replayed, .state.empty { color: var(--soft); }
/* On a phone, each row of such a table is a block with labels before its values. */
.list b { display: none; }
@media (max-width: 40rem) {
  .list thead { position: absolute; clip-path: inset(50%); }
  .list tr { display: grid; grid-template-columns: 1fr auto; gap: .15rem 1rem; padding: .8rem 1rem; }
  .list tr + tr { border-top: 1px solid var(--line); }
  .list :is(tbody th, td) { padding: 0; border: 0; }
  .list td:nth-child(2) { text-align: right; }
  .list td.number { grid-column: 1 / -1; font-size: .88rem; color: var(--soft); white-space: normal; }
  .list td.number :is(b, small) { display: inline; font-weight: 400; font-size: 1em; }
  .list td.number :is(b, small)::after { content: " "; }
  .list td.number small::before { content: " · "; }
}
@media (max-width: 30rem) {
  main { padding: 0 1rem 3rem; }
  h1 { margin-top: 2.4rem; }
}
${NAV_STYLE}${PROSE_STYLE}`;

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0f6b57"/>
<path d="M5 23h4c3 0 3-14 7-14s4 14 7 14h4" fill="none" stroke="#fff" stroke-width="2.6"
 stroke-linecap="round" stroke-linejoin="round"/>
<circle cx="16" cy="26" r="1.9" fill="#fff"/>
</svg>
`;
