/**
 * Below a chart every so many steps are named, as many as there is room for. The library's own way
 * names the last step too, however near it comes to the one before.
 */
export const EVEN = 'equidistantPreserveStart' as const;
