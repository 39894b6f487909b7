import type { LocalDate } from '../../../domain/local-date.ts';
import type { Instant } from '../../../platform/instant.ts';

/** A filing of a fictional company at the simulated EDGAR. */
export interface SimulatedFiling {
  accession: string;
  /** Ten digits. */
  cik: string;
  /** Name of the filer. */
  name: string;
  form: string;
  /** Item numbers; empty for forms without items. */
  items: readonly string[];
  acceptedAt: Instant;
  /** Time at which the feed shows it; the acceptance time by default. */
  shownAt?: Instant;
  /** The New York day of the acceptance by default. */
  filingDate?: LocalDate;
  /** Day of the event on the cover page, or end of the period; the filing date by default. */
  reportDate?: LocalDate;
  exhibits: readonly SimulatedExhibit[];
}

export interface SimulatedExhibit {
  /** `EX-99.1`. */
  type: string;
  filename: string;
  /** HTML or plain text. */
  readonly body: string;
}
