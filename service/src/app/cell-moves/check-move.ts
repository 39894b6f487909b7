import { readCellName } from '../../storage/cells/cell-marker.ts';
import { loadCellState } from '../../storage/cells/cell-state.ts';
import { CellError } from '../../storage/cells/init-cell.ts';
import type { Queryable } from '../../storage/db.ts';
import { readSchemaVersion } from '../../storage/schema/migrate.ts';

/** Checks that both stores are cells that fit together. Returns their names. */
export async function checkMove(
  from: Queryable,
  to: Queryable,
): Promise<{ from: string; to: string }> {
  const names = { from: await readCellName(from), to: await readCellName(to) };
  if (names.from === null || names.to === null) {
    throw new CellError('customers move between cells: both databases must be cells');
  }
  if (names.from === names.to) throw new CellError('both databases are the same cell');
  if ((await readSchemaVersion(from)) !== (await readSchemaVersion(to))) {
    throw new CellError('the cells have different schemas: upgrade both to the same release');
  }
  const state = await loadCellState(to, { lagMsMax: Infinity });
  if (state?.condition === 'following') return { from: names.from, to: names.to };
  throw new CellError(
    `the cell ${names.to} does not follow the gathering store (${state?.condition}): run afterbell ` +
      'doctor on it',
  );
}

/** Throws if the customer does not fit into the cell. */
export async function rejectConflicts(
  from: Queryable,
  to: Queryable,
  customerId: string,
): Promise<void> {
  // Returns one row.
  const [plan] = await from.query<{ name: string; json: string }>(
    `select p.name, to_jsonb(p)::text as json from plan p join customer c on c.plan = p.name
      where c.id = $1`,
    [customerId],
  );
  const [same] = await to.query<{ json: string }>(
    `select to_jsonb(p)::text as json from plan p where p.name = $1`,
    [plan?.name ?? ''],
  );
  if (same?.json !== plan?.json) {
    throw new CellError(
      `the plan ${plan?.name} of the customer is missing on the new cell or has other limits: add or ` +
        'change it there with afterbell plans',
    );
  }
  const [customer] = await from.query<{ name: string }>(`select name from customer where id = $1`, [
    customerId,
  ]);
  const named = await to.query(
    `select 1 from customer where name = $1 and deleted_at is null and id <> $2`,
    [customer?.name ?? '', customerId],
  );
  if (named.length > 0) {
    throw new CellError(`another customer on the new cell has the name ${customer?.name}`);
  }
}
