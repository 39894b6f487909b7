import type { SourceText } from '../html/source-text.ts';

/** Powers of ten by which the amounts of a table are shortened: 3 for thousands. */
export type Scale = 0 | 2 | 3 | 5 | 6 | 7 | 9;

const SCALES: readonly (readonly [RegExp, Scale])[] = [
  [/\bthousands?\b|\b000'?s?\b|[$€£¥] ?'?000\b|\(000\)|\bin '?000/i, 3],
  [/\bbillions?\b|\bbn\b/i, 9],
  [
    /\bmillions?\b|\bmm\b|\bmln\b|\bmio\b|(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF|DKK|SEK|NOK|US\$)) ?m\b|\bm(?:€|£)/i,
    6,
  ],
  [/\bcrores?\b/i, 7],
  [/\blakhs?\b/i, 5],
  [/\bhundreds?\b/i, 2],
];

const MONEY = /\b(?:except|dollars|amounts|data|information)\b|[$€£¥]|\b(?:USD|RMB|EUR)\b/i;

/** Returns the scale that a text names for money, or null. Scales of share counts do not count. */
export function scaleOf(text: string): Scale | null {
  if (/\bshares?\b/i.test(text) && !MONEY.test(text)) return null;
  const clauses = text.split(/[,;()]|\bexcept\b|\band\b/i);
  const money = clauses.filter(
    (clause) => !/\bshares?\b/i.test(clause) || /\b(?:dollars|amounts)\b/i.test(clause),
  );
  for (const clause of [...money, ...clauses]) {
    const scale = SCALES.find(([shape]) => shape.test(clause));
    if (scale !== undefined) return scale[1];
  }
  return null;
}

/** Returns the scale of a table from its title, whose last parts are the nearest to the amounts. */
export function tableScale(title: string): Scale | null {
  for (const part of title.split(' | ').toReversed()) {
    // A sentence such as `sales of $3 million` says nothing about the table.
    const scale = isScaleNote(part) ? scaleOf(part) : null;
    if (scale !== null) return scale;
  }
  return null;
}

function isScaleNote(part: string): boolean {
  if (part.length > 140 || /[$€£¥] ?\d/.test(part)) return false;
  return /\(|^in\b|\bin\b.*\b(?:thousands|millions|billions)\b|\b(?:of|dollars|amounts|except|expressed|omitted|unaudited|USD|RMB|EUR|yen)\b|[$€£¥]|'s\b|^\W*(?:thousands|millions|billions)\W*$|\bmillions?$/i.test(
    part,
  );
}

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:RMB|CNY)(?=\b|\d)|\b(?:renminbi|yuan)\b/i, 'CNY'],
  [/\bEUR(?=\b|\d)|\beuros?\b|€/i, 'EUR'],
  [/\b(?:GBP|pounds? sterling|sterling)\b|£/i, 'GBP'],
  [/\b(?:JPY|yen)\b|¥/i, 'JPY'],
  [/\b(?:CAD|C\$|Canadian dollars?|Cdn\$?)(?:\b|(?=\W))/i, 'CAD'],
  [/\b(?:AUD|A\$|Australian dollars?)(?:\b|(?=\W))/i, 'AUD'],
  [/\bNT ?\$|\b(?:TWD|New Taiwan dollars?)\b/i, 'TWD'],
  [/\bHK ?\$|\b(?:HKD|Hong Kong dollars?)\b/i, 'HKD'],
  [/\b(?:CHF|Swiss francs?)\b/i, 'CHF'],
  [/\b(?:DKK|Danish kroner?)\b/i, 'DKK'],
  [/\b(?:SEK|Swedish kron\w*)\b/i, 'SEK'],
  [/\b(?:NOK|Norwegian kron\w*)\b/i, 'NOK'],
  [/\b(?:KRW|Korean won)\b/i, 'KRW'],
  [/\b(?:INR|Rupees?|Rs\.)(?:\b|(?=\W))|₹/i, 'INR'],
  [/\b(?:NIS|ILS|shekels?)\b/i, 'ILS'],
  [/\b(?:BRL|reais)\b|R\$/i, 'BRL'],
  [/\b(?:MXN|Mexican pesos?)\b|\bPs\./i, 'MXN'],
  [/\b(?:USD|U\.?S\.? ?dollars?)\b|\bUS ?\$|U\.S\. ?\$/i, 'USD'],
];

/** Returns the currencies that a text names, without bare dollar signs. */
export function currenciesOf(text: string): string[] {
  return CURRENCIES.flatMap(([shape, code]) => (shape.test(text) ? [code] : []));
}

/** One passage alone, such as a legal notice, does not decide. */
const COUNT_MAX = 5;

/**
 * Returns the currency in which most passages state their amounts. A bare dollar sign is a U.S.
 * dollar, unless the document says which other dollar it means.
 */
export function documentCurrency(
  passages: readonly SourceText[],
  titles: readonly string[],
): string {
  const counts = new Map<string, number>();
  const add = (code: string, weight: number): void =>
    void counts.set(code, (counts.get(code) ?? 0) + weight);
  for (const { text } of passages) {
    for (const [shape, code] of CURRENCIES) {
      const count = text.match(new RegExp(shape.source, 'gi'))?.length ?? 0;
      add(code, Math.min(count, COUNT_MAX));
    }
    add('USD', Math.min(text.match(/(?<![A-Z])\$ ?\(?\d/g)?.length ?? 0, COUNT_MAX));
    const other =
      /\b(?:all|unless|amounts|figures)\b[^.]{0,120}\b(Canadian|Australian) dollars/i.exec(text);
    if (other !== null) add(other[1] === 'Canadian' ? 'CAD' : 'AUD', 1000);
  }
  for (const title of titles) {
    const codes = currenciesOf(title);
    // A table in two currencies translates its figures to dollars.
    for (const code of codes) if (codes.length === 1 || code !== 'USD') add(code, 3);
  }
  const stated = [...counts].filter(([, count]) => count > 0);
  const [first] = stated.toSorted((a, b) => b[1] - a[1]);
  return first?.[0] ?? 'USD';
}
