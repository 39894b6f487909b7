import {
  absoluteDecimal,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  roundTo,
} from '../../../domain/decimal.ts';
import { inMainUnit } from './amount.ts';
import type { TableColumn } from './columns.ts';
import { type CurrentColumn, currentColumns, yearAgoColumn } from './current-columns.ts';
import { figureCurrency, inDocumentCurrency } from './figure-currency.ts';
import type { FinancialRow } from './financial-table.ts';
import type { Figure, Finding } from './figure.ts';
import type { PerShareMention } from './prose.ts';
import type { PerShareLabel } from './row-labels.ts';
import type { ReportedPeriod } from './settle-period.ts';
import type { AmountCell } from './table-rows.ts';
import { cellName, isAdjustedColumn, isReportedColumn, type LabeledTable } from './table-traits.ts';

/** A result per share in a table. */
export interface EpsCandidate {
  value: Decimal;
  /** The other amounts of the row, in other columns. */
  others: Decimal[];
  label: PerShareLabel;
  isAdjusted: boolean;
  /** 3 in a statement of the quarter, 2 in another table of the quarter, 1 without certainty. */
  strength: 1 | 2 | 3;
  table: number;
  row: string;
  column: string;
  offset: number;
  currency: string;
  /** The row's value for the quarter a year before; null if the table has none. */
  yearAgo: Decimal | null;
}

const EPS_MAX = '100000';

/** Finds every result per share of the reported quarter in the tables. */
export function epsCandidates(
  tables: readonly LabeledTable[],
  reported: ReportedPeriod,
  currency: string,
): EpsCandidate[] {
  return tables.flatMap((table, tableIndex) => {
    if (table.isExcluded) return [];
    return table.rows.flatMap((row, index) => {
      const label = table.perShare[index];
      if (label === null || label === undefined || label.scope === 'part') return [];
      const columns = currentColumns(table, reported, row.period);
      return inDocumentCurrency(columns, currency).flatMap((current) => {
        const candidate = candidateOf({ table, row, label, current, currency });
        if (candidate === null) return [];
        const isUsable = ({ ownHead }: TableColumn) =>
          isAdjustedColumn(ownHead) === isAdjustedColumn(current.column.ownHead);
        const before = yearAgoColumn(table, reported, row.period, isUsable);
        const cell = before === null ? undefined : row.cells[before.index];
        const yearAgo = cell === undefined ? null : perShareValue(cell, label);
        return [{ ...candidate, yearAgo, table: tableIndex }];
      });
    });
  });
}

function candidateOf(place: {
  table: LabeledTable;
  row: FinancialRow;
  label: PerShareLabel;
  current: CurrentColumn;
  currency: string;
}): Omit<EpsCandidate, 'table' | 'yearAgo'> | null {
  const { table, row, label, current } = place;
  const { column } = current;
  const cell = row.cells[current.index];
  const value = cell === undefined ? null : perShareValue(cell, label);
  if (cell === undefined || value === null) return null;
  const isAdjusted = label.isAdjusted || isAdjustedColumn(column.ownHead);
  if (!isAdjusted && !isReportedColumn(column)) return null;
  const isCertain =
    current.isQuarter && !(table.isReconciliation && !label.isNamedGaap && !isAdjusted);
  return {
    value,
    others: row.cells.flatMap((other) => (other === cell ? [] : (other?.value ?? []))),
    label,
    isAdjusted,
    strength: !isCertain ? 1 : table.isStatement && !table.isReconciliation ? 3 : 2,
    row: cellName(row),
    column: column.head,
    offset: cell.offset,
    currency: figureCurrency({ cell, column, title: table.title, document: place.currency }),
  };
}

/** Returns the signed value of a cell with a result per share, or null for another kind of cell. */
function perShareValue(cell: AmountCell, label: PerShareLabel): Decimal | null {
  // A count of shares or an amount of money has no decimals, or separators.
  if (cell.isRatio || (cell.decimals === 0 && !cell.isCents)) return null;
  const stated = inMainUnit(cell);
  const isUnsignedLoss = label.isLoss && stated !== null && !stated.startsWith('-');
  const value = isUnsignedLoss ? multiplyDecimals(stated, '-1') : stated;
  if (value === null || compareDecimals(absoluteDecimal(value), EPS_MAX) > 0) return null;
  return value;
}

