/** A text that people read, and where it is. */
export interface Prose {
  kind: 'comment' | 'test name' | 'label' | 'log message' | 'document';
  /** Repository-relative. */
  path: string;
  line: number;
  text: string;
}

/**
 * Words and phrases of the private dialect this project was first written in. Each has an everyday
 * word or a term of the field in its place; `docs/glossary.md` lists the terms.
 */
const BANNED: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\banew\b/i, instead: 'again, or drop it' },
  { pattern: /\bmend(s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /\bbesides\b/i, instead: 'also, in addition to' },
  { pattern: /\bwhom\b/i, instead: 'name the person or thing' },
  { pattern: /\b(whoever|whomever|whatever it is|that which)\b/i, instead: 'name the actor' },
  { pattern: /\bstands\b(?! (in|out|for)\b)/i, instead: 'is, applies, is current' },
  { pattern: /\btells? of\b/i, instead: 'reports, describes' },
  { pattern: /\btold\b/i, instead: 'notified, sent, given' },
  { pattern: /\bfares?\b/i, instead: 'name the state' },
  { pattern: /\black(s|ed|ing)?\b/i, instead: 'has no, is missing' },
  { pattern: /\bso (many|much|long|often)\b/i, instead: 'name the number' },
  { pattern: /\bas a rule\b/i, instead: 'usually' },
  { pattern: /\b(nobody|somebody|anybody|everybody)\b/i, instead: 'name the actor' },
  { pattern: /\bin vain\b/i, instead: 'without success' },
  { pattern: /\blest\b/i, instead: 'so that … not' },
  { pattern: /\b(gives?|gave|given) back\b/i, instead: 'return, release' },
  { pattern: /\bof its own accord\b|\bby itself alone\b/i, instead: 'automatically' },
  { pattern: /\bfront door\b|\bback office\b/i, instead: 'the term from the glossary' },
  { pattern: /\bkept out\b|\blet in\b/i, instead: 'quarantined, accepted' },
  { pattern: /\bever (later|longer|more often)\b/i, instead: 'with backoff' },
];

/** A sentence that begins with a relative clause hides its subject. */
const CLAUSE = /^(What|Whatever|Who|Whoever|Whom|Whose|Nobody|Somebody|One (that|who|which))\b/;
/** A comment begins with a noun or a verb. Labels of yes-no values may begin with "Whether". */
const PREPOSITION = /^(Which|Those|Of|How|Whether|So|By(?! default)|That)\b/;

const MESSAGE_START = /^([a-z0-9]|[A-Z][A-Z0-9_-]+\b|X-|PostgreSQL|PGlite|Prometheus|Retry-After)/;

/** One line per broken rule, in the order of the texts. */
export function findDialect(texts: readonly Prose[]): string[] {
  return texts.flatMap((text) =>
    problemsOf(text).map((problem) => `${text.path}:${text.line}: ${text.kind}: ${problem}`),
  );
}

function problemsOf({ kind, text }: Prose): string[] {
  const prose = withoutCode(text);
  const problems = BANNED.flatMap(({ pattern, instead }) => {
    const match = pattern.exec(prose);
    return match === null ? [] : [`"${match[0]}" (instead: ${instead}): ${shorten(text)}`];
  });
  if (kind === 'comment' || kind === 'label') {
    const sentences = prose.split(/(?<=[.:!?])\s+|\n\n/).map((sentence) => sentence.trim());
    const opening =
      sentences.map((sentence) => CLAUSE.exec(sentence)).find((match) => match !== null) ??
      (kind === 'comment' ? PREPOSITION.exec(sentences[0] ?? '') : null);
    if (opening !== null) problems.push(`begins with "${opening[0]}": ${shorten(text)}`);
  }
  if (kind === 'log message') problems.push(...messageProblems(text));
  return problems;
}

function messageProblems(text: string): string[] {
  const problems: string[] = [];
  if (!MESSAGE_START.test(text)) problems.push(`starts with a capital letter: ${shorten(text)}`);
  if (text.trim().endsWith('.')) problems.push(`ends with a full stop: ${shorten(text)}`);
  return problems;
}

/** Names in backticks, code and quotations are not prose. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/`[^`]*`/g, '`code`')
    .replaceAll(/https?:\/\/\S+/g, 'URL')
    .replaceAll(/"[^"\n]*"/g, '"…"');
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
