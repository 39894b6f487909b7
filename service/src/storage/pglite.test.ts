import { describeDriver } from './conformance.ts';
import { memoryStore } from '../../test/support/stores.ts';

describeDriver('embedded store', memoryStore);
