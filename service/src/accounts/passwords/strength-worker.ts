import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { StrengthQuestion } from './password-strength.ts';

/** Words that people choose for a service like this one, and a well-known example of a phrase. */
const MORE_WORDS = ['afterbell', 'earnings', 'correct horse battery', 'correcthorsebattery'];

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...dictionary, more: MORE_WORDS },
  graphs: adjacencyGraphs,
});

parentPort?.on('message', ({ password, words }: StrengthQuestion) => {
  parentPort?.postMessage(zxcvbn.check(password, [...words]).guessesLog10);
});
