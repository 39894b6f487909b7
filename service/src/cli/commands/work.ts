import { startWork } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { openProcess, refuseEmbedded } from '../roles/role.ts';
import { addSettingOptions } from '../setting-options.ts';

export const command: CliCommand = {
  name: 'work',
  forwardable: false,
  add(program, context) {
    const work = program
      .command('work')
      .description('Deliver webhooks alone, as one of several processes on one PostgreSQL.');
    addSettingOptions(work).action((flags: Record<string, unknown>) =>
      run(context, context.settings(flags)),
    );
  },
};

async function run(context: CliContext, settings: Settings): Promise<void> {
  refuseEmbedded('work', settings);
  const running = openProcess(context, settings);
  const role = await startWork({ ...running, kind: null });
  if (!running.shutdown.signal.aborted) {
    role.markReady();
    context.stdout('ready work\n');
  }
  await running.shutdown.done;
}
