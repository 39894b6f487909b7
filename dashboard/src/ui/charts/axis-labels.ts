/**
 * Labels axis ticks at even distances. The chart library's default also labels the last tick, even
 * if it overlaps.
 */
export const EVEN_LABELS = 'equidistantPreserveStart' as const;
