import { Type } from 'typebox';
import { recordAuditEvent } from '../../../accounts/audit-log.ts';
import { parseName } from '../../../accounts/deps.ts';
import {
  listMarketOverrides,
  type OverrideEvent,
} from '../../../datasets/market-overrides/list.ts';
import {
  addMarketOverride,
  revokeMarketOverride,
} from '../../../datasets/market-overrides/store.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import { marketCalendar } from '../../../domain/market/calendar.ts';
import { formatClockTime, parseClockTime } from '../../../domain/market/clock-time.ts';
import { applyOverrides, type MarketOverride } from '../../../domain/market/overrides.ts';
import {
  choice,
  clockTime,
  date,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { formatOptional } from '../instants.ts';
import { rejectInvalid, rejectNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { dayText, nameText } from '../described-text.ts';

const PATH = '/operator/v1/market-overrides';
const KINDS = ['closed', 'early-close', 'late-open'] as const;
const LISTED_MAX = 500;

const overrideSchema = named('MarketOverride', {
  id: integer('Override ID.'),
  date: date('The affected day.'),
  kind: choice(KINDS, 'Effect on the session.'),
  time: nullable(clockTime('New York time of the close or open; null if the day is closed.')),
  reason: text('Reason shown to customers.'),
  note: nullable(text('Internal note for operators.')),
  createdAt: instant('Time of creation.'),
  createdBy: text('Who created the override.'),
  revokedAt: nullable(instant('Time of revocation; null while in effect.')),
  revokedBy: nullable(text('Who revoked the override.')),
});

const listRoute = defineRoute({
  name: 'market-overrides-list',
  method: 'GET',
  path: PATH,
  summary: 'List market calendar overrides',
  access: 'calendar.override',
  status: 200,
  response: list(overrideSchema, 'Latest day first, including revoked overrides.'),
  async handle({ deps }) {
    return done((await listMarketOverrides(deps.db, { limit: LISTED_MAX })).map(render));
  },
});

const createRoute = defineRoute({
  name: 'market-overrides-create',
  method: 'POST',
  path: PATH,
  summary: 'Create a market calendar override',
  describe:
    'Closes the market for a day, or makes it close early or open late. Takes effect with the ' +
    'next request. An override can only shorten a session.',
  access: 'calendar.override',
  body: Type.Object({
    date: dayText('Day of the session.'),
    kind: choice(KINDS, 'Effect on the session.'),
    time: Type.Optional(clockTime('New York time of the close or open; omitted for a closed day.')),
    reason: nameText('Reason, such as the name of the event.'),
    note: Type.Optional(Type.String({ maxLength: 2e3 })),
  }),
  status: 201,
  response: named('CreatedMarketOverride', { id: integer('Override ID, used to revoke it.') }),
  async handle({ deps, body, actor, now }) {
    const parsed = parseOverride(body as OverrideBody);
    if ('parameter' in parsed) return rejectInvalid(parsed.parameter, parsed.detail);
    const id = await deps.db.transaction(async (tx) => {
      const entry = { override: parsed, note: body.note ?? null, operator: actor.label };
      const overrideId = await addMarketOverride(tx, entry, now);
      await recordAuditEvent(tx, {
        actor,
        at: now,
        action: 'market-override.add',
        subject: String(overrideId),
        customerId: null,
        details: {
          date: body.date,
          kind: body.kind,
          time: body.time ?? null,
          reason: parsed.reason,
        },
      });
      return overrideId;
    });
    await deps.onCalendarChange();
    return done({ id });
  },
});

const revokeRoute = defineRoute({
  name: 'market-overrides-revoke',
  method: 'DELETE',
  path: `${PATH}/{overrideId}`,
  summary: 'Revoke a market calendar override',
  access: 'calendar.override',
  status: 204,
  response: null,
  async handle(call) {
    const { deps, actor, now } = call;
    const id = call.param('overrideId');
    if (!/^[1-9]\d{0,14}$/.test(id)) return rejectNotFound();
    const isRevoked = await deps.db.transaction(async (tx) => {
      if (!(await revokeMarketOverride(tx, { id: Number(id), operator: actor.label }, now)))
        return false;
      await recordAuditEvent(tx, {
        actor,
        at: now,
        action: 'market-override.revoke',
        subject: id,
        customerId: null,
      });
      return true;
    });
    if (!isRevoked) return rejectNotFound();
    await deps.onCalendarChange();
    return done();
  },
});

type InvalidField = { parameter: string; detail: string };

interface OverrideBody {
  date: string;
  kind: (typeof KINDS)[number];
  time?: string;
  reason: string;
}

function parseOverride(body: OverrideBody): MarketOverride | InvalidField {
  const { kind, time } = body;
  const day = parseLocalDate(body.date);
  if (day === null) return { parameter: 'date', detail: 'must be a date such as 2026-11-20' };
  const reason = parseName(body.reason);
  if (reason === null) return { parameter: 'reason', detail: 'must not be empty' };
  const minutes = time === undefined ? null : parseClockTime(time);
  if ((kind === 'closed') !== (minutes === null)) {
    return {
      parameter: 'time',
      detail:
        'must be a New York time HH:MM for an early close or late open, and omitted for a ' +
        'closed day',
    };
  }
  const override: MarketOverride =
    kind === 'closed' || minutes === null
      ? { date: day, reason, kind: 'closed' }
      : kind === 'early-close'
        ? { date: day, reason, kind, close: minutes }
        : { date: day, reason, kind, open: minutes };
  const scheduled = marketCalendar().day(day);
  if (applyOverrides(scheduled, [override]) === scheduled) {
    return { parameter: 'date', detail: 'the override does not shorten the session of that day' };
  }
  return override;
}

function render(event: OverrideEvent): object {
  const { id, override, note, createdBy, revokedBy } = event;
  const minutes =
    override.kind === 'early-close'
      ? override.close
      : override.kind === 'late-open'
        ? override.open
        : null;
  return {
    id,
    date: override.date,
    kind: override.kind,
    reason: override.reason,
    note,
    createdBy,
    revokedBy,
    time: minutes === null ? null : formatClockTime(minutes),
    createdAt: formatInstant(event.createdAt),
    revokedAt: formatOptional(event.revokedAt),
  };
}

export const group: RouteGroup = {
  name: 'market-overrides',
  describe: 'Unscheduled market closures, early closes and late opens.',
  routes: [listRoute, createRoute, revokeRoute],
};
