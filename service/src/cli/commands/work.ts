import { startWork } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { openProcess, requirePostgres } from '../roles/role.ts';
import { addSettingOptions } from '../setting-options.ts';

export const command: CliCommand = {
  name: 'work',
  forwardable: false,
  add(program, context) {
    const work = program
      .command('work')
      .description('Run only the webhook worker, with other processes on the same PostgreSQL');
    addSettingOptions(work).action((flags: Record<string, unknown>) =>
      run(context, context.settings(flags)),
    );
  },
};

async function run(context: CliContext, settings: Settings): Promise<void> {
  requirePostgres('work', settings);
  const running = openProcess(context, settings);
  const role = await startWork({ ...running, kind: null });
  if (!running.shutdown.signal.aborted) {
    role.markReady();
    context.stdout('ready work\n');
  }
  await running.shutdown.done;
}
