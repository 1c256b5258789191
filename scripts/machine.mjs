/** Finds the programs that tests need on this machine. Plain JavaScript, because set-up uses it before TypeScript can run. */
import { existsSync } from 'node:fs';

/** @returns {string | undefined} the path to Chromium, or undefined if there is none */
export function browserPath() {
  const { TIDINGS_CHROMIUM: chosen } = process.env;
  const usual = [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ];
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return (chosen ? [chosen] : [...usual, mac]).find((path) => existsSync(path));
}

/** @returns {string | undefined} the folder of Debian's PostgreSQL 15 programs, the oldest version that we support */
export function debianPostgres() {
  return ['/usr/lib/postgresql/15/bin'].find((path) => existsSync(`${path}/postgres`));
}
