export { readUrl } from './read-url.ts';
export type { ReadParameters } from './read-url.ts';
