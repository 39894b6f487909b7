import { decimalToNumber } from '../../domain/decimal.ts';
import type { FiledDocument } from './filings/index-page.ts';
import type { Figure, Refusal } from './release/figure.ts';
import { readRelease } from './release/read-release.ts';

/** A cell of a release with its value: a number, a date, an instant or a currency code. */
interface Cell extends Omit<Figure, 'value' | 'yearAgo'> {
  value: string | number;
}

/** The results in an exhibit, as one JSON object. */
export interface ReleaseRecord {
  kind: 'release';
  accession: string | null;
  /** Form of the filing, if the document is part of one that is known. */
  form: string | null;
  /** Type of the exhibit, such as `EX-99.1`. */
  exhibit: string | null;
  periodEnd: Cell | null;
  currency: Cell | null;
  epsDilutedGaap: Cell | null;
  epsAdjusted: Cell | null;
  revenue: Cell | null;
  guidance: readonly object[] | null;
  callAt: object | null;
  nextReportOn: object | null;
  refused: readonly Refusal[];
}

/**
 * Reads an exhibit. Offsets count from the start of the file that the exhibit is in, which begins
 * `base` characters before it.
 */
export function readReleaseRecord(
  source: string,
  filing: { accession: string | null; form: string | null; document: FiledDocument | null },
  base = 0,
): ReleaseRecord {
  const { accession, document } = filing;
  const release = readRelease(source);
  const isExhibit = document?.type.startsWith('EX-') ?? false;
  const toCell = (figure: Figure | null): Cell | null => {
    if (figure === null) return null;
    const { unit, row, column, offset } = figure;
    return { value: valueOf(figure), unit, row, column, offset: offset + base };
  };
  const moved = <T extends { offset: number }>(part: T): T => ({
    ...part,
    offset: part.offset + base,
  });
  return {
    kind: 'release',
    accession,
    form: filing.form ?? (isExhibit ? null : (document?.type ?? null)),
    exhibit: isExhibit ? (document?.type ?? null) : null,
    periodEnd: toCell(release.periodEnd),
    currency: toCell(release.currency),
    epsDilutedGaap: toCell(release.epsDilutedGaap),
    epsAdjusted: toCell(release.epsAdjusted),
    revenue: toCell(release.revenue),
    guidance:
      release.guidance?.map(({ low, high, ...rest }) =>
        moved({ ...rest, low: decimalToNumber(low), high: decimalToNumber(high) }),
      ) ?? null,
    callAt: release.callAt && moved(release.callAt),
    nextReportOn: release.nextReportOn && moved(release.nextReportOn),
    refused: release.refused,
  };
}

function valueOf({ value, unit }: Figure): string | number {
  return unit === 'date' || unit === 'ISO 4217' ? value : decimalToNumber(value);
}
