export default Object.fromEntries(
  ['v1', 'account'].map((name) => [
    name,
    {
      input: `../../openapi/${name}.json`,
      output: { target: `generated/orval-${name}/client.ts`, client: 'fetch', mode: 'split' },
    },
  ]),
);
