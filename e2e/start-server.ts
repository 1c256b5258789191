import { hash } from 'node:crypto';
import { join } from 'node:path';
import { startProcess } from './start-process.ts';

/** The addresses of a run's server. */
export interface RunningServer {
  url: string;
  /** The same installation with neutral answers. */
  neutralUrl: string;
  /** The same installation without outgoing email. */
  maillessUrl: string;
  mllpPort: number;
  /** The same installation with a support widget. */
  urlWithWidget: string;
  /** Connects to the database as the pipeline's role, for rows that no page can create. */
  pipelineUrl: string;
}

/** The address and the script of the support widget, which a test serves. */
export const WIDGET_URL = 'https://support.example/widget.js';
export const WIDGET_SCRIPT = `
  window.seen = window.tidingsSupportData;
  addEventListener('tidings-support-data', ({ detail }) => { window.seen = detail; });
  fetch('https://support.example/hello');
  document.body.append(Object.assign(new Image(), { src: 'https://support.example/badge.png' }));
  document.querySelector(window.seen.launcherSelector).onclick = () => { window.opened = true; };`;
export const WIDGET_INTEGRITY = `sha384-${hash('sha384', WIDGET_SCRIPT, 'base64')}`;

const IN_ENVIRONMENT = 'TIDINGS_E2E_SERVER';

/** Makes the server's database wait for the disk, as in production. For benchmarks. */
export const DURABLE = '--durable';

/** Starts the server of the whole run, and returns a function that stops it. */
export default function startForRun(): Promise<() => Promise<void>> {
  return startServer();
}

/** Starts a server for this process and its children, and returns a function that stops it. */
export async function startServer(...args: string[]): Promise<() => Promise<void>> {
  const { line, stop } = await startProcess(join(import.meta.dirname, 'server.ts'), args);
  process.env[IN_ENVIRONMENT] = line;
  return stop;
}

/** The server that this worker's tests talk to. */
export function runningServer(): RunningServer {
  const line = process.env[IN_ENVIRONMENT];
  if (line === undefined) throw new Error('No server is running: run the journeys with `playwright test`');
  return JSON.parse(line) as RunningServer;
}
