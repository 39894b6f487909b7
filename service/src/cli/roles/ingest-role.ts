import { startIngest } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import { type CliContext, CliError } from '../command.ts';
import { openProcess, refuseEmbedded } from './role.ts';
import { firstNote, termsLines } from '../sources/terms-note.ts';

/**
 * Gathers until told to end. Of several such processes one asks each source, and the others stand by
 * to take over when it ends or falls silent.
 */
export async function runIngestRole(context: CliContext, settings: Settings): Promise<void> {
  refuseEmbedded('ingest', settings);
  const running = openProcess(context, settings);
  const { shutdown } = running;
  const role = await startIngest({ ...running, kind: null });
  if (role.sources.length === 0) {
    throw new CliError('no source to ask: name some with --sources, or in SOURCES');
  }
  context.stderr(termsLines(role.sources));
  context.stderr(await firstNote(role.db, role.sources));
  try {
    await role.feed();
    if (!shutdown.signal.aborted) {
      role.markReady();
      context.stdout('ready ingest\n');
    }
  } catch (error) {
    // Told to stop while it fills, it closes the store under the work.
    if (!shutdown.signal.aborted) throw error;
  }
  await shutdown.done;
}
