/** Errors of the operating system, which say nothing about the files. */
const SYSTEM_ERROR =
  /No space left|Disk quota|Permission denied|Operation not permitted|Read-only file system|Too many open files|I\/O error|out of memory|Cannot allocate/;

/** The folder of the files as the engine sees it. */
const ENGINE_FOLDER = '/pglite/data';

/**
 * Reads the engine's log for the reason why it refuses its files. The error that PGlite throws then
 * is the same for all reasons.
 */
export class EngineLog {
  readonly #folder: string;
  #refusal: string | null = null;
  #detail: string | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a line of the log. Returns false, so that PGlite does not print it. */
  add(line: string): false {
    const [, severity, text = ''] = /\b(FATAL|PANIC|DETAIL): +(.+)/.exec(line) ?? [];
    if (severity === 'DETAIL') this.#detail ??= this.#refusal === null ? null : text;
    else if (severity !== undefined) this.#refusal ??= text;
    return false;
  }

  /** Returns the reason, or null if the files are not to blame. */
  refusal(): string | null {
    const reason = [this.#refusal, this.#detail].filter((text) => text !== null).join('. ');
    if (reason === '' || SYSTEM_ERROR.test(reason)) return null;
    return reason.replaceAll(ENGINE_FOLDER, this.#folder).replace(/\.$/, '');
  }
}