/** Chooses the diluted result per share under the accounting standards. */
export function findGaapEps(
  candidates: readonly EpsCandidate[],
  mentions: readonly PerShareMention[],
  { currency, hasDiscontinued }: { currency: string; hasDiscontinued: boolean },
): Finding {
  const reported = candidates.filter(({ isAdjusted }) => !isAdjusted);
  const spoken = mentions.filter(
    (each) => !each.isAdjusted && !each.isBasic && each.period !== 'longer',
  );
  const finding = chooseEps('epsDilutedGaap', {
    candidates: dilutedOf(reported),
    spoken,
    currency,
    hasDiscontinued,
  });
  if (finding === null || !('figure' in finding)) return finding;
  const basic = reported.filter(({ label }) => label.dilution === 'basic');
  return checkAgainstBasic(finding.figure, { basic, spoken });
}

/** Chooses the adjusted result per share, if the company states one. */
export function findAdjustedEps(
  candidates: readonly EpsCandidate[],
  mentions: readonly PerShareMention[],
  currency: string,
): Finding {
  const adjusted = candidates.filter(
    ({ isAdjusted, label }) => isAdjusted && (label.isStatedAdjusted || !label.isAdjusted),
  );
  const spoken = mentions.filter(
    (each) => each.isAdjusted && !each.isBasic && each.period !== 'longer',
  );
  return chooseEps('epsAdjusted', {
    candidates: dilutedOf(adjusted),
    spoken,
    currency,
    hasDiscontinued: false,
  });
}

/** A row that does not say which kind it is counts only where no row says diluted. */
function dilutedOf(candidates: readonly EpsCandidate[]): EpsCandidate[] {
  const diluted = candidates.filter(
    ({ label }) => label.dilution === 'diluted' || label.dilution === 'both',
  );
  if (diluted.some(({ strength }) => strength > 1)) return diluted;
  const hasBasic = candidates.some(({ label }) => label.dilution === 'basic');
  const unsaid = candidates.filter(({ label }) => label.dilution === 'unsaid');
  return hasBasic ? diluted : [...diluted, ...unsaid];
}

interface Choice {
  /** The document has discontinued operations, so continuing ones are not the whole result. */
  hasDiscontinued: boolean;
  candidates: readonly EpsCandidate[];
  spoken: readonly PerShareMention[];
  currency: string;
}

function chooseEps(field: string, choice: Choice): Finding {
  const { spoken } = choice;
  const totals = choice.candidates.filter(({ label }) => label.scope === 'total');
  const scoped = totals.length > 0 ? totals : choice.candidates;
  if (totals.length === 0 && choice.hasDiscontinued && scoped.length > 0) {
    const values = distinct(scoped.map(({ value }) => value));
    return { refusal: { field, reason: 'continuing-operations-only', values } };
  }
  const depositary = scoped.filter(({ label }) => label.isDepositary);
  const candidates = depositary.length > 0 ? depositary : scoped;
  const confirmed = (value: Decimal) => spoken.some((mention) => isSameEps(mention.value, value));
  for (const strength of [3, 2]) {
    const strong = candidates.filter((each) => each.strength === strength);
    const values = distinct(strong.map(({ value }) => value));
    const [only] = values;
    if (only === undefined) continue;
    const agreed = values.length === 1 ? values : settle(values, candidates, confirmed);
    const [value] = agreed;
    if (value === undefined || agreed.length > 1) {
      return { refusal: { field, reason: 'conflicting-values', values } };
    }
    const best = strong.find((each) => isSameEps(each.value, value)) ?? strong[0];
    if (best === undefined) return null;
    const contradiction = findContradiction(best, spoken);
    if (contradiction === null) return { figure: toFigure(best) };
    return { refusal: { field, reason: 'table-against-text', values: [value, contradiction] } };
  }
  return chooseWeak(field, candidates, choice);
}

