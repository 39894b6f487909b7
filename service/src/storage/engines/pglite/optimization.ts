import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * V8 takes 0.6 GB for seconds to optimize a single function of the engine, which evaluates
 * expressions. Without optimization, the service stays below 0.7 GB.
 */
const OPTIMIZING_MEMORY_BYTES = 2 * 1024 ** 3;

/** Returns the memory that this process may use: that of its container or of the machine. */
export function availableMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Returns true if there is enough memory to optimize the engine's code. */
export function mayOptimize(memoryBytes = availableMemoryBytes()): boolean {
  return memoryBytes >= OPTIMIZING_MEMORY_BYTES;
}

/** Sets whether engines that are started from now on are optimized, in this whole process. */
export function setOptimizing(isOptimizing: boolean): void {
  const no = isOptimizing ? '' : 'no-';
  setFlagsFromString(`--${no}wasm-tier-up`);
  setFlagsFromString(`--${no}wasm-dynamic-tiering`);
}
