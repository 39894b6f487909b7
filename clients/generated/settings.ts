declare const process: { env: Record<string, string | undefined> };

export const baseUrl = process.env['SERVICE_URL'] ?? '';
export const apiKey = process.env['SERVICE_API_KEY'] ?? '';

/** Prints the values that the test compares. They have the types that each client declares. */
export function print(values: { days: string[]; day: string; events: number }): void {
  console.log(JSON.stringify(values));
}
