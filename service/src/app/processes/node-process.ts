/** The place of a process among those that serve one port together. */
export interface NodeProcess {
  /** From 1. The first process also does what a node does once, such as the nightly export. */
  number: number;
  count: number;
  /** False after a restart. */
  isFirstStart: boolean;
}

/** Returns a process's share of what all processes of a node have together, but at least `min`. */
export function shareOf(total: number, process: NodeProcess | null, min: number): number {
  return process === null ? total : Math.max(min, Math.ceil(total / process.count));
}

const CONNECTIONS_MAX = 10;
const CONNECTIONS_MIN = 4;

/** Returns the number of database connections that a process may have for its work. */
export function connectionsOf(process: NodeProcess | null): number {
  return shareOf(CONNECTIONS_MAX, process, CONNECTIONS_MIN);
}

/** Returns true in a process that does what a node does once. */
export function isFirstOfNode(process: NodeProcess | null): boolean {
  return process === null || process.number === 1;
}
