/**
 * A delivery, distinguished by its `template_id`. New templates and fields may be added at any
 * time.
 */
export type WebhookDelivery =
  | Delivery<'earnings_schedule', 'earnings_schedule.changed', EarningsScheduleData>
  | Delivery<'dividend_declared', 'dividend_declared.changed', DividendDeclaredData>
  | Delivery<'earnings_reaction', 'earnings_reaction.changed', EarningsReactionData>;

/** The body of a webhook request. */
export interface Delivery<Template extends string, Event extends string, Data extends object> {
  /** `del_…`, the same in every attempt. Do not process the same id twice. */
  id: string;
  /** Time when the delivery was created, in ISO 8601 in UTC. */
  created_at: string;
  template_id: Template;
  event_type: Event;
  context: { symbol: string };
  /** Data as of just before this request. */
  data: Data;
  /**
   * Fields whose values may be new to you. You may already have the current value for some of them.
   */
  changed_fields: (keyof Data & string)[];
}

export interface EarningsScheduleData {
  /** Report date, `YYYY-MM-DD`. */
  date: string;
  /** `time-pre-market`, `time-after-hours`, `time-not-supplied` and others. */
  time: string;
  epsEstimate: number | null;
  revenueEstimate: number | null;
  /** Null before the report. */
  eps: number | null;
  revenue: number | null;
}

/** The most recently declared dividend. */
export interface DividendDeclaredData {
  exDate: string;
  recordDate: string | null;
  paymentDate: string | null;
  declarationDate: string | null;
  /** Amount per share, as declared. */
  amount: number | null;
  /** ISO 4217 code. */
  currency: string;
  /** `cash`, `special`, `supplemental`, `stock` or `return-of-capital`. */
  type: string;
  /** `monthly`, `quarterly` and others. */
  frequency: string | null;
  /** `declared` or `cancelled`. */
  status: string;
}

/** The first session after the newest report. Percentages have four decimals. */
export interface EarningsReactionData {
  /** Report date. */
  date: string;
  time: string;
  /** First session that could react to the report. */
  reactionDate: string;
  /** Basis for choosing that session: `session`, `inferred` and others. */
  reactionBasis: string;
  /** Close relative to the last close before the report. */
  priceChange: number;
  /** Open relative to the last close before the report. */
  gapChange: number | null;
  /** Volume relative to the mean of the twenty preceding sessions. */
  volumeRatio: number | null;
}
