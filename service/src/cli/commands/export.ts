import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { formatInstant } from '../../platform/instant.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { type Exported, EXPORTED } from '../export/exported.ts';
import {
  fileNameOf,
  type Format,
  FORMATS,
  prepareFolder,
  writeDataset,
  type WrittenFile,
} from '../export/write-files.ts';

const MANIFEST = 'manifest.json';
const NAMES = EXPORTED.map(({ name }) => name);

interface Flags {
  dataset: string;
  format: Format;
  from?: LocalDate;
  until?: LocalDate;
  versions?: boolean;
  to: string;
}

/** Writes data sets to files for other programs. A backup is `afterbell backup`. */
export const command: CliCommand = {
  name: 'export',
  add(program, context) {
    program
      .command('export')
      .description('Write data sets to files, as they stand at one moment.')
      .requiredOption('--dataset <list>', `from ${NAMES.join(', ')}; or all`)
      .addOption(
        new Option('--format <format>', 'how to write').choices([...FORMATS]).default('csv'),
      )
      .addOption(dayOption('--from <day>', 'only facts of this day and later'))
      .addOption(dayOption('--until <day>', 'only facts of this day and before'))
      .option('--versions', 'all versions, with when each was known')
      .requiredOption('--to <folder>', 'where the files go; made when it is missing')
      .action((flags: Flags) => run(context, flags));
  },
};

function dayOption(form: string, description: string): Option {
  return new Option(form, description).argParser((text) => {
    const day = parseLocalDate(text);
    if (day === null) throw new CliError(`${text} is not a day: write it like 2026-11-20`);
    return day;
  });
}

async function run(context: CliContext, flags: Flags): Promise<void> {
  const { format, from = null, until = null, versions: isAll = false } = flags;
  const chosen = chooseDatasets(flags.dataset, from !== null || until !== null);
  const folder = resolve(context.cwd, flags.to);
  const { db, close } = await context.openStore();
  try {
    await prepareFolder(folder, [MANIFEST, ...chosen.map((each) => fileNameOf(each, format))]);
    const at = formatInstant(context.clock.now());
    const files: WrittenFile[] = [];
    await db.readSnapshot(async (view) => {
      for (const each of chosen) {
        const wanted = { isAll, from, to: until };
        files.push(await writeDataset(view, each, { folder, format, wanted }));
      }
    });
    // Last: where it lies, all that it names is whole.
    const manifest = { exportedAt: at, format, versions: isAll, from, until, files };
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`);
    for (const { file, rows } of files) context.stdout(`${join(folder, file)} ${rows}\n`);
  } finally {
    await close();
  }
}

function chooseDatasets(list: string, isBounded: boolean): Exported[] {
  const names = list === 'all' ? NAMES : [...new Set(list.split(','))];
  return names.map((name) => {
    const found = EXPORTED.find((each) => each.name === name);
    if (found === undefined) {
      throw new CliError(`there is no data set "${name}": choose from ${NAMES.join(', ')}, or all`);
    }
    if (isBounded && found.day === null) {
      throw new CliError(`${name} have no day: leave out --from and --until, or ${name}`);
    }
    return found;
  });
}
