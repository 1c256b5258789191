import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run dev`: runs the server, which restarts when one of its files changes, and Vite, which serves the web pages and forwards API calls
 * to the server. Open http://127.0.0.1:5173. Ctrl-C stops both.
 */
const root = join(import.meta.dirname, '..');
const port = process.env.PORT || '8080';
const host = process.env.HOST || '127.0.0.1';
const pages = 'http://127.0.0.1:5173';
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  TIDINGS_PUBLIC_URL: process.env.TIDINGS_PUBLIC_URL || pages,
  TIDINGS_API: `http://${host}:${port}`,
};

const children = [
  start('node', ['--watch', '--watch-preserve-output', 'server/main.ts']),
  start('vite', ['web', '--host', '127.0.0.1', '--strictPort', '--clearScreen', 'false']),
];

function start(command: string, args: string[]): ChildProcess {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  child.once('exit', () => stopAll());
  return child;
}

/** Stops both processes: when one exits, the other must too. A Ctrl-C in the terminal also reaches them directly. */
function stopAll(): void {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
}

process.on('SIGINT', () => stopAll());
process.on('SIGTERM', () => stopAll());
