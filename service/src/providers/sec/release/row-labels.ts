/** Meaning of a row of a financial table, from its label and the headings above it. */
export interface PerShareLabel {
  /** Diluted, basic, both in one row, or not said. */
  dilution: 'diluted' | 'basic' | 'both' | 'unsaid';
  isAdjusted: boolean;
  /** An adjusted figure of the kind that companies compare with estimates. */
  isStatedAdjusted: boolean;
  /** The label says that the figure follows the accounting standards. */
  isNamedGaap: boolean;
  /** `total` is the whole result; the others are parts of it. */
  scope: 'total' | 'continuing' | 'part';
  /** Class of shares, such as `class a`; null if the label names none. */
  shareClass: string | null;
  /** The label speaks of a loss only, so that an amount without a sign is a loss. */
  isLoss: boolean;
  /** American depositary shares, of which one can stand for several ordinary shares. */
  isDepositary: boolean;
}

const PER_SHARE =
  /\bper\b[^|]{0,60}?\b(?:shares?|ads|adss|adr|units?|stock)\b|\beps\b|\bearnings\/share\b|\bper[- ]share\b|\b(?:earnings|loss|profit)(?: \((?:loss|losses|earnings)\))? (?:a|each) share\b/;
const RESULT = /\b(?:earnings?|incomes?|loss(?:es)?|profits?|eps|results?)\b/;
/** Amounts per share that are not a result, or only a part of one. */
const OTHER_PER_SHARE = new RegExp(
  [
    String.raw`\b(?:dividends?|distributions?|book|tangible|nav|net asset|net assets|cash flows?|price|par value|market|closing)\b`,
    String.raw`\b(?:ffo|affo|nareit|funds from operations|fad|cad|ebitda\w*|revenues?|sales)\b`,
    String.raw`\b(?:interest|investment|comprehensive|pre-?tax|rental|distributable|other|gross|underwriting) (?:income|earnings|profit|result)\b`,
    String.raw`\bbefore (?:income )?tax`,
    String.raw`\b(?:loss|gain|income|benefit|charge|impact|effect|adjustment|expense|cost|provision)s? (?:on|of|related|associated|due|resulting)\b`,
    String.raw`\b(?:tax|taxes|amortization|depreciation|impairment|restructuring|litigation|severance|stock-based|goodwill)\b`,
    String.raw`\b(?:guidance|outlook|forecast|estimate[ds]?|expected|range|target|consensus|increase|decrease|growth|change|return on|ratio|payout)\b`,
  ].join('|'),
);
const SHARE_COUNT =
  /\b(?:weighted|average shares|shares used|number of|shares outstanding|outstanding shares|denominator|shares (?:basic|diluted)|(?:basic|diluted) (?:common )?shares|used (?:in|to|for) (?:comput|calculat|determin))|\b(?:ordinary|common)? ?shares? (?:used|outstanding)|(?:in (?:thousands|millions)|shares\))$/;
export const ADJUSTED =
  /\b(?:adjusted|adj\.?|non-?\s?(?:gaap|ifrs)|core|operating (?:earnings|income|eps|net)|normalized|normalised|pro ?-?forma|excluding|exclusive of|ex-|before (?:special|exceptional|one-time|unusual|certain|merger|restructuring|amortization|goodwill|charges|items)|underlying|cash (?:earnings|eps|net)|economic|comparable|recurring|ongoing|headline|supplemental|managed|as if|constant[- ]currency|business performance|street)\b/;
/** Adjusted figures that companies compare with estimates. Others are no earnings at all. */
const STATED_ADJUSTED =
  /\b(?:adjusted|adj\.?|non-?\s?(?:gaap|ifrs)|core|operating (?:earnings|income|eps|net)|normali[sz]ed|underlying|excluding)\b/;
const OTHER_ADJUSTED =
  /\b(?:economic|cash (?:earnings|eps)|distributable|currency|pro ?-?forma|excluding (?:the )?(?:impact|effect)s? of (?:foreign|currency))\b/;
