import { expect, test } from 'vitest';
import { SettingsError } from '../config/settings.ts';
import { explainListenError } from './listen-error.ts';

const address = {
  host: '10.0.0.9',
  port: 8080,
  settings: { host: 'HOST', port: '--port or PORT' },
};
const listenError = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

test.each([
  ['EADDRINUSE', null, 'port 8080 of 10.0.0.9 is in use: choose another port with --port or PORT'],
  ['EADDRINUSE', 9464, 'port 8080 of 10.0.0.9 is in use: choose another port with --port or PORT'],
  ['EADDRINUSE', 8080, 'PORT and METRICS_PORT are the same: choose another port for one of them'],
  ['EACCES', null, 'requires more privileges: choose another port with --port or PORT'],
  ['EADDRNOTAVAIL', null, 'HOST 10.0.0.9 is not an address of this machine (EADDRNOTAVAIL)'],
  ['ENOTFOUND', null, 'HOST 10.0.0.9 is not an address of this machine (ENOTFOUND)'],
])(
  'explains the listen error %s with METRICS_PORT %s and suggests which setting to change',
  (code, metricsPort, text) => {
    const error = explainListenError(listenError(code), { ...address, otherPort: metricsPort });
    expect(error).toBeInstanceOf(SettingsError);
    expect(String(error)).toContain(text);
  },
);

test.each([new RangeError('no port'), listenError('EMFILE')])(
  'returns a listen error unchanged if no setting can fix it: %s',
  (error) => {
    expect(explainListenError(error, address)).toBe(error);
  },
);
