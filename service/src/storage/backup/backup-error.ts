/**
 * Thrown when a backup cannot be written or used. The message gives the reason and says what to do.
 */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
  }
}
