import type { Names } from './names.ts';
import type { Skeleton } from './skeleton.ts';

export const templateSkeleton: Skeleton = {
  kind: 'template',
  files: (names) =>
    new Map([
      [`service/src/webhooks/templates/${names.kebab}.ts`, templateFile(names)],
      [`service/src/webhooks/templates/${names.kebab}.test.ts`, testFile(names)],
    ]),
  next: (names) => [
    `Set the data set and the fields in service/src/webhooks/templates/${names.kebab}.ts.`,
    'Load the rows in build(), and derive the data from them in a pure function.',
    'Document its fields in sdk/src/webhook-types.ts and in the table of docs/webhooks.md.',
    'Run npm run gen to update the registry, then run npm run check.',
  ],
};

function templateFile({ kebab, title }: Names): string {
  const id = kebab.replaceAll('-', '_');
  return `import { Type } from 'typebox';
import { loadEarningsOfSecurities } from '../../datasets/earnings/store.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { day, defineTemplate, type TemplateData } from './template.ts';

export const template = defineTemplate({
  templateId: '${id}',
  eventType: '${id}.changed',
  describe: '${title} of a company changed.',
  dataset: 'earnings',
  data: Type.Object({
    lastDate: day('Day of the last report.'),
    eventCount: Type.Integer({ description: 'Number of reports.' }),
  }),
  async build({ db }, securityId) {
    return deriveData(await loadEarningsOfSecurities(db, [securityId]));
  },
});

/** Null without events. */
export function deriveData(events: readonly Pick<EarningsEvent, 'date'>[]): TemplateData | null {
  const dates = events.map((event) => event.date).toSorted();
  const lastDate = dates.at(-1);
  return lastDate === undefined ? null : { lastDate, eventCount: events.length };
}
`;
}

function testFile({ kebab }: Names): string {
  return `import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { deriveData, template } from './${kebab}.ts';

test('has exactly the documented fields, in order', () => {
  const data = deriveData([{ date: localDate('2026-11-20') }, { date: localDate('2026-08-21') }]);
  expect(data).toEqual({ lastDate: '2026-11-20', eventCount: 2 });
  expect(Object.keys(data ?? {})).toEqual(template.fields);
});

test('is null without events', () => {
  expect(deriveData([])).toBeNull();
});
`;
}
