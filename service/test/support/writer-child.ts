import { openStore } from '../../src/storage/open-store.ts';

// Child process for the kill test. Argument: folder. Endlessly inserts two rows with the number n
// per transaction, and prints n once the commit is acknowledged. Continues after the highest stored
// n.
const folder = process.argv[2];
const db = await openStore({ folder });
await db.execute('create table if not exists kill_row (n integer, half integer)');
const [row] = await db.query<{ n: number }>('select coalesce(max(n), 0) as n from kill_row');
process.stdout.write('open\n');
for (let n = (row?.n ?? 0) + 1; ; n += 1) {
  await db.transaction(async (tx) => {
    await tx.query('insert into kill_row values ($1, 1)', [n]);
    await tx.query('insert into kill_row values ($1, 2)', [n]);
  });
  process.stdout.write(`${n}\n`);
}
