import { expect, test } from 'vitest';
import { SettingsError } from '../config/settings.ts';
import { notListening } from './listen-error.ts';

const settings = { host: '10.0.0.9', port: 8080, metricsPort: null };
const failed = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

test.each([
  ['EADDRINUSE', null, 'port 8080 of 10.0.0.9 is in use: choose another with --port or PORT'],
  ['EADDRINUSE', 9464, 'port 8080 of 10.0.0.9 is in use: choose another with --port or PORT'],
  ['EADDRINUSE', 8080, 'PORT and METRICS_PORT are the same: choose another for one of them'],
  ['EACCES', null, 'is not for this user to take: choose another with --port or PORT'],
  ['EADDRNOTAVAIL', null, 'HOST 10.0.0.9 cannot be listened on (EADDRNOTAVAIL): set HOST to'],
  ['ENOTFOUND', null, 'HOST 10.0.0.9 cannot be listened on (ENOTFOUND): set HOST to'],
])('where %s forbids to listen, with METRICS_PORT %s, it says what to set', (code, port, said) => {
  const told = notListening(failed(code), { ...settings, metricsPort: port });
  expect(told).toBeInstanceOf(SettingsError);
  expect(String(told)).toContain(said);
});

test.each([new RangeError('no port'), failed('EMFILE')])(
  'an error that no setting is to blame for stays what it is: %s',
  (error) => {
    expect(notListening(error, settings)).toBe(error);
  },
);
