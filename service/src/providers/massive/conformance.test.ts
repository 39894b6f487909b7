import { describeProvider } from '../conformance.ts';
import { loadFixtures } from '../fixtures.ts';
import { provider } from './index.ts';

describeProvider({
  provider,
  fixtures: loadFixtures(import.meta.url),
  here: import.meta.url,
  context: { setting: () => 'a-key-of-sorts' },
});
