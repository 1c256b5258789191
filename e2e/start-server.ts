import { join } from 'node:path';
import { startProcess } from './start-process.ts';

/** Where the server of a run is to be found. */
export interface RunningServer {
  url: string;
  /** The same, with neutral answers. */
  neutralUrl: string;
  /** The same, from which no mail leaves. */
  maillessUrl: string;
  mllpPort: number;
  /** Another server on the same database, with a support widget. */
  urlWithWidget: string;
  /** The database as the pipeline's role, for rows that no page makes. */
  pipelineUrl: string;
}

/** Of the support widget; a test serves it. */
export const WIDGET_URL = 'https://support.example/widget.js';

const IN_ENVIRONMENT = 'TIDINGS_E2E_SERVER';

/** Has the server's database wait for the disk, as in production: for measuring. */
export const DURABLE = '--durable';

/** Starts the server of the whole run; what it answers stops it again. */
export default function startForRun(): Promise<() => Promise<void>> {
  return startServer();
}

/** Starts a server for this process and those that it starts; what it answers stops it again. */
export async function startServer(...args: string[]): Promise<() => Promise<void>> {
  const { line, stop } = await startProcess(join(import.meta.dirname, 'server.ts'), args);
  process.env[IN_ENVIRONMENT] = line;
  return stop;
}

/** The server that this worker's tests talk to. */
export function runningServer(): RunningServer {
  const line = process.env[IN_ENVIRONMENT];
  if (line === undefined) throw new Error('There is no server: the journeys are run by `playwright test`');
  return JSON.parse(line) as RunningServer;
}
