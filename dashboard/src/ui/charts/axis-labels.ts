/**
 * Labels axis ticks at even distances. By default, the chart library also labels the last tick,
 * even if its label overlaps others.
 */
export const EVEN_LABELS = 'equidistantPreserveStart' as const;
