import { describeProvider } from '../../../test/support/providers/conformance.ts';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { provider } from './index.ts';

describeProvider({ provider, fixtures: loadFixtures(import.meta.url), testUrl: import.meta.url });
