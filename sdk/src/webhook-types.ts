/** What a delivery says, by its `template_id`; new templates and fields may come at any time. */
export type WebhookDelivery =
  | Delivery<'earnings_schedule', 'earnings_schedule.changed', EarningsScheduleData>
  | Delivery<'dividend_declared', 'dividend_declared.changed', DividendDeclaredData>
  | Delivery<'earnings_reaction', 'earnings_reaction.changed', EarningsReactionData>;

/** The body of a POST. */
export interface Delivery<Template extends string, Event extends string, Data extends object> {
  /** `del_…`, the same in every attempt: what was seen before is not processed again. */
  id: string;
  /** When the delivery was opened, ISO 8601 in UTC. */
  created_at: string;
  template_id: Template;
  event_type: Event;
  context: { symbol: string };
  /** As the data stood right before this POST. */
  data: Data;
  /** Names of the fields that are new to you; a field may be named that you hold already. */
  changed_fields: (keyof Data & string)[];
}

export interface EarningsScheduleData {
  /** `YYYY-MM-DD`, the day of the report. */
  date: string;
  /** `time-pre-market`, `time-after-hours`, `time-not-supplied` or the like. */
  time: string;
  epsEstimate: number | null;
  revenueEstimate: number | null;
  /** Null before the report. */
  eps: number | null;
  revenue: number | null;
}

/** The dividend that was declared last. */
export interface DividendDeclaredData {
  exDate: string;
  recordDate: string | null;
  paymentDate: string | null;
  declarationDate: string | null;
  /** Per share as declared. */
  amount: number | null;
  /** ISO 4217. */
  currency: string;
  /** `cash`, `special`, `supplemental`, `stock` or `return-of-capital`. */
  type: string;
  /** `monthly`, `quarterly` and so on. */
  frequency: string | null;
  /** `declared`, or `cancelled`. */
  status: string;
}

/** The first session after the newest report; percentages have four decimals. */
export interface EarningsReactionData {
  /** The day of the report. */
  date: string;
  time: string;
  /** The first session that could answer it. */
  reactionDate: string;
  /** How that session is known: `session`, `inferred` and so on. */
  reactionBasis: string;
  /** Close against the close before the report. */
  priceChange: number;
  /** Open against the same close. */
  gapChange: number | null;
  /** Volume against the mean of the twenty sessions before. */
  volumeRatio: number | null;
}