/** Returns the values that a sentence confirms or, without one, those in more than one table. */
function settle(
  values: readonly Decimal[],
  candidates: readonly EpsCandidate[],
  confirmed: (value: Decimal) => boolean,
): Decimal[] {
  const spoken = values.filter(confirmed);
  if (spoken.length > 0) return spoken;
  return values.filter((value) => {
    const cells = candidates.filter((each) => each.strength > 1 && isSameEps(each.value, value));
    return new Set(cells.map(({ table }) => table)).size > 1;
  });
}

/**
 * Returns the result that the sentences about the quarter state instead of the chosen one, if it is
 * in another column of the row: then the column is in doubt.
 */
function findContradiction(
  chosen: EpsCandidate,
  spoken: readonly PerShareMention[],
): Decimal | null {
  const sure = spoken.filter(({ isDiluted, period }) => isDiluted && period === 'quarter');
  if (sure.some(({ value }) => isSameEps(value, chosen.value))) return null;
  const other = sure.find(({ value }) => chosen.others.some((each) => isSameEps(each, value)));
  return other?.value ?? null;
}

/** Without a certain cell, two places must agree. */
function chooseWeak(field: string, candidates: readonly EpsCandidate[], choice: Choice): Finding {
  const spoken = choice.spoken.map(({ value }) => value);
  const values = distinct([...candidates.map(({ value }) => value), ...spoken]);
  if (values.length === 0) return null;
  const supported = values.filter((value) => {
    const tables = new Set(
      candidates.filter((each) => isSameEps(each.value, value)).map(({ table }) => table),
    );
    const sentences = choice.spoken.filter((each) => isSameEps(each.value, value)).length;
    return tables.size + Math.min(sentences, 2) >= 2;
  });
  const [value] = supported;
  if (value === undefined) return { refusal: { field, reason: 'single-uncertain-place', values } };
  if (supported.length > 1) return { refusal: { field, reason: 'conflicting-values', values } };
  const cell = candidates.find((each) => isSameEps(each.value, value));
  if (cell !== undefined) return { figure: toFigure(cell) };
  const mention = choice.spoken.find((each) => isSameEps(each.value, value));
  if (mention === undefined) return null;
  const unit = `${choice.currency}/share`;
  return {
    figure: { value, unit, row: mention.sentence.trim(), column: '', offset: mention.offset },
  };
}

/** A profit per diluted share is never above the one per basic share. */
function checkAgainstBasic(
  figure: Figure,
  { basic, spoken }: { basic: readonly EpsCandidate[]; spoken: readonly PerShareMention[] },
): Finding {
  const strongest = Math.max(0, ...basic.map(({ strength }) => strength));
  const values = distinct(
    basic.filter(({ strength }) => strength === strongest).map(({ value }) => value),
  );
  const [only] = values;
  if (only === undefined || values.length > 1) return { figure };
  const isAbove = compareDecimals(figure.value, only) > 0 && compareDecimals(only, '0') > 0;
  const isOtherSign = figure.value.startsWith('-') !== only.startsWith('-') && only !== '0';
  const isSpoken = spoken.some(({ value }) => isSameEps(value, figure.value));
  if (isSpoken || !(isAbove || (isOtherSign && figure.value !== '0'))) return { figure };
  const reason = 'diluted-above-basic';
  return { refusal: { field: 'epsDilutedGaap', reason, values: [figure.value, only] } };
}

/** Equal at the precision of the coarser one, but at least at cents. */
function isSameEps(a: Decimal, b: Decimal): boolean {
  return roundTo(a, 2) === roundTo(b, 2);
}

function distinct(values: readonly Decimal[]): Decimal[] {
  return values.filter(
    (value, index) => values.findIndex((each) => isSameEps(each, value)) === index,
  );
}

function toFigure(candidate: EpsCandidate): Figure {
  const { value, label, row, column, offset, currency, yearAgo } = candidate;
  const share = label.isDepositary ? 'ADS' : 'share';
  return { value, unit: `${currency}/${share}`, row, column, offset, yearAgo };
}
