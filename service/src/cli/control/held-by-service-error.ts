/** Thrown by `openStore`: the command has to run inside the service that holds the store. */
export class HeldByServiceError extends Error {
  readonly storeFolder: string;

  constructor(storeFolder: string) {
    super(`a running service holds the store in ${storeFolder}; stop it first`);
    this.name = 'HeldByServiceError';
    this.storeFolder = storeFolder;
  }
}
