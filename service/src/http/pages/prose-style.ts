/** Style for long texts: guides with the list of guides next to them, or below them on a phone. */
export const PROSE_STYLE = `
body.guide main {
  display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3.5rem; padding-top: 2.4rem;
}
.sidebar {
  grid-column: 1; grid-row: 1; align-self: start; position: sticky; top: 5.2rem; font-size: .92rem;
  max-height: calc(100vh - 6.5rem); overflow-y: auto; overscroll-behavior: contain;
}
.sidebar h2 {
  margin: 1.4rem 0 .35rem .7rem; font-size: .78rem; letter-spacing: .05em; color: var(--soft);
  text-transform: uppercase; font-weight: 600;
}
.sidebar h2:first-child { margin-top: 0; }
.sidebar ul { list-style: none; margin: 0; padding: 0; }
.sidebar a {
  display: block; padding: .24rem .7rem; border-radius: .4rem; color: var(--soft);
  text-decoration: none; line-height: 1.4;
}
.sidebar a:hover { color: var(--ink); background: var(--code); }
.sidebar a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 600; }
.sidebar ul ul { margin: .2rem 0 .5rem .7rem; border-left: 1px solid var(--line); font-size: .95em; }
.sidebar ul ul a { font-weight: 400; }
.prose { grid-column: 2; min-width: 0; }
.prose > :not(.scroll) { max-width: 48rem; }
.prose h1 { margin: 0 0 1.2rem; font-size: clamp(1.9rem, 4vw, 2.5rem); }
.prose h2 { font-size: 1.4rem; margin: 2.8rem 0 .8rem; letter-spacing: -.01em; line-height: 1.3; }
.prose h3 { font-size: 1.08rem; margin: 2rem 0 .5rem; }
.prose :is(h2, h3, h4) { scroll-margin-top: 4.6rem; }
.anchor { color: inherit; text-decoration: none; }
.anchor::after { content: " #"; color: var(--line); font-weight: 400; }
.anchor:hover::after, .anchor:focus-visible::after { color: var(--accent); }
.prose p, .prose ul, .prose ol { margin: 0 0 1rem; }
.prose h1 + p { font-size: 1.1rem; color: var(--soft); }
.prose li { margin: .3rem 0; }
.prose li::marker { color: var(--soft); }
.prose ul, .prose ol { padding-left: 1.4rem; }
.prose pre, .prose .scroll { margin: 1.1rem 0 1.5rem; }
.prose pre i { font-style: normal; color: var(--soft); }
.prose blockquote {
  margin: 1.2rem 0; padding: .1rem 1.2rem; border-left: 3px solid var(--accent); color: var(--soft);
}
.prose td { vertical-align: top; }
.prose footer { margin-top: 3.5rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
.prose footer p { font-size: .92rem; }
.pager { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: 0 0 1.4rem; }
.pager a {
  padding: .8rem 1.1rem; border: 1px solid var(--line); border-radius: .8rem; font-weight: 550;
  text-decoration: none; background: var(--card); color: var(--ink); line-height: 1.35;
}
.pager a:hover { border-color: var(--accent); }
.pager a[rel=next] { grid-column: 2; text-align: right; }
.pager small { display: block; font-weight: 400; color: var(--soft); }
@media (max-width: 52rem) {
  body.guide main { display: block; padding-top: 1.6rem; }
  .sidebar {
    position: static; max-height: none; margin-top: 2.5rem; padding-top: 1.5rem; font-size: 1rem;
    border-top: 1px solid var(--line);
  }
  .sidebar a { padding: .45rem .7rem; }
  .sidebar ul ul { display: none; }
  .prose table { font-size: .9rem; }
  .anchor::after { content: none; }
  .prose th, .prose td { padding: .5rem .7rem; }
}
`;