/** A heading such as `Non-GAAP:` makes all rows below it adjusted. */
const ADJUSTED_HEADING =
  /^(?:non-?\s?(?:gaap|ifrs)|adjusted|core|as adjusted)\b(?!.*\b(?:ebitda|reconcil))/;
const GAAP =
  /(?:^|[^-\w] ?)\b(?:u\.?s\.? )?gaap\b|\bas reported\b|\breported\b|\bifrs\b|\bstatutory\b/;
const CLASS = /\b(class [a-z]|series [a-z]|type [a-z]|common b|b common)\b/;

/** Removes footnotes and typographic variants, so that labels of different filers compare. */
export function normalizeLabel(label: string): string {
  return label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(
      /\s*(?:\(\s*(?:\d{1,2}|[a-z]|[ivx]{1,4}|\*)\s*\)|\[\s*\w{1,2}\s*\]|[*†‡§¹²³]+)/g,
      ' ',
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s.:•·-]+|[\s.:-]+$/g, '');
}

/** Reads the label of a row of results per share. Returns null for any other row. */
export function readPerShareLabel(
  label: string,
  sections: readonly string[],
): PerShareLabel | null {
  const own = normalizeLabel(label);
  const above = sections.map(normalizeLabel);
  const isOwnResult = isResultPerShare(own);
  const whole = [...above, own].join(' | ');
  if (isOwnResult) {
    if (OTHER_PER_SHARE.test(own) || isShareCount(own)) return null;
  } else if (!isRowOfSection(own, above)) return null;
  const context = isOwnResult ? own : whole;
  const nearest = above.at(-1) ?? '';
  const dilution = dilutionOf(own) ?? (dilutionOf(above.toReversed().join(' | ')) || 'unsaid');
  return {
    dilution,
    isAdjusted:
      ADJUSTED.test(context.replaceAll(/\bas adjusted\b(?= for)/g, '')) ||
      (ADJUSTED_HEADING.test(nearest) && !GAAP.test(own)),
    isStatedAdjusted:
      STATED_ADJUSTED.test(`${nearest} ${context}`) && !OTHER_ADJUSTED.test(context),
    isNamedGaap: GAAP.test(own) && !/\bnon-? ?gaap\b/.test(own),
    scope: scopeOf(own, above),
    shareClass: CLASS.exec(own)?.[1] ?? CLASS.exec(above.at(-1) ?? '')?.[1] ?? null,
    isLoss:
      /\bloss(?:es)?\b/.test(context) && !/\b(?:incomes?|earnings?|profits?|eps)\b/.test(context),
    isDepositary: /\bad[sr]s?\b|\bamerican depositary\b/.test(context),
  };
}

function isResultPerShare(text: string): boolean {
  return PER_SHARE.test(text) && RESULT.test(text);
}

function isShareCount(text: string): boolean {
  return (
    SHARE_COUNT.test(text) && !/^(?:basic|diluted)? ?(?:net )?(?:earnings|income|loss)/.test(text)
  );
}

/** A row such as `Diluted` or `Net income`, whose heading says that it is per share. */
function isRowOfSection(own: string, above: readonly string[]): boolean {
  const nearest = above.at(-1) ?? '';
  const headings = above.join(' | ');
  if (isShareCount(own) || OTHER_PER_SHARE.test(own) || isShareCount(nearest)) return false;
  if (OTHER_PER_SHARE.test(nearest) || (/\bshares\b/.test(own) && !/\bper\b/.test(own)))
    return false;
  if (!PER_SHARE.test(headings) || !(RESULT.test(headings) || RESULT.test(own))) return false;
  return own === '' || RESULT.test(own) || /\b(?:basic|dilut|dilution|total|primary|ads)/.test(own);
}

function dilutionOf(text: string): PerShareLabel['dilution'] | null {
  const isDiluted = /\bdilut|\bassuming (?:full )?dilution\b/.test(text);
  const isBasic = /\bbasic\b|\bprimary\b|\bundiluted\b/.test(text);
  if (isDiluted && isBasic) return 'both';
  if (isDiluted) return /\bundiluted\b/.test(text) ? 'basic' : 'diluted';
  return isBasic ? 'basic' : null;
}

