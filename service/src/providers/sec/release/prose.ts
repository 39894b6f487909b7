import {
  type Decimal,
  divideDecimals,
  multiplyDecimals,
  normalizeDecimal,
} from '../../../domain/decimal.ts';
import { type SourceText, sourceOffset } from '../html/source-text.ts';
import { ADJUSTED } from './row-labels.ts';
import { sentencesOf } from './sentences.ts';

/** An amount of money in a sentence. */
export interface Mention {
  value: Decimal;
  /** Power of ten of the last digit: 6 for `$341 million`, 5 for `$341.1 million`. */
  precision: number;
  /** Words since the amount before, and those of the amount before if this is another form of it. */
  lead: string;
  /** The next words. */
  after: string;
  sentence: string;
  offset: number;
}

/** A result per share in a sentence. */
export interface PerShareMention extends Mention {
  isAdjusted: boolean;
  isBasic: boolean;
  isDiluted: boolean;
  /** The sentence names the quarter, a longer period, or neither. */
  period: 'quarter' | 'longer' | 'unsaid';
}

const MONEY =
  /(?:(?:US|C|CA|A|NT|HK)?\$|[€£¥]|\b(?:RMB|EUR|USD|CNY|GBP|CHF|JPY)) ?(?<inner>[(\-–−])? ?(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\)?(?: (?<unit>thousand|million|billion|trillion|[mb]n?\b))?|(?<cents>\d+(?:\.\d+)?)(?: |-)(?:cents|pence)/gi;
const POWERS: Readonly<Record<string, number>> = { t: 12, b: 9, m: 6 };
const PASSAGES_MAX = 1500;
/** Between an amount and its amount per share: `$566 million, or $0.78`. */
const SAME_SUBJECT = /^[\s,(]*(?:or|and|equal to|which equates to|\/|-|–|—)?[\s,(]*$/i;
const PER_SHARE_WORDS = /^\)?,? ?(?:a|per) (?:[\w/-]+ ){0,4}?(?:share|ads|unit)s?/i;
const AFTER_LENGTH = 60;
/** Words directly before an amount that say what it is. */
const PART_LENGTH = 60;
const AFTER_PER_SHARE =
  /^\)?,? ?(?:a|per|for each) ?(?:[\w/-]+ ){0,5}?(?:share|ads|adr|unit|stock)/i;
const BEFORE_PER_SHARE =
  /\b(?:eps|(?:earnings|income|loss|profit)(?: \((?:loss|income)\))?(?:,)? (?:attributable [^.]{0,50})?per (?:[\w/-]+ ){0,4}?(?:share|ads|unit)s?)[^.;$€£¥]{0,70}$/i;
const PRIOR =
  /\bfrom\s*$|\b(?:compared|compares|versus|vs|against|prior|previous|last year|year[- ]ago|year earlier|same (?:quarter|period)|corresponding|sequential|(?:in|for) the (?:first|second|third|fourth) quarter of (?:fiscal )?20\d\d,? (?:the company|we) (?:reported|had))\b/i;
const FORECAST =
  /\b(?:expects?|expected|expecting|guidance|outlook|anticipates?|forecasts?|projects?|projected|targets?|estimates?|range|reaffirm\w*|raises?|will be|in the range|between)\b/i;
const LONGER =
  /\b(?:full[- ]year|fiscal year|for the year|year ended|years ended|twelve[- ]months?|nine[- ]months?|six[- ]months?|year[- ]to[- ]date|first half|second half|half[- ]year|annual|for (?:fiscal )?20\d\d|(?:39|26|52|53)[- ]weeks?|first (?:nine|six) months)\b/i;
const QUARTER = /\b(?:quarter|three[- ]months?|1[2-4][- ]weeks?|q[1-4])\b/i;
/** Parts of the result, and amounts per share of another kind. */
const PART =
  /\b(?:dividends?|distributions?|book value|charges?|impairments?|gains?|benefits?|restructuring|investment losses|costs?|expenses?|includ(?:es?|ed|ing)|impact(?:ed)?|offset|price|tangible|ffo|funds from operations|cash flow|repurchas\w+|average price|discontinued|conversion|par value|tender|warrants?|consideration|after-tax|pre-?tax|net of tax|write-?(?:off|down)s?)\b/i;
const RESULT =
  /\b(?:net (?:\()?(?:income|loss|earnings|profit)|earnings|earned|eps|loss|income|profit)\b/i;

/** Finds every amount of money in the document's sentences. */
export function findMentions(passages: readonly SourceText[]): Mention[] {
  return passages.slice(0, PASSAGES_MAX).flatMap(mentionsIn);
}

function mentionsIn(passage: SourceText): Mention[] {
  return sentencesOf(passage).flatMap(({ text, start }) => mentionsOf(passage, text, start));
}

function mentionsOf(passage: SourceText, sentence: string, start: number): Mention[] {
  const mentions: Mention[] = [];
  let end = 0;
  for (const match of sentence.matchAll(MONEY)) {
    const amount = amountOf(match.groups ?? {});
    const between = sentence.slice(end, match.index);
    end = match.index + match[0].length;
    if (amount === null) continue;
    const last = mentions.at(-1);
    const continues = last !== undefined && SAME_SUBJECT.test(between.replace(PER_SHARE_WORDS, ''));
    mentions.push({
      ...amount,
      lead: continues ? `${last.lead} ${between}` : between,
      after: sentence.slice(end, end + AFTER_LENGTH),
      sentence,
      offset: sourceOffset(passage, start + match.index),
    });
  }
  return mentions;
}

function amountOf(
  groups: Readonly<Record<string, string | undefined>>,
): Pick<Mention, 'value' | 'precision'> | null {
  const { inner, digits, unit, cents } = groups;
  const plain = (cents ?? digits ?? '').replaceAll(',', '').replace(/^\./, '0.');
  const value = normalizeDecimal(plain);
  if (value === null) return null;
  const decimals = plain.split('.')[1]?.length ?? 0;
  if (cents !== undefined) {
    return { value: divideDecimals(value, '100', decimals + 2) ?? value, precision: -2 - decimals };
  }
  const power =
    unit === undefined
      ? 0
      : unit.startsWith('th')
        ? 3
        : (POWERS[unit[0]?.toLowerCase() ?? ''] ?? 0);
  const isNegative = inner !== undefined;
  const scaled = multiplyDecimals(value, `1${'0'.repeat(power)}`);
  return {
    value: isNegative ? multiplyDecimals(scaled, '-1') : scaled,
    precision: power - decimals,
  };
}

/** Returns the results per share of the reported period among the mentions. */
export function perShareMentions(mentions: readonly Mention[]): PerShareMention[] {
  return mentions.flatMap((mention) => {
    const { lead, after, sentence, precision } = mention;
    if (precision < -4 || precision > -2) return [];
    const perAfter = AFTER_PER_SHARE.exec(after);
    if (perAfter === null && !BEFORE_PER_SHARE.test(lead)) return [];
    const subject = `${lead} ${perAfter?.[0] ?? ''}`;
    if (!RESULT.test(subject) || PART.test(lead.slice(-PART_LENGTH))) return [];
    if (PRIOR.test(lead) || FORECAST.test(sentence)) return [];
    return [describe(mention, subject)];
  });
}

function describe(mention: Mention, subject: string): PerShareMention {
  const { sentence, value, lead } = mention;
  const isNegative = isLoss(lead) && !value.startsWith('-');
  const isLonger = LONGER.test(lead) || (LONGER.test(sentence) && !QUARTER.test(sentence));
  return {
    ...mention,
    value: isNegative ? multiplyDecimals(value, '-1') : value,
    isAdjusted: ADJUSTED.test(subject.toLowerCase()),
    isBasic: /\bbasic\b/i.test(subject) && !/\bdilut/i.test(subject),
    isDiluted: /\bdilut/i.test(subject),
    period: isLonger ? 'longer' : QUARTER.test(sentence) ? 'quarter' : 'unsaid',
  };
}

/** Returns true if the last result that the words name is a loss. */
function isLoss(text: string): boolean {
  const words = [...text.matchAll(/\b(?:loss|income|earnings|profit|eps)\b/gi)];
  return /loss/i.test(words.at(-1)?.[0] ?? '');
}
