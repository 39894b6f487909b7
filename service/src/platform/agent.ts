import packageJson from '../../package.json' with { type: 'json' };

/** Name and version with which this software identifies itself to sources, such as `afterbell/1.2.0`. */
export const AGENT = `afterbell/${packageJson.version}`;
