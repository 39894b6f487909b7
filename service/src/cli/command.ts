import type { Command } from 'commander';
import type { Clock } from '../platform/clock.ts';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../storage/db.ts';
import type { StoreKind } from '../app/store-kind.ts';

/**
 * A command of the `afterbell` binary. Each file in `commands/` exports one command as `command`.
 */
export interface CliCommand {
  name: string;
  /**
   * False for commands that start a service and therefore cannot run inside a running service.
   * Default: true.
   */
  forwardable?: boolean;
  /** Registers the command with its options and action. The action throws `CliError` to fail. */
  add(program: Command, context: CliContext): void;
}

/**
 * The environment in which a command runs: either its own process, or the running service that has
 * the embedded store open. The command cannot distinguish the two.
 */
export interface CliContext {
  /** Writes data only. */
  stdout(text: string): void;
  /** Writes progress and messages. */
  stderr(text: string): void;
  stdinLines(): AsyncIterable<string>;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the user typed the command. Relative paths are resolved against it. */
  cwd: string;
  clock: Clock;
  isTerminal: boolean;
  /**
   * Returns the effective settings for this command. `flags` holds the command's own flags by their
   * long names in camelCase. Throws a `CliError` that lists every invalid setting.
   */
  settings(flags?: Readonly<Record<string, unknown>>): Settings;
  /**
   * Opens and migrates the configured store; call `close` when done. Throws `NoStoreError` if the
   * store does not exist and `mayCreate` is not set. Call it before printing or reading anything:
   * if a running service has the store open, it throws `StoreInUseError`, and the command starts
   * over inside that service.
   */
  openStore(options?: StoreChoice): Promise<{ db: Db; close(): Promise<void> }>;
  /** Passed in so that `start` can serve other commands without importing all of them. */
  loadCommands: LoadCommands;
}

/** Loads the commands that may be needed to run the given command line. */
export type LoadCommands = (argv: readonly string[]) => Promise<readonly CliCommand[]>;

export interface StoreChoice {
  /** Requires this kind of store. By default, `chooseStore` decides. */
  kind?: StoreKind;
  /**
   * Creates the store if it does not exist. Set it only for commands that may be the first to write
   * to a store. With a mistyped folder, all other commands must fail and leave the folder
   * untouched.
   */
  mayCreate?: boolean;
  /** If false, the schema of an older release is not migrated. */
  migrates?: boolean;
}

/** An error that the user can fix. It is printed as one line, without a stack trace. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/**
 * Thrown when a running service has the store open, so the command must run inside that service.
 */
export class StoreInUseError extends Error {
  readonly storeFolder: string;

  constructor(storeFolder: string) {
    super(`a running service has the store in ${storeFolder} open; stop the service first`);
    this.name = 'StoreInUseError';
    this.storeFolder = storeFolder;
  }
}
