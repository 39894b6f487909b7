import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { agents } from './contract/agents.ts';
import { calendars } from './contract/calendars.ts';
import { companiesAndMarket } from './contract/companies-and-market.ts';
import { conventions } from './contract/conventions.ts';
import { describedRequests } from './contract/schemathesis.ts';
import { earnings } from './contract/earnings.ts';
import { prices } from './contract/prices.ts';
import { generatedClients } from './contract/generated-clients.ts';
import { pythonClient } from './contract/python-client.ts';
import { requests } from './contract/requests.ts';
import { spreadsheets } from './contract/spreadsheets.ts';
import { symbolsAndExamples } from './contract/symbols-and-examples.ts';
import { startWorld, type World } from './contract/world.ts';

// Checks the API contract from outside, knowing only the address of one process and a key.

const folder = mkdtempSync(join(tmpdir(), 'afterbell-contract-'));
let started: World | undefined;
beforeAll(async () => {
  started = await startWorld(folder);
});
afterAll(async () => {
  await started?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Many tests compare two responses while the simulated market moves, so a change may occasionally
// fall between the two.
describe('the API from outside', { retry: 2 }, () => {
  for (const rules of [
    conventions,
    earnings,
    calendars,
    prices,
    companiesAndMarket,
    requests,
    symbolsAndExamples,
    agents,
    spreadsheets,
  ]) {
    rules(world);
  }
  pythonClient(world);
  generatedClients(world);
  describedRequests(world);
});

function world(): World {
  if (started === undefined) throw new Error('the service did not start');
  return started;
}
