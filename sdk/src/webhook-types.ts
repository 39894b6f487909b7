/** A delivery by its `template_id`. New templates and fields may be added at any time. */
export type WebhookDelivery =
  | Delivery<'earnings_schedule', 'earnings_schedule.changed', EarningsScheduleData>
  | Delivery<'dividend_declared', 'dividend_declared.changed', DividendDeclaredData>
  | Delivery<'earnings_reaction', 'earnings_reaction.changed', EarningsReactionData>;

/** The body of a POST. */
export interface Delivery<Template extends string, Event extends string, Data extends object> {
  /** `del_…`, the same in every attempt. Do not process an id twice. */
  id: string;
  /** When the delivery was created, ISO 8601 in UTC. */
  created_at: string;
  template_id: Template;
  event_type: Event;
  context: { symbol: string };
  /** The data right before this POST. */
  data: Data;
  /** Fields that may be new to you; some may already have the same value. */
  changed_fields: (keyof Data & string)[];
}

export interface EarningsScheduleData {
  /** `YYYY-MM-DD`, the report date. */
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
  /** Per share, as declared. */
  amount: number | null;
  /** ISO 4217. */
  currency: string;
  /** `cash`, `special`, `supplemental`, `stock` or `return-of-capital`. */
  type: string;
  /** `monthly`, `quarterly` and others. */
  frequency: string | null;
  /** `declared` or `cancelled`. */
  status: string;
}

/** The first session after the newest report; percentages have four decimals. */
export interface EarningsReactionData {
  /** The report date. */
  date: string;
  time: string;
  /** The first session that could react to it. */
  reactionDate: string;
  /** The evidence for that session: `session`, `inferred` and others. */
  reactionBasis: string;
  /** Close relative to the close before the report. */
  priceChange: number;
  /** Open relative to the same close. */
  gapChange: number | null;
  /** Volume relative to the mean of the twenty preceding sessions. */
  volumeRatio: number | null;
}
