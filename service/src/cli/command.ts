import type { Command } from 'commander';
import type { Clock } from '../platform/clock.ts';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../storage/db.ts';
import type { StoreKind } from '../app/store-kind.ts';

/** One command of the `afterbell` binary: a file in `commands/` that exports one of these as `command`. */
export interface CliCommand {
  name: string;
  /**
   * Whether a running service may run it for another process; true when absent. False for the
   * commands that are the service.
   */
  forwardable?: boolean;
  /** Adds itself to the program: options, help, action. The action throws `CliError` to fail. */
  add(program: Command, context: CliContext): void;
}

/**
 * What commands may touch. The same command runs in a process of its own, or inside a running
 * service that holds the embedded store; it cannot tell.
 */
export interface CliContext {
  /** Data only. */
  stdout(text: string): void;
  /** Progress and messages. */
  stderr(text: string): void;
  stdinLines(): AsyncIterable<string>;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the person typed the command; relative paths start here. */
  cwd: string;
  clock: Clock;
  isTerminal: boolean;
  /**
   * The settings as they hold for this command, given its own flags by their long names in
   * camelCase. Throws `CliError` naming every bad one.
   */
  settings(flags?: Readonly<Record<string, unknown>>): Settings;
  /**
   * Opens the store named by the settings, migrated; call `close` when done. Throws `NoStoreError`
   * where there is none, unless the choice lets it be made. Open it before
   * printing or reading anything: when a running service holds the store, this throws, the command
   * is left, and it runs again from its start inside that service.
   */
  openStore(options?: StoreChoice): Promise<{ db: Db; close(): Promise<void> }>;
}

export interface StoreChoice {
  /** Insists on one of the two stores; without it the rule of `store-location.ts` chooses. */
  kind?: StoreKind;
  /**
   * Makes the store where there is none. Only for commands that put the first things into one: of
   * a mistyped folder any other is to say that nothing is there, and leave it so.
   */
  mayCreate?: boolean;
  /** False leaves a store of an older release as it is: what is read must be known to be there. */
  migrates?: boolean;
}

/** A failure that is the user's to mend: printed as one line, without a stack. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
