export default ['v1', 'account'].map((name) => ({
  input: `../../openapi/${name}.json`,
  output: { path: `generated/hey-api-${name}`, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
}));
