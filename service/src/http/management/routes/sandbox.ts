import { Type } from 'typebox';
import { recordAuditEvent } from '../../../accounts/audit-log.ts';
import { lockCustomer } from '../../../accounts/customers/customer-store.ts';
import { choice, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { parseSymbol } from '../../../domain/symbol.ts';
import { CHANGEABLE_FIELDS } from '../../../providers/sandbox/change-report.ts';
import { checkActionRate } from '../../../accounts/action-rate.ts';
import { symbolText } from '../described-text.ts';
import { reject, rejectInvalid, rejectNotFound, rejectTooMany } from '../refusals.ts';
import { type Call, type CallResult, defineRoute, done, type RouteGroup } from '../route.ts';

const CHANGES_PER_MINUTE = 10;
const ACTION = 'sandbox.change';

const changeRoute = defineRoute({
  name: 'sandbox-change',
  method: 'POST',
  path: '/account/v1/sandbox/changes',
  summary: 'Change a report of the simulated market',
  describe:
    "Changes a field of a company's scheduled report, as its source would, so that subscribed endpoints " +
    'get a real delivery. Only in a sandbox, whose data all accounts share. The market replaces the ' +
    `change when it next revises the company. Limited to ${CHANGES_PER_MINUTE} changes per minute.`,
  access: 'webhooks.redeliver',
  body: Type.Object({
    symbol: symbolText('Ticker symbol.'),
    field: Type.Enum(CHANGEABLE_FIELDS, { type: 'string', description: 'The field to change.' }),
  }),
  status: 201,
  response: named('SandboxChange', {
    symbol: text('Ticker symbol.'),
    reportId: text('The changed report, as in `/v1/earnings`.'),
    field: choice(CHANGEABLE_FIELDS, 'The changed field.'),
    before: nullable(text('Value before the change; null if there was none.')),
    after: nullable(text('Value after the change.')),
  }),
  async handle(call) {
    const { deps, body, actor, customerId, now } = call;
    if (deps.changeSandbox === null) return reject('conflict', NOT_A_SANDBOX);
    const symbol = parseSymbol(body.symbol);
    if (symbol === null) return rejectInvalid('symbol', 'must be a ticker symbol');
    const { field } = body;
    const rejected = await checkRate(call);
    if (rejected !== null) return rejected;
    const change = await deps.changeSandbox({ symbol, field });
    if (change === null) return rejectInvalid('symbol', `${symbol} has no report to change`);
    if (change.before === change.after) return reject('conflict', `${symbol} ${NOT_CHANGED}`);
    await deps.db.transaction((tx) =>
      recordAuditEvent(tx, {
        actor,
        at: now,
        action: ACTION,
        subject: symbol,
        customerId,
        details: { field },
      }),
    );
    deps.webhooks.wake();
    return done({ symbol, field, ...change });
  },
});

/** Returns the rejection if the account made too many changes. */
function checkRate({ deps, customerId, now }: Call): Promise<CallResult | null> {
  return deps.db.transaction(async (tx) => {
    if ((await lockCustomer(tx, customerId)) === null) return rejectNotFound();
    const limit = { customerId, now, prefix: ACTION, perMinute: CHANGES_PER_MINUTE };
    const rateLimited = await checkActionRate(tx, limit);
    return rateLimited === null ? null : rejectTooMany(rateLimited);
  });
}

const NOT_CHANGED =
  'has just reported, so its estimates are final. Change its date or time, or another company.';
const NOT_A_SANDBOX = 'This service has real data. Only the data of a sandbox can be changed.';

export const group: RouteGroup = {
  name: 'sandbox',
  describe: 'Changes to the simulated market of a sandbox, to see webhooks arrive.',
  routes: [changeRoute],
};