const CONTINUING = /\bcontinuing\b/;
const PART =
  /\bdiscontinued\b|\bextraordinary\b|\bcumulative\b|\baccounting change|\bchange in accounting\b|\bundistributed\b|\bnon-?controlling\b|\bminority\b|\bpreferred\b|\bdisposal\b/;

function scopeOf(own: string, above: readonly string[]): PerShareLabel['scope'] {
  if (CONTINUING.test(own)) return /\bdiscontinued\b/.test(own) ? 'total' : 'continuing';
  if (
    /\b(?:net|total|attributable|available|applicable)\b/.test(own) &&
    !/\bdiscontinued\b/.test(own)
  ) {
    return /\bbefore\b/.test(own) ? 'part' : 'total';
  }
  if (PART.test(own) || /\bbefore\b/.test(own)) return 'part';
  const nearest = above.at(-1) ?? '';
  if (CONTINUING.test(nearest) && !/\bdiscontinued\b/.test(nearest)) return 'continuing';
  return PART.test(nearest) && !CONTINUING.test(nearest) ? 'part' : 'total';
}

export interface RevenueLabel {
  kind: 'total' | 'net' | 'plain' | 'row-of-section';
}

const REVENUE = String.raw`(?:revenues?|sales|turnover)`;
const TAIL = String.raw`(?: from (?:external customers|contracts with customers|operations|continuing operations))?(?:,? ?(?:net|- net))?(?:,? net of (?:interest expense|excise tax(?:es)?|returns.{0,30}|.{0,40}allowances?))?(?: and (?:other|investment|finance) (?:operating )?(?:income|gains|revenues?))?(?: \(.{0,60}\))?`;
const TOTAL = new RegExp(
  String.raw`^(?:total|consolidated|group)(?: consolidated| company| group)? (?:net )?(?:operating )?(?:net )?${REVENUE}(?: and (?:other )?(?:operating )?(?:revenues?|income|sales)| and other)?${TAIL}$`,
);
const NET = new RegExp(
  String.raw`^net (?:operating )?${REVENUE}(?: and (?:operating )?revenues?)?${TAIL}$`,
);
const PLAIN = new RegExp(
  String.raw`^(?:operating |contract )?${REVENUE}(?: to customers)?(?: and (?:other operating )?(?:revenues?|income))?${TAIL}$`,
);
const SECTION = new RegExp(
  String.raw`^(?:net |total |operating )*${REVENUE}(?: and (?:other(?: income)?|(?:other operating )?revenues?|sales)|,? net)?$`,
);

/** Reads the label of a row of revenue. Returns null for any other row. */
export function readRevenueLabel(label: string, sections: readonly string[]): RevenueLabel | null {
  const own = normalizeLabel(label).replace(
    /^(?:gaap|reported|ifrs) | (?:as reported|gaap|- gaap)$/g,
    '',
  );
  if (TOTAL.test(own)) return { kind: 'total' };
  if (NET.test(own)) return { kind: 'net' };
  if (PLAIN.test(own)) return { kind: 'plain' };
  const nearest = normalizeLabel(sections.at(-1) ?? '');
  return SECTION.test(nearest) ? { kind: 'row-of-section' } : null;
}

/** Returns true for a row that only banks and other lenders have. */
export function isLenderLabel(label: string): boolean {
  const own = normalizeLabel(label);
  return (
    /^net interest income\b|^total interest (?:and dividend )?income|^net interest (?:income|margin) after/.test(
      own,
    ) || /\bprovision for (?:credit|loan|possible loan)/.test(own)
  );
}

/** Returns true for a row of net income or loss. */
export function isNetIncomeLabel(label: string): boolean {
  return /^(?:consolidated |gaap )?(?:net (?:\(?(?:income|earnings|loss|profit)\)?)|(?:profit|loss)(?: \((?:loss|profit)\))? (?:for|attributable))/.test(
    normalizeLabel(label),
  );
}
